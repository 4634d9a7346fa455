// A test double: the name and the signatures of Hadoop's class, nothing of its code.
package org.apache.hadoop.conf;

import java.io.File;
import java.util.HashMap;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.hadoop.fs.Path;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

public class Configuration {
  private final Map<String, String> values = new HashMap<>();
  private final Map<String, String> sources = new HashMap<>();

  public Configuration() {
    put("fs.defaultFS", "file:///", "core-default.xml");
    put("ipc.client.connect.max.retries", "10", "core-default.xml");
  }

  private void put(String key, String value, String source) {
    values.put(key, value);
    sources.put(key, source);
  }

  public void set(String key, String value) {
    put(key, value, "programmatically");
  }

  public String get(String key) {
    return values.get(key);
  }

  public String get(String key, String otherwise) {
    return values.getOrDefault(key, otherwise);
  }

  public String[] getPropertySources(String key) {
    String source = sources.get(key);
    return source == null ? null : new String[] {source};
  }

  public void addResource(Path file) {
    try {
      File xml = new File(file.toUri().getPath());
      NodeList all = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(xml)
          .getElementsByTagName("property");
      for (int i = 0; i < all.getLength(); ++i) {
        Element one = (Element) all.item(i);
        put(one.getElementsByTagName("name").item(0).getTextContent(),
            one.getElementsByTagName("value").item(0).getTextContent(), xml.getName());
      }
    } catch (Exception e) {
      throw new RuntimeException(e.toString(), e);
    }
  }
}
