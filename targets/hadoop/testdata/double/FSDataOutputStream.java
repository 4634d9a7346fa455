// A test double: the name and the signatures of Hadoop's class, nothing of its code.
package org.apache.hadoop.fs;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;

public class FSDataOutputStream extends OutputStream {
  private final RandomAccessFile file;
  private final Switches switches;

  FSDataOutputStream(RandomAccessFile file, Switches switches) {
    this.file = file;
    this.switches = switches;
  }

  @Override
  public void write(int one) throws IOException {
    file.write(one);
  }

  @Override
  public synchronized void write(byte[] from, int offset, int length) throws IOException {
    switches.check(file.getFilePointer(), length);
    file.write(from, offset, length);
  }

  public long getPos() throws IOException {
    return file.getFilePointer();
  }

  public void hflush() {}

  public void hsync() throws IOException {
    file.getFD().sync();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
