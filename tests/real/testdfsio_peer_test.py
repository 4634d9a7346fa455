#!/usr/bin/env python3
"""`loadline testdfsio` beside Hadoop's own org.apache.hadoop.fs.TestDFSIO on a real HDFS: each
reads what the other wrote, and Debian's hdfs-cli, a client written in Go, sees the same bytes.
"""
import hashlib
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from harness import expect, expect_equal, need, run  # noqa: E402
from hdfs_cluster import HdfsCluster  # noqa: E402

BASE = "/benchmarks/TestDFSIO"
FILES = 4
SIZE_MB = 20  # two blocks, the second a short one
LABELS = ["Number of files", "Total MBytes processed", "Throughput mb/sec",
          "Average IO rate mb/sec", "IO rate std deviation", "Test exec time sec"]


def fields(path: str) -> dict:
    """Of the only block in a result file."""
    block = pathlib.Path(path).read_text()
    found = dict(re.findall(r"^ *([A-Za-z& /]+): (.*)$", block, re.MULTILINE))
    expect(all(label in found for label in LABELS), f"not a block: {block!r}")
    return found


class Tools:
    def __init__(self, loadline, hdfs):
        self.loadline, self.hdfs = loadline, hdfs

    def ours(self, *words, check: bool = True):
        """`loadline testdfsio`, in the form of Hadoop 3; the VM checks every call of JNI."""
        done = self.loadline.run("testdfsio", "-D", f"fs.defaultFS={self.hdfs.uri}", *words,
                                 "-nrFiles", FILES, "-size", f"{SIZE_MB}MB", "-resFile", "our.log",
                                 "--compat", "3.x", check=check)
        for complaint in ("WARNING in native", "WARNING: JNI", "FATAL ERROR"):
            expect(complaint not in done.stderr, done.stderr[-1500:])
        return done

    def theirs(self, *words):
        folder = pathlib.Path("hadoop").resolve()
        return self.hdfs.run_java(
            "org.apache.hadoop.fs.TestDFSIO", "-D", "mapreduce.framework.name=local",
            "-D", "mapreduce.local.map.tasks.maximum=2", "-D", f"hadoop.tmp.dir={folder}/tmp",
            "-D", f"mapreduce.cluster.local.dir={folder}/local", *words, "-nrFiles", FILES,
            "-size", f"{SIZE_MB}MB", "-resFile", "their.log")

    def hdfs_cli(self, *words, text: bool = True):
        """Debian's, in Go: its own protocol, checksums and all."""
        where = dict(os.environ, HADOOP_NAMENODE=self.hdfs.namenode, HADOOP_CONF_DIR="/nowhere",
                     HADOOP_USER_NAME="root")
        done = subprocess.run(["hdfs", *words], env=where, capture_output=True, timeout=60,
                              check=False)
        expect(done.returncode == 0, f"hdfs {' '.join(words)}: {done.stderr.decode()[-300:]}")
        return done.stdout.decode() if text else done.stdout


def file_name(number: int) -> str:
    return f"{BASE}/io_data/test_io_{number}"


def checksums(tools: Tools) -> list[str]:
    """Of all files, by hdfs-cli; Hadoop's own client agrees."""
    names = [file_name(i) for i in range(FILES)]
    found = [line.split()[0] for line in tools.hdfs_cli("checksum", *names).splitlines()]
    expect_equal(len(found), FILES, "checksums of hdfs-cli")
    said = tools.hdfs.shell("-checksum", *names).splitlines()
    # "NAME  MD5-of-0MD5-of-512CRC32C  ...": the digest is the end of Hadoop's hexadecimal digits.
    theirs = [line.split()[-1] for line in said if "MD5-of" in line]
    for ours, their in zip(found, theirs, strict=True):
        digits = their.rstrip("0")
        expect(ours in their or digits.endswith(ours.rstrip("0")),
               f"hdfs-cli says {ours}, hadoop fs -checksum {their}")
    return found


def control_files(tools: Tools) -> list[str]:
    """As Hadoop's reader of sequence files understands them."""
    return [tools.hdfs.shell("-text", f"{BASE}/io_control/in_file_test_io_{FILES - 1}").split()]


def reduced(tools: Tools, operation: str) -> dict:
    text = tools.hdfs_cli("cat", f"{BASE}/io_{operation}/part-00000")
    return dict(line.split("\t") for line in text.splitlines())


def check_total(path: str, what: str, more: float = 0):
    """`more`: MB a file that a random read's last block may go past its size."""
    found, asked = fields(path), FILES * SIZE_MB
    expect_equal(found["Number of files"], str(FILES), what)
    total = float(found["Total MBytes processed"])
    expect(asked <= total <= asked + FILES * more, f"{what}: {total} MB, asked {asked}")
    pathlib.Path(path).unlink()


def check_same_reduction(ours: dict, theirs: dict):
    expect_equal(ours.keys(), theirs.keys(), "names in part-00000")
    for name in ("l:tasks", "l:size"):
        expect_equal(ours[name], theirs[name], f"{name} in part-00000")


def we_write_they_read(tools: Tools):
    tools.ours("-write")
    check_total("our.log", "our block of our write")
    expect_equal(control_files(tools), [[f"test_io_{FILES - 1}", str(SIZE_MB << 20)]],
                 "our control file")
    tools.zero_checksums, tools.our_write = checksums(tools), reduced(tools, "write")
    tools.theirs("-read")
    check_total("their.log", "their block of our files")
    tools.ours("-read")
    check_total("our.log", "our block of our files")
    check_same_reduction(reduced(tools, "read"), tools.our_write)
    print("ours, read by TestDFSIO: ok", flush=True)


def they_write_we_read(tools: Tools):
    tools.theirs("-write")
    check_total("their.log", "their block of their write")
    expect_equal(control_files(tools), [[f"test_io_{FILES - 1}", str(SIZE_MB << 20)]],
                 "their control file")
    expect_equal(checksums(tools), tools.zero_checksums, "checksums of zeros, theirs and ours")
    check_same_reduction(tools.our_write, reduced(tools, "write"))
    # Zeros, as every version of it writes.
    for words, more in ((("-read", "--verify"), 0), (("-read", "-random"), 1), (("-append",), 0)):
        tools.ours(*words)
        check_total("our.log", f"our {words} of their files", more)
    expect_equal(tools.hdfs.shell("-stat", "%b", file_name(0)).strip(), str(2 * SIZE_MB << 20),
                 "a file of theirs that we appended to")
    print("theirs, read by us: ok", flush=True)


def data_is_what_others_see(tools: Tools):
    """Random data: the same for hdfs-cli, for Hadoop's client, and for --verify."""
    tools.ours("-write", "--data", "random")
    found = checksums(tools)
    expect(len(set(found)) == FILES and not set(found) & set(tools.zero_checksums),
           f"random files with equal checksums: {found}")
    digests = [hashlib.sha256(tools.hdfs_cli("cat", file_name(i), text=False)).hexdigest()
               for i in range(FILES)]
    tools.ours("-read", "--data", "random", "--verify")
    tools.hdfs.shell("-copyToLocal", f"{BASE}/io_data", "copied")
    for i, digest in enumerate(digests):
        copy = pathlib.Path("copied") / f"test_io_{i}"
        expect_equal(hashlib.sha256(copy.read_bytes()).hexdigest(), digest, f"bytes of file {i}")
    # One byte is another: named.
    damaged = bytearray((pathlib.Path("copied") / "test_io_2").read_bytes())
    damaged[17 << 20] ^= 1
    pathlib.Path("damaged").write_bytes(damaged)
    tools.hdfs.shell("-copyFromLocal", "-f", "damaged", file_name(2))
    done = tools.ours("-read", "--data", "random", "--verify", check=False)
    expect_equal(done.returncode, 254, "exit status beside a damaged file")
    expect("test_io_2: corrupt" in done.stderr, f"no word of the damage: {done.stderr[-800:]}")
    print("random data, read by others: ok", flush=True)


def main(loadline):
    need("hdfs")
    with HdfsCluster() as hdfs:
        print(f"hdfs: up in {hdfs.start_seconds:.1f} s")
        os.environ["CLASSPATH"] = hdfs.class_path
        os.environ["LIBHDFS_OPTS"] = "-Xcheck:jni"
        os.environ["LOADLINE_ARCHIVE"] = str(pathlib.Path("archive").resolve())
        tools = Tools(loadline, hdfs)
        for check in (we_write_they_read, they_write_we_read, data_is_what_others_see):
            check(tools)


run(main)
