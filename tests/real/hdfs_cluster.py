"""A real HDFS on this machine for the time of a `with`: a NameNode and DataNodes, each a Java
process of its own, of Apache Hadoop's release in Maven Central.

    with HdfsCluster() as hdfs:
        hdfs.uri          "hdfs://127.0.0.1:PORT"
        hdfs.http         "http://127.0.0.1:PORT", the NameNode's own pages and WebHDFS
        hdfs.class_path   Hadoop's jars behind a folder with the cluster's configuration
        hdfs.run_java("org.apache.hadoop.fs.FsShell", "-ls", "/")

The jars are fetched once by mvn and stay in mvn's own folder; those of Hadoop are checked against
hadoop_jars.sha256. Everything else lies in a folder that is removed at the end. All listen on
127.0.0.1 on free ports; every wait is bounded. It is no test by itself.
"""
import fcntl
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
import xml.sax.saxutils

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from harness import Failed, Skipped, command, free_port, need  # noqa: E402

VERSION = "3.5.0"
CHECKSUMS = pathlib.Path(__file__).with_name("hadoop_jars.sha256")
CACHE = pathlib.Path.home() / ".cache" / "loadline" / "hadoop" / VERSION
PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath"

# hadoop-minicluster brings the servers, the clients and the tests' jars, TestDFSIO among them. Two
# of its classes want JUnit and Mockito without saying so; logback would be a second logger.
POM = f"""<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
 <groupId>loadline.tests</groupId><artifactId>hdfs-cluster</artifactId><version>1</version>
 <packaging>pom</packaging>
 <dependencies>
  <dependency><groupId>org.apache.hadoop</groupId><artifactId>hadoop-minicluster</artifactId>
   <version>{VERSION}</version>
   <exclusions><exclusion><groupId>ch.qos.logback</groupId><artifactId>*</artifactId></exclusion>
   </exclusions></dependency>
  <dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter-api</artifactId>
   <version>5.13.3</version></dependency>
  <dependency><groupId>org.mockito</groupId><artifactId>mockito-core</artifactId>
   <version>2.28.2</version></dependency>
 </dependencies></project>
"""

# Packages of the JDK that Hadoop's classes look into.
OPENED = ("java.io java.lang java.lang.reflect java.math java.net java.text java.util "
          "java.util.concurrent java.util.zip sun.security.util sun.security.x509").split()

LOGGING = """log4j.rootLogger=WARN,console
log4j.appender.console=org.apache.log4j.ConsoleAppender
log4j.appender.console.target=System.err
log4j.appender.console.layout=org.apache.log4j.PatternLayout
log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c{2}: %m%n
"""


def hadoop_jars() -> list[str]:
    """Paths of the jars, fetched where they are not there yet."""
    need("java", "mvn")
    CACHE.mkdir(parents=True, exist_ok=True)
    listing = CACHE / "class_path"
    with open(CACHE / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        jars = listing.read_text().strip().split(":") if listing.exists() else []
        if not jars or not all(map(os.path.exists, jars)):
            (CACHE / "pom.xml").write_text(POM)
            try:
                command("mvn", "-B", "-q", "-f", CACHE / "pom.xml", PLUGIN,
                        "-DincludeScope=runtime", f"-Dmdep.outputFile={listing}.new", limit=600)
            except Failed as why:
                raise Skipped(f"mvn could not fetch Hadoop's jars: {why}".splitlines()[0]) from why
            os.replace(f"{listing}.new", listing)
            jars = listing.read_text().strip().split(":")
        check_jars(jars)
    return jars


def check_jars(jars: list[str]):
    wanted = dict(reversed(line.split()) for line in CHECKSUMS.read_text().splitlines())
    found = {pathlib.Path(jar).name: jar for jar in jars if "/org/apache/hadoop/" in jar}
    if found.keys() != wanted.keys():
        raise Failed(f"not the jars of {CHECKSUMS.name}: {sorted(found.keys() ^ wanted.keys())}")
    for name, jar in found.items():
        if hashlib.sha256(pathlib.Path(jar).read_bytes()).hexdigest() != wanted[name]:
            raise Failed(f"{jar} is not what {CHECKSUMS.name} says")


def java_major() -> int:
    said = command("java", "-version").stderr
    number = re.search(r'version "(\d+)', said)
    return int(number.group(1)) if number else 0


class HdfsCluster:
    def __init__(self, datanodes: int = 3, replication: int = 3, heap: str = "512m",
                 settings: dict | None = None):
        """`settings`: more of Hadoop's configuration, for all."""
        self.datanodes, self.heap = datanodes, heap
        self.replication = min(replication, datanodes)
        self.settings = settings or {}
        self.processes: dict[str, subprocess.Popen] = {}

    def __enter__(self):
        if java_major() < 17:
            raise Skipped(f"Hadoop {VERSION} needs Java 17")
        self.jars = hadoop_jars()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="loadline-hdfs."))
        begun = time.monotonic()
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        self.start_seconds = time.monotonic() - begun
        return self

    def __exit__(self, *_):
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.processes.clear()
        shutil.rmtree(self.folder, ignore_errors=True)

    # Configuration and command lines

    def write_configuration(self, name: str, **more) -> pathlib.Path:
        folder = self.folder / name / "conf"
        folder.mkdir(parents=True)
        both = {"fs.defaultFS": self.uri, "hadoop.tmp.dir": self.folder / name / "tmp",
                "dfs.replication": self.replication, "dfs.blocksize": 16 << 20,
                "dfs.namenode.fs-limits.min-block-size": 4096,
                "dfs.permissions.enabled": "true", "dfs.datanode.du.reserved": 0,
                "dfs.namenode.safemode.extension": 0, "dfs.heartbeat.interval": 1,
                "dfs.namenode.datanode.registration.ip-hostname-check": "false",
                "dfs.client.use.datanode.hostname": "false",
                **self.settings, **more}
        properties = "".join(
            f"<property><name>{key}</name>"
            f"<value>{xml.sax.saxutils.escape(str(value))}</value></property>\n"
            for key, value in both.items())
        for file in ("core-site.xml", "hdfs-site.xml"):
            (folder / file).write_text(f"<configuration>\n{properties}</configuration>\n")
        (folder / "log4j.properties").write_text(LOGGING)
        return folder

    def java_words(self, conf: pathlib.Path, heap: str) -> list[str]:
        opened = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED]
        return ["java", f"-Xmx{heap}", "-Djava.net.preferIPv4Stack=true", "-Dfile.encoding=UTF-8",
                *opened, "-cp", ":".join([str(conf), *self.jars])]

    @property
    def class_path(self) -> str:
        return ":".join([str(self.conf), *self.jars])

    def run_java(self, main: str, *arguments, limit: float = 120, check: bool = True,
                 heap: str = "512m") -> subprocess.CompletedProcess:
        """A class's main() on the cluster's class path and configuration, to its end."""
        return command(*self.java_words(self.conf, heap), main, *arguments, limit=limit,
                       check=check)

    def shell(self, *arguments, **how) -> str:
        """`hadoop fs ARGUMENTS`."""
        return self.run_java("org.apache.hadoop.fs.FsShell", *arguments, **how).stdout

    def admin(self, *arguments, **how) -> str:
        """`hdfs dfsadmin ARGUMENTS`."""
        return self.run_java("org.apache.hadoop.hdfs.tools.DFSAdmin", *arguments, **how).stdout

    # Processes

    def launch(self, name: str, conf: pathlib.Path, main: str):
        with open(self.folder / f"{name}.log", "a") as log:
            self.processes[name] = subprocess.Popen(
                [*self.java_words(conf, self.heap), main], stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, cwd=self.folder)

    def start(self):
        port, http_port = free_port(), free_port()
        self.uri = f"hdfs://127.0.0.1:{port}"
        self.namenode = f"127.0.0.1:{port}"
        self.http = f"http://127.0.0.1:{http_port}"
        self.conf = self.write_configuration("client")
        main = "org.apache.hadoop.hdfs.server.namenode.NameNode"
        self.namenode_conf = self.write_configuration(
            "namenode", **{"dfs.namenode.name.dir": f"file://{self.folder}/namenode/name",
                           "dfs.namenode.rpc-address": self.namenode,
                           "dfs.namenode.http-address": f"127.0.0.1:{http_port}"})
        command(*self.java_words(self.namenode_conf, self.heap), main, "-format",
                "-nonInteractive", "-clusterId", "loadline", limit=120)
        self.start_namenode()
        for i in range(1, self.datanodes + 1):
            self.start_datanode(i)
        self.wait(lambda: self.live_datanodes() == self.datanodes and not self.safe_mode(),
                  f"{self.datanodes} DataNodes")

    def start_namenode(self):
        self.launch("namenode", self.namenode_conf,
                    "org.apache.hadoop.hdfs.server.namenode.NameNode")

    def start_datanode(self, number: int):
        name = f"datanode{number}"
        conf = self.folder / name / "conf"
        if not conf.exists():
            self.write_configuration(
                name, **{"dfs.datanode.data.dir": f"file://{self.folder}/{name}/data",
                         "dfs.datanode.hostname": "127.0.0.1",
                         "dfs.datanode.address": "127.0.0.1:0",
                         "dfs.datanode.http.address": "127.0.0.1:0",
                         "dfs.datanode.ipc.address": "127.0.0.1:0"})
        self.launch(name, conf, "org.apache.hadoop.hdfs.server.datanode.DataNode")

    def stop(self, name: str):
        """"namenode" or "datanode1" and so on; it can be started again."""
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def state(self) -> dict:
        """What the NameNode says of its file system; empty while it does not answer."""
        query = f"{self.http}/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState"
        try:
            with urllib.request.urlopen(query, timeout=5) as answer:
                return json.load(answer)["beans"][0]
        except (OSError, ValueError, IndexError, KeyError):
            return {}

    def live_datanodes(self) -> int:
        return self.state().get("NumLiveDataNodes", 0)

    def safe_mode(self) -> bool:
        return self.state().get("FSState") != "Operational"

    def wait(self, holds, what: str, limit: float = 120):
        end = time.monotonic() + limit
        while not holds():
            for name, process in self.processes.items():
                if process.poll() is not None:
                    raise Failed(f"the {name} ended: {self.last_words(name)}")
            if time.monotonic() > end:
                raise Failed(f"no {what} within {limit} s: {self.last_words('namenode')}")
            time.sleep(0.2)

    def last_words(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()[-400:].strip()

    def memory_mb(self) -> int:
        """Resident, of all its processes."""
        total = 0
        for process in self.processes.values():
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            total += int(re.search(r"VmRSS:\s+(\d+)", status).group(1))
        return total // 1024
