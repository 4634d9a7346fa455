// A test double: the name of Hadoop's exception.
package org.apache.hadoop.fs;

public class PathIsNotEmptyDirectoryException extends java.io.IOException {
  public PathIsNotEmptyDirectoryException(String message) {
    super(message);
  }
}
