// A test double: the name and the signatures of Hadoop's class, nothing of its code.
package org.apache.hadoop.fs;

public class FileStatus {
  private final long length;
  private final boolean folder;
  private final Path path;

  FileStatus(long length, boolean folder, Path path) {
    this.length = length;
    this.folder = folder;
    this.path = path;
  }

  public long getLen() {
    return length;
  }

  public boolean isDirectory() {
    return folder;
  }

  public Path getPath() {
    return path;
  }
}
