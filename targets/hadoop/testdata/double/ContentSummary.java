// A test double: the name and the signatures of Hadoop's class, nothing of its code.
package org.apache.hadoop.fs;

public class ContentSummary {
  long length;
  long files;
  long folders;
  long quota = -1;

  public long getLength() {
    return length;
  }

  public long getFileCount() {
    return files;
  }

  public long getDirectoryCount() {
    return folders;
  }

  public long getSpaceConsumed() {
    return 3 * length;
  }

  public long getQuota() {
    return quota;
  }

  public long getSpaceQuota() {
    return -1;
  }
}
