// A test double: the name and the signatures of Hadoop's class, nothing of its code.
package org.apache.hadoop.fs;

import java.net.URI;
import java.net.URISyntaxException;

public class Path {
  private final URI uri;

  public Path(String text) {
    if (text == null || text.isEmpty()) {
      throw new IllegalArgumentException("Can not create a Path from an empty string");
    }
    String scheme = null;
    String authority = null;
    String path = text;
    int colon = text.indexOf(':');
    int slash = text.indexOf('/');
    if (colon > 0 && (slash < 0 || colon < slash)) {
      scheme = text.substring(0, colon);
      path = text.substring(colon + 1);
    }
    if (path.startsWith("//")) {
      int end = path.indexOf('/', 2);
      authority = path.substring(2, end < 0 ? path.length() : end);
      path = end < 0 ? "/" : path.substring(end);
    }
    try {
      uri = new URI(scheme, authority == null || authority.isEmpty() ? null : authority,
          path.replaceAll("/+", "/"), null, null);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(e);
    }
  }

  public String getName() {
    String path = uri.getPath();
    return path.substring(path.lastIndexOf('/') + 1);
  }

  public URI toUri() {
    return uri;
  }

  @Override
  public String toString() {
    return uri.getPath();
  }
}
