// A test double: the name of Hadoop's exception.
package org.apache.hadoop.security;

public class AccessControlException extends java.io.IOException {
  public AccessControlException(String message) {
    super(message);
  }
}
