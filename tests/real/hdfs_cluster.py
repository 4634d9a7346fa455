"""A real HDFS on this machine for the time of a `with`: a NameNode and DataNodes, each a Java
process of its own, of Apache Hadoop's release in Maven Central.

    with HdfsCluster() as hdfs:
        hdfs.uri          "hdfs://127.0.0.1:PORT"
        hdfs.http         "http://127.0.0.1:PORT", the NameNode's own pages and WebHDFS
        hdfs.class_path   Hadoop's jars behind a folder with the cluster's configuration
        hdfs.run_java("org.apache.hadoop.fs.FsShell", "-ls", "/")

The jars are fetched once by mvn and stay in mvn's own folder; those of Hadoop are checked against
hadoop_jars.sha256, those of S3A against s3a_jars.sha256. Everything else lies in a folder that is
removed at the end. All listen on one address, 127.0.0.1 unless told otherwise, on free ports; every
wait is bounded. It is no test by itself.
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
HERE = pathlib.Path(__file__).resolve().parent
CACHE = pathlib.Path.home() / ".cache" / "loadline" / "hadoop" / VERSION
PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath"



def dependency(group: str, artifact: str, version: str, without: str = "") -> str:
    """`without`: GROUP:ARTIFACT that is not to come along."""
    left_out = ""
    if without:
        names = without.split(":")
        left_out = (f"<exclusions><exclusion><groupId>{names[0]}</groupId>"
                    f"<artifactId>{names[1]}</artifactId></exclusion></exclusions>")
    return (f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>"
            f"<version>{version}</version>{left_out}</dependency>\n")


# hadoop-minicluster brings the servers, the clients and the tests' jars, TestDFSIO among them. Two
# of its classes want JUnit and Mockito without saying so; logback would be a second logger.
HADOOP = (dependency("org.apache.hadoop", "hadoop-minicluster", VERSION, "ch.qos.logback:*") +
          dependency("org.junit.jupiter", "junit-jupiter-api", "5.13.3") +
          dependency("org.mockito", "mockito-core", "2.28.2"))
# S3A with the parts of Amazon's SDK that it needs: 19 MB, where the bundle has 600.
SDK = "2.35.4"
S3A = (dependency("org.apache.hadoop", "hadoop-aws", VERSION, "software.amazon.awssdk:bundle") +
       dependency("software.amazon.awssdk", "s3-transfer-manager", SDK) +
       dependency("software.amazon.awssdk", "sts", SDK))

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
    return fetched("hadoop", HADOOP)


def s3a_jars() -> list[str]:
    """What S3A needs behind hadoop_jars()."""
    def artifact(jar: str) -> str:
        return pathlib.Path(jar).parents[1].name

    there = set(map(artifact, hadoop_jars()))
    return [jar for jar in fetched("s3a", S3A) if artifact(jar) not in there]


def fetched(name: str, dependencies: str) -> list[str]:
    need("java", "mvn")
    CACHE.mkdir(parents=True, exist_ok=True)
    listing = CACHE / f"{name}_class_path"
    with open(CACHE / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        jars = listing.read_text().strip().split(":") if listing.exists() else []
        if not jars or not all(map(os.path.exists, jars)):
            pom = CACHE / f"{name}_pom.xml"
            pom.write_text(
                '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0'
                f"</modelVersion><groupId>loadline.tests</groupId><artifactId>{name}</artifactId>"
                "<version>1</version><packaging>pom</packaging>\n"
                f"<dependencies>{dependencies}</dependencies></project>\n")
            try:
                command("mvn", "-B", "-q", "-f", pom, PLUGIN, "-DincludeScope=runtime",
                        f"-Dmdep.outputFile={listing}.new", limit=600)
            except Failed as why:
                raise Skipped(f"mvn could not fetch Hadoop's jars: {why}".splitlines()[0]) from why
            os.replace(f"{listing}.new", listing)
            jars = listing.read_text().strip().split(":")
        check_jars(jars, HERE / f"{name}_jars.sha256")
    return jars


def check_jars(jars: list[str], checksums: pathlib.Path):
    wanted = dict(reversed(line.split()) for line in checksums.read_text().splitlines())
    found = {pathlib.Path(jar).name: jar for jar in jars
             if "/org/apache/hadoop/" in jar or "/software/amazon/" in jar}
    if found.keys() != wanted.keys():
        raise Failed(f"not the jars of {checksums.name}: {sorted(found.keys() ^ wanted.keys())}")
    for name, jar in found.items():
        if hashlib.sha256(pathlib.Path(jar).read_bytes()).hexdigest() != wanted[name]:
            raise Failed(f"{jar} is not what {checksums.name} says")


def java_major() -> int:
    said = command("java", "-version").stderr
    number = re.search(r'version "(\d+)', said)
    return int(number.group(1)) if number else 0


class HdfsCluster:
    def __init__(self, datanodes: int = 3, replication: int = 3, heap: str = "512m",
                 settings: dict | None = None, address: str = "127.0.0.1"):
        """`settings`: more of Hadoop's configuration, for all. `address`: of this machine."""
        self.datanodes, self.heap = datanodes, heap
        self.replication = min(replication, datanodes)
        self.settings = settings or {}
        self.address = address
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
                "dfs.namenode.http-address": self.http.removeprefix("http://"),
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
        self.namenode = f"{self.address}:{port}"
        self.uri = f"hdfs://{self.namenode}"
        self.http = f"http://{self.address}:{http_port}"
        self.webhdfs = f"webhdfs://{self.address}:{http_port}"
        self.conf = self.write_configuration("client")
        main = "org.apache.hadoop.hdfs.server.namenode.NameNode"
        self.namenode_conf = self.write_configuration(
            "namenode", **{"dfs.namenode.name.dir": f"file://{self.folder}/namenode/name",
                           "dfs.namenode.rpc-address": self.namenode})
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
                         "dfs.datanode.hostname": self.address,
                         "dfs.datanode.address": f"{self.address}:0",
                         "dfs.datanode.http.address": f"{self.address}:0",
                         "dfs.datanode.ipc.address": f"{self.address}:0"})
        self.launch(name, conf, "org.apache.hadoop.hdfs.server.datanode.DataNode")

    def stop(self, name: str):
        """"namenode" or "datanode1" and so on; it can be started again."""
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def state(self, bean: str = "FSNamesystemState") -> dict:
        """What the NameNode says of its file system; empty while it does not answer."""
        query = f"{self.http}/jmx?qry=Hadoop:service=NameNode,name={bean}"
        try:
            with urllib.request.urlopen(query, timeout=5) as answer:
                return json.load(answer)["beans"][0]
        except (OSError, ValueError, IndexError, KeyError):
            return {}

    def live_datanodes(self) -> int:
        return self.state().get("NumLiveDataNodes", 0)

    def datanodes_heard_of(self) -> int:
        """In the last seconds: one that was killed counts as live for minutes."""
        nodes = json.loads(self.state("NameNodeInfo").get("LiveNodes", "{}"))
        return sum(node["lastContact"] <= 2 for node in nodes.values())

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
