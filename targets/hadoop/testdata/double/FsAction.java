// A test double: the name and the members of Hadoop's enumeration.
package org.apache.hadoop.fs.permission;

public enum FsAction {
  NONE, EXECUTE, WRITE, WRITE_EXECUTE, READ, READ_EXECUTE, READ_WRITE, ALL
}
