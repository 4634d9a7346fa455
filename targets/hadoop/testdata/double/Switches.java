// Of the test double alone: what it does otherwise than a well-behaved file system. Each is a key
// of the Configuration, "double.*".
package org.apache.hadoop.fs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RemoteException;

class Switches {
  final int shortReads;        // bytes that one read gives at most
  final boolean noBuffer;      // streams cannot read into a ByteBuffer
  final boolean noBufferAt;    // nor at a position
  final long throwAt;          // the byte whose reading or writing fails
  final String throwClass;
  final String denied;         // paths that begin so
  final boolean truncateLater; // truncate() goes on in the background
  final long quota;

  Switches(Configuration conf) {
    shortReads = Integer.parseInt(conf.get("double.short.reads", "2147483647"));
    noBuffer = Boolean.parseBoolean(conf.get("double.no.buffer", "false"));
    noBufferAt = Boolean.parseBoolean(conf.get("double.no.buffer.at", "false"));
    throwAt = Long.parseLong(conf.get("double.throw.at", "-1"));
    throwClass = conf.get("double.throw.class", "java.io.IOException");
    denied = conf.get("double.denied", "");
    truncateLater = Boolean.parseBoolean(conf.get("double.truncate.later", "false"));
    quota = Long.parseLong(conf.get("double.quota", "-1"));
  }

  // Throws where the byte lies in [from, from + length).
  void check(long from, long length) throws IOException {
    if (throwAt < from || throwAt >= from + length) {
      return;
    }
    String text = "fault at byte " + throwAt + "\n\tat a.server.stack.of.it";
    switch (throwClass) {
      case "java.lang.OutOfMemoryError":
        throw new OutOfMemoryError(text);
      case "java.lang.UnsupportedOperationException":
        throw new UnsupportedOperationException(text);
      case "java.io.IOException":
        throw new IOException(text);
      case "wrapped":
        throw new IOException("outer", new java.net.ConnectException("Connection refused"));
      default:
        throw new RemoteException(throwClass, text);
    }
  }
}
