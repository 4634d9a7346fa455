// A test double: the name and the signatures of Hadoop's class, nothing of its code. Its files are
// those of this machine, whatever the scheme is of "file" and "double".
package org.apache.hadoop.fs;

import java.io.Closeable;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.util.Arrays;
import java.util.Iterator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.security.AccessControlException;

public class FileSystem implements Closeable {
  private final URI uri;
  private final Switches switches;
  private volatile boolean closed;

  private FileSystem(URI uri, Configuration conf) {
    this.uri = uri;
    this.switches = new Switches(conf);
  }

  public static URI getDefaultUri(Configuration conf) {
    return URI.create(conf.get("fs.defaultFS"));
  }

  public static FileSystem newInstance(URI uri, Configuration conf) throws IOException {
    switch (uri.getScheme()) {
      case "file":
      case "double":
        return new FileSystem(uri, conf);
      case "broken":
        throw new RuntimeException(
            new ClassNotFoundException("Class com.example.BrokenFileSystem not found"));
      default:
        throw new UnsupportedFileSystemException(
            "No FileSystem for scheme \"" + uri.getScheme() + "\"");
    }
  }

  public static FileSystem newInstance(URI uri, Configuration conf, String user)
      throws IOException, InterruptedException {
    return newInstance(uri, conf);
  }

  public URI getUri() {
    return uri;
  }

  @Override
  public void close() {
    closed = true;
  }

  private File at(Path path) throws IOException {
    if (closed) {
      throw new IOException("Filesystem closed");
    }
    if (uri.getAuthority() != null && uri.getAuthority().startsWith("down")) {
      throw new IOException("Call failed on local exception",
          new java.net.ConnectException("Connection refused"));
    }
    String scheme = path.toUri().getScheme();
    if (scheme != null && !scheme.equals(uri.getScheme())) {
      throw new IllegalArgumentException("Wrong FS: " + path.toUri() + ", expected: " + uri);
    }
    if (!switches.denied.isEmpty() && path.toString().startsWith(switches.denied)) {
      throw new AccessControlException("Permission denied: user=nobody, inode=\"" + path + "\"");
    }
    return new File(path.toString());
  }

  private File existing(Path path) throws IOException {
    File file = at(path);
    if (!file.exists()) {
      throw new FileNotFoundException("File " + path + " does not exist");
    }
    return file;
  }

  public FSDataOutputStream create(Path path, boolean overwrite, int buffer) throws IOException {
    return create(path, overwrite, buffer, (short) 1, 1 << 20);
  }

  public FSDataOutputStream create(Path path, boolean overwrite, int buffer, short replication,
      long blockSize) throws IOException {
    File file = at(path);
    if (file.isDirectory() || (file.exists() && !overwrite)) {
      throw new FileAlreadyExistsException(path + " already exists");
    }
    makeFolders(new Path(file.getParent()));
    RandomAccessFile opened = new RandomAccessFile(file, "rw");
    opened.setLength(0);
    return new FSDataOutputStream(opened, switches);
  }

  public FSDataOutputStream append(Path path, int buffer) throws IOException {
    RandomAccessFile opened = new RandomAccessFile(existing(path), "rw");
    opened.seek(opened.length());
    return new FSDataOutputStream(opened, switches);
  }

  public FSDataInputStream open(Path path, int buffer) throws IOException {
    File file = existing(path);
    if (file.isDirectory()) {
      throw new FileNotFoundException(path + " is a directory");
    }
    return new FSDataInputStream(new RandomAccessFile(file, "r"), switches);
  }

  public boolean truncate(Path path, long length) throws IOException {
    File file = existing(path);
    if (length > file.length()) {
      throw new IllegalArgumentException("Cannot truncate to a larger file size");
    }
    Thread work = new Thread(() -> {
      try (RandomAccessFile opened = new RandomAccessFile(file, "rw")) {
        if (switches.truncateLater) {
          Thread.sleep(150);
        }
        opened.setLength(length);
      } catch (Exception e) {
        throw new RuntimeException(e);
      }
    });
    work.start();
    if (switches.truncateLater) {
      return false;
    }
    try {
      work.join();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    return true;
  }

  public boolean delete(Path path, boolean recursive) throws IOException {
    File file = at(path);
    String[] names = file.list();
    if (names != null && names.length > 0) {
      throw new PathIsNotEmptyDirectoryException("`" + path + "': Directory is not empty");
    }
    return file.delete();
  }

  // As HDFS does: false, and no reason.
  public boolean rename(Path from, Path to) throws IOException {
    File source = at(from);
    File place = at(to);
    return source.exists() && !place.exists() && source.renameTo(place);
  }

  public boolean mkdirs(Path path) throws IOException {
    if (at(path).isFile()) {
      throw new FileAlreadyExistsException("Path is not a directory: " + path);
    }
    return makeFolders(path);
  }

  private boolean makeFolders(Path path) throws IOException {
    File file = at(path);
    for (File up = file; up != null; up = up.getParentFile()) {
      if (up.exists() && !up.isDirectory()) {
        throw new ParentNotDirectoryException(up + " (is not a directory)");
      }
    }
    return file.mkdirs() || file.isDirectory();
  }

  public FileStatus getFileStatus(Path path) throws IOException {
    File file = existing(path);
    return new FileStatus(file.length(), file.isDirectory(), path);
  }

  public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
    File folder = existing(path);
    Iterator<File> files = Arrays.asList(folder.listFiles()).iterator();
    return new RemoteIterator<FileStatus>() {
      @Override
      public boolean hasNext() {
        return files.hasNext();
      }

      @Override
      public FileStatus next() {
        File file = files.next();
        return new FileStatus(file.length(), file.isDirectory(), new Path(file.getPath()));
      }
    };
  }

  private static void add(File file, ContentSummary into) {
    if (!file.isDirectory()) {
      ++into.files;
      into.length += file.length();
      return;
    }
    ++into.folders;
    for (File one : file.listFiles()) {
      add(one, into);
    }
  }

  public ContentSummary getContentSummary(Path path) throws IOException {
    ContentSummary summary = new ContentSummary();
    add(existing(path), summary);
    summary.quota = switches.quota;
    return summary;
  }

  public long getDefaultBlockSize(Path path) {
    return 1 << 20;
  }

  public short getDefaultReplication(Path path) {
    return 1;
  }

  public void setStoragePolicy(Path path, String policy) {
    throw new UnsupportedOperationException("FileSystem doesn't support setStoragePolicy");
  }

  public void access(Path path, FsAction mode) throws IOException {
    existing(path);
  }
}
