#!/usr/bin/env python3
"""Storage `hadoop` beyond 32 bits: sparse files of 2 to 5 GiB through Hadoop's local file system,
under a Java VM that checks every call (-Xcheck:jni); and a thousand threads that come and go.
"""
import ctypes
import mmap
import os
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from harness import Skipped, expect, expect_equal, run  # noqa: E402
from hdfs_cluster import hadoop_jars  # noqa: E402

GIB = 1 << 30
PAGE = mmap.PAGESIZE
BUFFER = 8 << 20


class Tool:
    """`loadline testdfsio` on files below ./base, in a VM that looks at every call of JNI."""

    def __init__(self, loadline):
        self.loadline = loadline
        self.base = pathlib.Path("base").resolve()
        self.data = self.base / "io_data"
        self.data.mkdir(parents=True)
        os.environ["CLASSPATH"] = ":".join(hadoop_jars())
        os.environ["LIBHDFS_OPTS"] = "-Xcheck:jni -Xmx2g"
        os.environ["LOADLINE_ARCHIVE"] = str(pathlib.Path("archive").resolve())

    def words(self, *words) -> list[str]:
        # Files without checksums: a sparse one has none, and only these can be appended to.
        return ["testdfsio", "-D", "fs.defaultFS=file:///", "-D",
                "fs.file.impl=org.apache.hadoop.fs.RawLocalFileSystem", "-D",
                f"test.build.data={self.base}", *map(str, words), "-resFile", "result.log"]

    def run(self, *words) -> float:
        """The block's total in MB."""
        pathlib.Path("result.log").unlink(missing_ok=True)
        done = self.loadline.run(*self.words(*words), limit=170)
        check_quiet(done.stdout + done.stderr)
        block = pathlib.Path("result.log").read_text()
        return float(re.search(r"Total MBytes processed: (\S+)", block).group(1))

    def sparse(self, sizes: list[int]):
        for number, size in enumerate(sizes):
            with open(self.data / f"test_io_{number}", "wb") as file:
                file.truncate(size)

    def sizes(self, count: int) -> list[int]:
        return [(self.data / f"test_io_{i}").stat().st_size for i in range(count)]


def check_quiet(said: str):
    """No complaint of the VM."""
    for complaint in ("WARNING in native", "WARNING: JNI", "FATAL ERROR"):
        expect(complaint not in said, said[-1500:])


def touched(path: pathlib.Path) -> list[int]:
    """Numbers of the GiB of a file that are in the page cache: what was read of it."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int,
                          ctypes.c_int, ctypes.c_long]
    libc.mincore.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p]
    libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    size = path.stat().st_size
    with open(path, "rb") as file:
        at = libc.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), 0)
        pages = ctypes.create_string_buffer((size + PAGE - 1) // PAGE)
        expect_equal(libc.mincore(at, size, pages), 0, "mincore")
        libc.munmap(at, size)
    each = GIB // PAGE
    return [i for i in range((len(pages.raw) + each - 1) // each)
            if any(pages.raw[i * each:(i + 1) * each])]


def reads_past_every_boundary(tool: Tool):
    """Random reads all over files of 2, 3, 4 and 5 GiB, which 32 bits would refuse or cut."""
    sizes = [2 * GIB, 3 * GIB, 4 * GIB, 5 * GIB]
    tool.sparse(sizes)
    if touched(tool.data / "test_io_0") != []:
        raise Skipped("this file system's sparse files are in the page cache at once")
    total = tool.run("-read", "-random", "-nrFiles", 4, "-size", "256MB", "-bufferSize", BUFFER,
                     "--seed", 1)
    expect(1024 <= total < 1024 + 4 * 8, f"random reads: {total} MB")
    for number, size in enumerate(sizes):
        expect_equal(touched(tool.data / f"test_io_{number}"), list(range(size // GIB)),
                     f"GiB of the file of {size // GIB} that random reads came to")
    total = tool.run("-read", "-backward", "-nrFiles", 4, "-size", "16MB", "-bufferSize", BUFFER)
    expect_equal(total, 64.0, "MB read backward from the end")
    # The longest one whole.
    (tool.data / "test_io_3").rename(tool.data / "test_io_0")
    total = tool.run("-read", "-nrFiles", 1, "-size", "5GB", "-bufferSize", BUFFER)
    expect_equal(total, 5120.0, "MB of the file of 5 GiB")
    total = tool.run("-read", "-skip", "-skipSize", f"{GIB - BUFFER}B", "-nrFiles", 1, "-size",
                     "5GB", "-bufferSize", BUFFER)
    expect_equal(total, 40.0, "MB of blocks a GiB apart")


def writes_across_every_boundary(tool: Tool):
    """Appended from just below 2, 3, 4 and 5 GiB to just above; then cut there."""
    before = [n * GIB - (4 << 20) for n in (2, 3, 4, 5)]
    tool.sparse(before)
    total = tool.run("-append", "-nrFiles", 4, "-size", "8MB", "-bufferSize", "3000001",
                     "--data", "random")
    expect_equal(total, 32.0, "MB appended")
    expect_equal(tool.sizes(4), [size + (8 << 20) for size in before], "sizes")
    for number, size in enumerate(before):
        with open(tool.data / f"test_io_{number}", "rb") as file:
            file.seek(size - 8)
            expect_equal(file.read(8), bytes(8), "zeros before what was appended")
            tail = file.read()
        expect(len(set(tail[:4096])) > 100 and len(set(tail[-4096:])) > 100, "random bytes behind")
    total = tool.run("-truncate", "-nrFiles", 1, "-size", "2GB")
    expect_equal((total, tool.sizes(1)), (4.0, [2 * GIB]), "MB cut off, and what is left")
    (tool.data / "test_io_3").rename(tool.data / "test_io_0")
    total = tool.run("-truncate", "-nrFiles", 1, "-size", "4GB")
    expect_equal((total, tool.sizes(1)), (1028.0, [4 * GIB]), "MB cut off, and what is left")


def threads_come_and_go(tool: Tool):
    """A thousand workers at once, each a thread in Java; they are gone before the process is, and
    the VM has no complaint."""
    tool.sparse([1 << 16] * 1000)
    words = tool.words("-read", "-nrFiles", 1000, "-size", "1MB", "--rate",
                       "200MB", "-bufferSize", 1 << 16, "--concurrency", 1000)
    with open("said", "w") as log, subprocess.Popen(
            [str(tool.loadline.binary), *words], stdin=subprocess.DEVNULL, stdout=log,
            stderr=log) as process:
        counts = []
        while process.poll() is None:
            try:
                counts.append(len(os.listdir(f"/proc/{process.pid}/task")))
            except FileNotFoundError:
                break
            time.sleep(0.005)
    said = pathlib.Path("said").read_text()
    expect_equal(process.returncode, 0, said[-1500:])
    expect("1000 asked, 1000 done, 1000 of them short, 0 failed; 1000 at once" in said,
           said[-1500:])
    check_quiet(said)
    counts = [count for count in counts if count > 0]
    print(f"threads: at most {max(counts)}, {counts[-1]} at the end")
    expect(max(counts) > 1000, f"at most {max(counts)} threads")
    expect(counts[-1] < 100, f"{counts[-1]} threads are left at the end")


def main(loadline):
    tool = Tool(loadline)
    for check in (reads_past_every_boundary, writes_across_every_boundary, threads_come_and_go):
        begun = time.monotonic()
        check(tool)
        print(f"{check.__name__}: ok ({time.monotonic() - begun:.0f} s)", flush=True)


run(main)
