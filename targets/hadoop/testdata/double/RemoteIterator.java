// A test double: the name and the signatures of Hadoop's interface.
package org.apache.hadoop.fs;

import java.io.IOException;

public interface RemoteIterator<E> {
  boolean hasNext() throws IOException;

  E next() throws IOException;
}
