// A test double: the name and the signatures of Hadoop's class, nothing of its code.
package org.apache.hadoop.fs;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;

public class FSDataInputStream extends InputStream {
  private final RandomAccessFile file;
  private final Switches switches;

  FSDataInputStream(RandomAccessFile file, Switches switches) {
    this.file = file;
    this.switches = switches;
  }

  @Override
  public int read() throws IOException {
    return file.read();
  }

  private int limit(int length) {
    return Math.min(length, switches.shortReads);
  }

  @Override
  public synchronized int read(byte[] into, int offset, int length) throws IOException {
    switches.check(file.getFilePointer(), limit(length));
    return file.read(into, offset, limit(length));
  }

  public synchronized int read(long position, byte[] into, int offset, int length)
      throws IOException {
    long back = file.getFilePointer();
    try {
      file.seek(position);
      return read(into, offset, length);
    } finally {
      file.seek(back);
    }
  }

  private int channelRead(long position, ByteBuffer into) throws IOException {
    switches.check(position, limit(into.remaining()));
    int limit = into.limit();
    into.limit(into.position() + limit(into.remaining()));
    try {
      return file.getChannel().read(into, position);
    } finally {
      into.limit(limit);
    }
  }

  public synchronized int read(ByteBuffer into) throws IOException {
    if (switches.noBuffer) {
      throw new UnsupportedOperationException("Byte-buffer read unsupported by " + getClass());
    }
    int got = channelRead(file.getFilePointer(), into);
    if (got > 0) {
      file.seek(file.getFilePointer() + got);
    }
    return got;
  }

  public synchronized int read(long position, ByteBuffer into) throws IOException {
    if (switches.noBufferAt) {
      throw new UnsupportedOperationException("Byte-buffer pread unsupported by " + getClass());
    }
    return channelRead(position, into);
  }

  public synchronized void seek(long position) throws IOException {
    file.seek(position);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
