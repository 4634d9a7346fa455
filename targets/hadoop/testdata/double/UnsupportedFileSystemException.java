// A test double: the name of Hadoop's exception.
package org.apache.hadoop.fs;

public class UnsupportedFileSystemException extends java.io.IOException {
  public UnsupportedFileSystemException(String message) {
    super(message);
  }
}
