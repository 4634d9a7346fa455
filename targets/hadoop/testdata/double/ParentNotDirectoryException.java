// A test double: the name of Hadoop's exception.
package org.apache.hadoop.fs;

public class ParentNotDirectoryException extends java.io.IOException {
  public ParentNotDirectoryException(String message) {
    super(message);
  }
}
