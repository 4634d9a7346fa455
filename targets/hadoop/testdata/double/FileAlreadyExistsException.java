// A test double: the name of Hadoop's exception.
package org.apache.hadoop.fs;

public class FileAlreadyExistsException extends java.io.IOException {
  public FileAlreadyExistsException(String message) {
    super(message);
  }
}
