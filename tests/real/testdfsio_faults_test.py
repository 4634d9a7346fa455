#!/usr/bin/env python3
"""`loadline testdfsio` on a real HDFS while DataNodes die: the run ends, every file is counted,
what failed is named, and a verdict names the window in which throughput fell.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from harness import Failed, expect, expect_equal, run  # noqa: E402
from hdfs_cluster import HdfsCluster  # noqa: E402

DATA = "/benchmarks/TestDFSIO/io_data"
FILES = 12
SIZE_MB = 32  # two blocks each
RATE_MB = 32  # a second: a run of 12 s, of which the fault is a small part
LOOPBACK = pathlib.Path("/sys/class/net/lo/statistics/rx_bytes")
HANG = 5  # seconds


class Tool:
    def __init__(self, loadline, hdfs):
        self.loadline, self.hdfs = loadline, hdfs

    def words(self, *words) -> list[str]:
        return [str(word) for word in (
            self.loadline.binary, "testdfsio", "-D", f"fs.defaultFS={self.hdfs.uri}", *words,
            "-nrFiles", FILES, "-size", f"{SIZE_MB}MB", "-bufferSize", 1 << 20,
            "-resFile", "result.log", "--concurrency", 4, "--json", "result.json")]

    def run(self, *words):
        done = subprocess.run(self.words(*words), capture_output=True, text=True, timeout=120,
                              check=False)
        expect_equal(done.returncode, 0, f"exit status of {words}: {done.stderr[-800:]}")

    def run_and(self, fault, *words, copies: int = 1):
        """Starts it, lets a fault happen in its midst, waits for its end. The wall clock's time of
        the fault, the status, standard error and the JSON document."""
        pathlib.Path("result.json").unlink(missing_ok=True)
        words = self.words(*words, "--rate", f"{RATE_MB}MB")
        with open("said", "w") as log, subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log) as process:
            try:
                self.wait_until_it_moves(process, copies)
                at = time.time()
                fault()
                status = process.wait(100)
            except BaseException:
                process.kill()
                raise
        said = pathlib.Path("said").read_text()
        return at, status, said, json.loads(pathlib.Path("result.json").read_text())

    def wait_until_it_moves(self, process, copies: int):
        """A third of it, by the network's count."""
        begun = int(LOOPBACK.read_text())
        end = time.monotonic() + 60
        while int(LOOPBACK.read_text()) - begun < FILES * SIZE_MB / 3 * copies * (1 << 20):
            if process.poll() is not None:
                raise Failed(f"it ended too early: {pathlib.Path('said').read_text()[-800:]}")
            expect(time.monotonic() < end, "nothing moves")
            time.sleep(0.05)


def counts(document: dict) -> dict:
    return {name: document["loadline"]["files"][name]
            for name in ("asked", "done", "short", "failed", "not_ended")}


def check_all_done(status: int, said: str, document: dict):
    expect_equal(status, 0, f"exit status: {said[-800:]}")
    expect_equal(counts(document), {"asked": FILES, "done": FILES, "short": 0, "failed": 0,
                                    "not_ended": 0}, "files")


def check_window(document: dict, at: float):
    """One verdict names seconds that the time of the fault lies in, or just before."""
    found = [one for one in document["verdicts"] if one["id"] == "throughput_fell"]
    expect_equal(len(found), 1, f"verdicts of a fall among {document['verdicts']}")
    window = re.search(r"from \d+ s to \d+ s \((\d\d:\d\d:\d\d) to (\d\d:\d\d:\d\d)\)",
                       found[0]["text"])
    expect(window, f"no window in {found[0]['text']!r}")
    begin, end, fault = (sum(int(part) * scale for part, scale in
                             zip(clock.split(":"), (3600, 60, 1)))
                         for clock in (*window.groups(),
                                       time.strftime("%H:%M:%S", time.localtime(at))))
    print(f"fault at {time.strftime('%H:%M:%S', time.localtime(at))}: {found[0]['text']}")
    expect(begin - 2 <= fault < end, f"{window.group(0)}: the fault was not then")


def named(said: str, document: dict) -> set[str]:
    """The files that are said to have failed, each with a reason."""
    found = set(re.findall(rf"failed +{DATA}/(test_io_\d+): \w+", said) +
                re.findall(rf"^ +{DATA}/(test_io_\d+): \w+", said))
    expect_equal(len(found), counts(document)["failed"], f"files named as failed in {said[-1500:]}")
    return found


def lengths(hdfs) -> dict[str, int]:
    """Of the files there are."""
    return {line.split()[-1].rpartition("/")[2]: int(line.split()[4])
            for line in hdfs.shell("-ls", DATA).splitlines() if "/test_io_" in line}


def files_on(hdfs, datanode: str) -> set[str]:
    """Those with a block on it."""
    version = hdfs.folder / datanode / "data" / "current" / "VERSION"
    storage = re.search(r"storageID=(\S+)", version.read_text()).group(1)
    found, name = set(), ""
    said = hdfs.run_java("org.apache.hadoop.hdfs.tools.DFSck", DATA, "-files", "-blocks",
                         "-locations").stdout
    for line in said.splitlines():
        name = line.split()[0].rpartition("/")[2] if line.startswith(DATA) else name
        if storage in line:
            found.add(name)
    return found


def hangs_and_dies_while_writing(tool: Tool):
    """As a host does that fails. All streams lead to it; they go on with the other two copies."""
    def fault():
        process = tool.hdfs.processes["datanode2"]
        process.send_signal(signal.SIGSTOP)
        time.sleep(HANG)
        tool.hdfs.stop("datanode2")

    at, status, said, document = tool.run_and(fault, "-write", copies=3)
    check_all_done(status, said, document)
    check_window(document, at)
    expect_equal(set(lengths(tool.hdfs).values()), {SIZE_MB << 20}, "lengths of what was written")


def killed_and_restarted_while_reading(tool: Tool):
    """Nobody has the blocks for some seconds; the streams wait for that."""
    def fault():
        for name in ("datanode1", "datanode3"):
            tool.hdfs.stop(name)
        for number in (1, 3):
            tool.hdfs.start_datanode(number)

    at, status, said, document = tool.run_and(fault, "-read")
    check_all_done(status, said, document)
    check_window(document, at)


def killed_while_reading(tool: Tool):
    """What has one copy, on a DataNode that is killed, fails by name; nothing else does."""
    tool.run("-D", "dfs.replication=1", "-write")
    lost = files_on(tool.hdfs, "datanode1")
    expect(0 < len(lost) < FILES, f"files with a block on the first DataNode: {lost}")
    _, status, said, document = tool.run_and(
        lambda: tool.hdfs.stop("datanode1"), "-D", "dfs.client.retry.window.base=500", "-read",
        "--keep-going")
    found = counts(document)
    print(f"killed while reading one copy: {found}, {len(lost)} of them with a block there")
    expect_equal((found["done"] + found["failed"], found["not_ended"]), (FILES, 0), "files")
    expect(found["failed"] > 0, "no file failed")
    expect_equal(named(said, document) - lost, set(), "failed files that had no block there")
    expect_equal(status, 254, f"exit status: {said[-800:]}")
    expect_equal(document["testdfsio"]["files"], found["done"], "files in the block")


def killed_while_writing(tool: Tool):
    """What has one copy, on its way to a DataNode that is killed, fails by name."""
    _, status, said, document = tool.run_and(
        lambda: tool.hdfs.stop("datanode3"), "-D", "dfs.replication=1", "-write", "--keep-going")
    found = counts(document)
    print(f"killed while writing one copy: {found}")
    expect_equal((found["done"] + found["failed"], found["not_ended"]), (FILES, 0), "files")
    expect_equal(status, 254 if found["failed"] else 0, f"exit status: {said[-800:]}")
    there = lengths(tool.hdfs)
    whole = {name for name, length in there.items() if length == SIZE_MB << 20}
    expect_equal(sorted(named(said, document) & whole), [], "whole files that are said to fail")
    expect_equal(len(whole), found["done"], f"whole files among {there}")


def main(loadline):
    with HdfsCluster() as hdfs:
        print(f"hdfs: up in {hdfs.start_seconds:.1f} s")
        os.environ["CLASSPATH"] = hdfs.class_path
        os.environ["LOADLINE_ARCHIVE"] = str(pathlib.Path("archive").resolve())
        tool = Tool(loadline, hdfs)
        hangs_and_dies_while_writing(tool)
        print("hangs_and_dies_while_writing: ok", flush=True)
        killed_and_restarted_while_reading(tool)
        print("killed_and_restarted_while_reading: ok", flush=True)
        hdfs.start_datanode(2)
        hdfs.wait(lambda: hdfs.datanodes_heard_of() == 3, "three DataNodes again")
        killed_while_reading(tool)
        killed_while_writing(tool)


run(main)
