// A test double: the name and the signatures of Hadoop's class, nothing of its code.
package org.apache.hadoop.ipc;

public class RemoteException extends java.io.IOException {
  private final String named;

  public RemoteException(String named, String message) {
    super(message);
    this.named = named;
  }

  public String getClassName() {
    return named;
  }
}
