// A test double: the name and the signature of Hadoop's class, nothing of its code.
package org.apache.hadoop.util;

public class VersionInfo {
  public static String getVersion() {
    return "double";
  }
}
