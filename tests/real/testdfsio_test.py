#!/usr/bin/env python3
"""TestDFSIO's command lines, as a cloud's documentation has them but for sizes, through
compat/hadoop on a real HDFS that another host (a network namespace) is the client of: blocks,
counts, and throughput computed in both ways, from the block and from the network's counters.
"""
import os
import pathlib
import re
import shutil
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from client_host import ClientHost  # noqa: E402
from harness import ROOT, command, expect, expect_equal, run  # noqa: E402
from hdfs_cluster import HdfsCluster  # noqa: E402

JAR = "../share/hadoop/mapreduce/hadoop-mapreduce-client-jobclient-2.7.6-tests.jar"
DATA = "/benchmarks/TestDFSIO/io_data"
FILES = 16
# What one way of computing throughput may differ from another.
TOLERANCE = 0.03
# Seconds of Test exec time before the first open and behind the last close.
OVERHEAD = 1
MEGA = 1 << 20

NUMBER = r"\d+\.\d+(?:E-?\d+)?"
BLOCK = re.compile(
    r"----- TestDFSIO ----- : (?P<type>[a-z ]+)\n"
    r"           Date & time: [A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d \S+ \d{4}\n"
    r"       Number of files: (?P<files>\d+)\n"
    rf"Total MBytes processed: (?P<megabytes>{NUMBER})\n"
    rf"     Throughput mb/sec: (?P<throughput>{NUMBER})\n"
    rf"Average IO rate mb/sec: (?P<average>{NUMBER})\n"
    rf" IO rate std deviation: (?P<deviation>{NUMBER})\n"
    rf"    Test exec time sec: (?P<seconds>{NUMBER})\n"
    r"\n")


class Hadoop:
    """A folder bin with `hadoop`, on the other host."""

    def __init__(self, loadline, cluster, host):
        self.cluster, self.host = cluster, host
        self.bin = pathlib.Path("bin").resolve()
        self.bin.mkdir(exist_ok=True)
        shutil.copy(ROOT / "compat" / "hadoop", self.bin / "hadoop")
        if not (self.bin / "loadline").exists():
            (self.bin / "loadline").symlink_to(loadline.binary)

    def run(self, line: str, file_system: str):
        """A line as typed, in bin; the default file system comes from core-site.xml."""
        conf = pathlib.Path(f"conf-{file_system.partition(':')[0]}").resolve()
        if not conf.exists():
            shutil.copytree(self.cluster.conf, conf)
            site = conf / "core-site.xml"
            site.write_text(site.read_text().replace(self.cluster.uri, file_system))
        variables = (f"HADOOP_CONF_DIR={conf}", f"LOADLINE_ARCHIVE={self.bin.parent}/archive",
                     f"CLASSPATH={':'.join(self.cluster.jars)}")
        return command(*self.host.words("env", "-C", self.bin, *variables, *line.split()))


def close(got: float, wanted: float) -> bool:
    return abs(got - wanted) <= TOLERANCE * wanted


def number_in(text: str, pattern: str) -> float:
    found = re.search(pattern, text)
    expect(found, f"no {pattern!r} in {text[-1500:]!r}")
    return float(found.group(1))


def check_step(hadoop, file_system: str, words: str, kind: str, size_mb: int):
    """One of the three command lines."""
    log = f"TestDFSIO{kind.replace(' ', '')}.log"
    path = hadoop.bin / log
    path.unlink(missing_ok=True)
    before, begun = hadoop.host.moved(), time.monotonic()
    done = hadoop.run(f"./hadoop jar {JAR} TestDFSIO {words} -nrFiles {FILES} -size {size_mb}MB "
                      f"-bufferSize 8388608 -resFile {path}", file_system)
    seconds = time.monotonic() - begun
    received, sent = (now - then for now, then in zip(hadoop.host.moved(), before))
    block = BLOCK.fullmatch(path.read_text())
    expect(block, f"not a block of TestDFSIO: {path.read_text()!r}")
    expect_equal((block["type"], block["files"]), (kind, str(FILES)), "type and files")
    total, exec_time = float(block["megabytes"]), float(block["seconds"])
    # A random read's last blocks may go past the size, or meet the file's end.
    expect(total == FILES * size_mb or kind == "random read" and
           FILES * size_mb <= total < FILES * (size_mb + 8), f"{kind}: {total} MB")
    expect(exec_time < seconds, f"{kind}: {exec_time} s of {seconds:.1f} s")

    said = done.stderr
    expect(f"{FILES} asked, {FILES} done, 0 of them short, 0 failed" in said, said[-1500:])
    aggregate = number_in(said, r"([\d.]+) MB/s in the [\d.]+ s from the first open")
    wall = number_in(said, r"([\d.]+) s from the first open")
    way = "sent" if kind == "write" else "received"
    counted = number_in(said, rf"{hadoop.host.far} .*{way} ([\d.]+)")
    computed = total / exec_time
    print(f"{file_system.partition(':')[0]} {kind}: Total/exec {computed:.1f}, aggregate "
          f"{aggregate:.1f}, network {counted:.1f} MB/s; {total:.0f} MB in {exec_time} s, while "
          f"{received / MEGA:.0f} MB came and {sent / MEGA:.0f} MB went by the cable")
    # The first way: all of the total, in what is left of the time when old data have been removed.
    expect(abs(aggregate * wall - total) < 0.01 * total, f"{kind}: {aggregate} MB/s for {wall} s")
    expect(0 <= exec_time - wall + 0.01 < OVERHEAD, f"{kind}: {wall} s of {exec_time} s")
    # The second: what the interface counted meanwhile; the cable's other end, in the same time.
    expect(close(counted, aggregate), f"{kind}: network {counted}, aggregate {aggregate} MB/s")
    moved = (sent if kind == "write" else received) / MEGA
    expect(close(moved / exec_time, computed),
           f"{kind}: {moved / exec_time} MB/s by the cable, Total/exec {computed}")


def check_document(hadoop, file_system: str, size_mb: int):
    check_step(hadoop, file_system, "-write", "write", size_mb)
    counted = hadoop.run(f"./hadoop fs -count -q -h {DATA}", file_system).stdout
    expect_equal(counted, hadoop.cluster.shell("-count", "-q", "-h", DATA), "hadoop fs -count")
    expect_equal(counted.split()[4:6], ["1", str(FILES)], "folders and files")
    check_step(hadoop, file_system, "-read", "read", size_mb)
    check_step(hadoop, file_system, "-read -random", "random read", size_mb)
    names = hadoop.cluster.shell("-ls", "-R", "/benchmarks/TestDFSIO")
    for name in ("io_data/test_io_15", "io_control/in_file_test_io_15", "io_write/part-00000",
                 "io_read/part-00000", "io_random_read/_SUCCESS"):
        expect(f"/benchmarks/TestDFSIO/{name}\n" in names, f"no {name}")
    hadoop.run(f"./hadoop jar {JAR} TestDFSIO -clean", file_system)
    done = hadoop.cluster.shell("-ls", "-R", "/benchmarks")
    expect_equal(done.strip(), "", "what -clean leaves")


def main(loadline):
    with ClientHost() as host, HdfsCluster(address=host.server_address, replication=2) as hdfs:
        print(f"hdfs: up in {hdfs.start_seconds:.1f} s")
        hadoop = Hadoop(loadline, hdfs, host)
        for file_system, size_mb in ((hdfs.uri, 64), (hdfs.webhdfs, 48)):
            begun = time.monotonic()
            check_document(hadoop, file_system, size_mb)
            print(f"{file_system}: ok ({time.monotonic() - begun:.0f} s)", flush=True)
            shutil.rmtree("archive", ignore_errors=True)


run(main)
