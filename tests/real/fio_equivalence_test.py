#!/usr/bin/env python3
"""Debian's fio beside ours: the same option lines, run by both, move the same bytes by the same
operations over the same blocks and say so under the same keys; wrong ones end alike."""
import bisect
import concurrent.futures
import ctypes
import json
import math
import mmap
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from harness import Skipped, expect, need, run  # noqa: E402

FIO_EXAMPLES = pathlib.Path("/usr/share/doc/fio/examples")
TMPFS_MAGIC = 0x01021994

# Each line runs in a folder of its own. Before the options stands what is compared beyond the exit
# status, the keys of the JSON document and the number of fields in terse output:
# w  bytes, operations, and which blocks hold data afterwards
# r  bytes, operations, and which pages were read into the cache
# b  bytes and which blocks hold data: how often chance takes which size is not the same
# o  operations: fio counts bytes that nothing moved
# -  bytes and operations
SAME = """
w --rw=write --bs=4k --size=1m
w --rw=write --bs=64k --size=4m --ioengine=sync
w --rw=randwrite --bs=4k --size=1m --ioengine=vsync
w --rw=randwrite --bs=4k --size=2m --ioengine=pvsync --random_generator=lfsr
w --rw=randwrite --bs=16k --size=4m --ioengine=pvsync2 --random_generator=tausworthe64
w --rw=randwrite --bs=4k --size=2m --ioengine=libaio --iodepth=16 --direct=1
w --rw=randwrite --bs=4k --size=2m --ioengine=io_uring --iodepth=16 --direct=1
w --rw=randwrite --bs=4k --size=1m --ioengine=posixaio --iodepth=4
w --rw=randwrite --bs=4k --size=1m --ioengine=mmap
w --rw=write --bs=4k --size=1m --numjobs=3 --group_reporting
w --rw=randwrite --bs=4k --size=1m --filename=x --numjobs=2
w --rw=write --bs=4k --size=1m --filename=x --numjobs=4 --offset_increment=1m
w --rw=write --bs=4k --size=1m --filename=x:y
w --rw=write --bs=4k --size=3m --nrfiles=3
w --rw=randwrite --bs=4k --size=2m --nrfiles=4 --file_service_type=sequential
w --rw=randwrite --bs=4k --size=2m --nrfiles=4 --file_service_type=random
w --rw=randwrite --bs=4k --size=2m --nrfiles=4 --file_service_type=roundrobin:4
w --rw=randwrite --bs=4k --size=2m --nrfiles=4 --openfiles=2
r --rw=read --bs=4k --size=1m --nrfiles=4 --openfiles=1
w --rw=write --bs=4k --filesize=64k --nrfiles=4 --size=128k
w --rw=write:8k --bs=4k --size=256k
w --rw=write:-8k --bs=4k --size=256k
- --rw=randwrite:4 --bs=4k --size=1m --number_ios=64
- --rw=randwrite:4 --bs=4k --size=1m --rw_sequencer=identical
w --rw=write --bs=4k --size=1m --io_size=256k
w --rw=write --bs=4k --size=1m --io_size=3m
w --rw=randwrite --bs=4k --size=1m --loops=2
w --rw=write --bs=4k --size=1m --offset=256k
- --rw=randwrite --bs=4k --filesize=2m --size=1m
- --rw=randwrite --bs=4k --filesize=2m --size=50%
w --rw=write --bs=4k --size=1m --number_ios=100
w --rw=write --bs=1k --size=64k
b --rw=randwrite --bssplit=4k/50:8k/30:64k/20 --size=4m
b --rw=randwrite --bsrange=4k-32k --size=4m
b --rw=write --bsrange=4k-32k --size=4m
w --rw=write --bs=10k --size=100k
w --rw=write --bs=512 --size=10000
- --rw=randwrite --bs=8k --blockalign=8k --norandommap --size=1m --number_ios=30
w --rw=randwrite --bs=4k --size=1m --fsync=16
w --rw=write --bs=4k --size=1m --fdatasync=8 --end_fsync=1
w --rw=write --bs=4k --size=1m --fsync_on_close=1 --sync_file_range=write:16
w --rw=write --bs=4k --size=256k --sync=1
w --rw=write --bs=4k --size=256k --sync=dsync
w --rw=write --bs=64k --size=1m --overwrite=1
w --rw=write --bs=4k --size=1m --fallocate=none
w --rw=write --bs=4k --size=1m --fallocate=truncate
w --rw=write --bs=4k --size=1m --create_on_open=1
w --rw=write --bs=64k --size=1m --unlink=1
w --rw=write --bs=64k --size=1m --refill_buffers --buffer_compress_percentage=50
w --rw=write --bs=64k --size=1m --dedupe_percentage=50
w --rw=write --bs=4k --size=1m --buffer_pattern=0xdeadbeef
w --rw=write --bs=4k --size=1m --zero_buffers
w --rw=randwrite --bs=4k --size=1m --verify=crc32c
w --rw=randwrite --bs=4k --size=256k --verify=sha256 --verify_backlog=8
w --rw=write --bs=64k --size=1m --verify=md5 --verify_interval=4k
w --rw=randwrite --bs=4k --size=256k --verify=pattern --verify_pattern=0x5a
w --rw=randwrite --bs=4k --size=1m --verify=xxhash --do_verify=0
w --rw=write --bs=4k --size=1m --numjobs=2 --stonewall
w --rw=write --bs=4k --size=1m --thinktime=100 --thinktime_blocks=64
w --rw=write --bs=4k --size=1m --rate=64m
w --rw=write --bs=4k --size=256k --rate_iops=2000 --rate_process=poisson
w --rw=write --bs=4k --size=1m --file_append=1
w --rw=write --zonemode=strided --zonesize=64k --zonerange=128k --size=1m --bs=4k
w --rw=write --zonemode=strided --zonesize=64k --zonerange=64k --zoneskip=64k --size=1m --bs=4k
w --rw=write --bs=4k --size=1m --thread --nice=1 --cpus_allowed=0
w --rw=write --bs=4k --size=1m --iodepth=8 --iodepth_batch=4 --ioengine=libaio --direct=1
w --rw=write --bs=4k --size=1m --iodepth=8 --iodepth_batch_complete_min=2 --ioengine=io_uring
w --rw=randwrite --bs=4k --size=1m --ioengine=splice
w --rw=write --bs=256k --size=1m --ioengine=splice
r --rw=randread --bs=4k --size=1m --ioengine=splice
r --rw=read --bs=64k --size=4m
r --rw=read --bs=4k --size=1m --numjobs=3
r --rw=randread --bs=4k --size=1m
r --rw=randread --bs=4k --size=1m --ioengine=io_uring --iodepth=8
r --rw=randread --bs=4k --size=1m --softrandommap=1
r --rw=read --bs=4k --size=1m --nrfiles=3
r --rw=read:8k --bs=4k --size=64k
r --rw=read:-8k --bs=4k --size=256k
r --rw=read --bs=4k --size=10000
r --rw=read --bs=4k --size=1m --offset=512k --io_size=64k
r --rw=read --zonemode=strided --zonesize=64k --zonerange=128k --size=1m --bs=4k
r --rw=randread --bs=4k --size=1m --ioengine=mmap
r --rw=read --bs=16k --size=1m --ioengine=libaio --iodepth=4
- --rw=read --bs=4k --size=1m --pre_read=1
- --rw=read --bs=4k --size=1m --invalidate=0 --loops=3
- --rw=randread --bs=4k --size=16m --ioengine=null
- --rw=randrw --bs=4k --size=1m --rwmixread=100 --ioengine=null
- --rw=randrw --bs=4k --size=1m --rwmixwrite=100 --ioengine=null
- --rw=readwrite --bs=4k --size=256k --fdatasync=8 --rwmixread=0
- --rw=trimwrite --bs=4k --size=64k --ioengine=null
- --rw=randtrimwrite --bs=4k --size=64k --ioengine=null
- --rw=randtrim --bs=4k --size=64k --ioengine=null
- --rw=randread --bs=4k,8k,16k --size=1m --ioengine=null
- --rw=randread --bs=4k --size=1m --random_distribution=zipf:1.2
- --rw=randread --bs=4k --size=1m --random_distribution=zoned:60/10:30/20:8/30:2/40
- --rw=randread --bs=4k --size=1m --percentage_random=50 --norandommap
- --rw=randread --bs=4k --size=1m --unified_rw_reporting=mixed
- --rw=randrw --bs=4k --size=1m --unified_rw_reporting=both --rwmixread=100
- --rw=randread --bs=4k --size=1m --lat_percentiles=1 --slat_percentiles=1 --iodepth=4
- --rw=randread --bs=4k --size=1m --clat_percentiles=0
- --rw=randread --bs=4k --size=1m --percentile_list=50:99:99.999
- --rw=randread --bs=4k --size=1m --disable_lat=1
- --rw=randread --bs=4k --size=1m --disable_clat=1 --disable_slat=1
- --rw=randread --bs=4k --size=1m --gtod_reduce=1
- --rw=randread --bs=4k --size=1m --disk_util=0
- --rw=randread --bs=4k --size=1m --continue_on_error=all --description=words
- --rw=randread --bs=4k --size=1m --kb_base=1000 --unit_base=8
- --rw=read --bs=4k --size=1m --create_only=1
w --ioengine=ftruncate --rw=write --size=1m --bs=64k
- --ioengine=falloc --rw=write --bs=64k --size=1m
o --ioengine=filecreate --filesize=4k --nrfiles=20 --openfiles=1 --create_on_open=1
o --ioengine=filestat --filesize=4k --nrfiles=20 --openfiles=1 --size=80k
o --ioengine=filedelete --filesize=4k --nrfiles=20 --openfiles=1 --size=80k
- --rw=write --bs=4k --size=1m --name=b --rw=read --size=512k --stonewall
- --rw=write --bs=4k --size=1m --group_reporting --name=b --new_group --size=512k
- --ioengine=null --size=1m --name=b --wait_for=a --rw=write --size=1m --ioengine=null
- --ioengine=null --size=1m --exitall --exit_what=all --name=b --stonewall --size=1m
- --ioengine=null --size=1m --exitall --exit_what=stonewall --name=b --stonewall --size=1m
- --ioengine=null --size=1m --flow=1 --name=b --ioengine=null --size=8m --flow=8
w --rw=write --bs=4k --size=1m --iodepth=8 --iodepth_low=2 --ioengine=libaio --direct=1
w --rw=write --bs=4k --size=1m --iomem_align=64k --mem=mmap --lockmem=64k
w --rw=write --bs=4k --size=1m --prio=4 --prioclass=2 --numa_mem_policy=bind:0
w --rw=write --bs=4k,8k --size=1m --bs_is_seq_rand=1
w --rw=write --bs=4k --size=1m --unlink_each_loop=1
w --rw=write --bs=4k --size=256k --rate_iops=2000 --rate_ignore_thinktime=1 --thinktime=100
""".strip().splitlines()

# Lines that both refuse: their exit status and the first words that fio says.
WRONG = """
--blcksize=4k
--name=a --rw=reed --size=1m
--name=a --iodepth=0 --size=1m
--name=a --direct=2 --size=1m
--name=a --ioengine=nothing --size=1m
--name=a --verify=crc33 --size=1m
--name=a --rate=1m --rate_iops=100 --size=1m
--name=a --rate_process=even --size=1m
--name=a --rwmixread=101 --size=1m
--name=a --fallocate=maybe --size=1m
--name=a --output-format=yaml --size=1m
--name=a
--name=a --numjobs=3
--name=a --size=50% --numjobs=2
--name=a --name=b --size=1m --rw=write
--name=a --size=1m --bs=2m
--name=a --size=1m --rw=write --readonly
--readonly --name=a --size=1m --rw=write
--name=a --size=1m --directory=gone
--name=a --size=1m --output=no/such/x
--name=a --size=1m --rw=write --direct=1 --bs=1000
--name=a --size=1m --rw=write --ioengine=null --rate_iops_min=99 --rate_iops=10
--bs=
--bs
gone.fio
--section=x --name=a --size=1m
--terse-version=9 --name=a --size=1m
--size=1m
""".strip().splitlines()

# Here ours says more, or something else: the exit status alone.
WRONG_IN_OTHER_WORDS = """
--name=a --numjobs=0 --size=1m
--name=a --percentile_list=101 --size=1m
--name=a --size=1m --filename=gone --readonly
--name=a --size=1m --filename=gone --readonly --numjobs=2
--name=a --size=1m --filename=gone --allow_file_create=0
--name=a --size=1m --rw=write --max_latency=1us
""".strip().splitlines()

BAD_FILES = {
    "option": "[a]\nblcksize=4k\nsize=1m\n",
    "outside": "size=1m\n[a]\nrw=read\n",
    "value": "[a]\nrw=reed\n",
    "nothing": "# empty\n",
    "global alone": "[global]\nsize=1m\n",
}


class Tool:
    """A fio: its command, and a folder for each thing that it does."""

    def __init__(self, name: str, command: list[str]):
        self.name = name
        self.command = command
        self.environment = {**os.environ,
                            "LOADLINE_ARCHIVE": str(pathlib.Path.cwd() / "archive")}

    def folder(self, name: str) -> pathlib.Path:
        path = pathlib.Path.cwd() / self.name / name
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        return path

    def run(self, folder: pathlib.Path, *words: str, limit: float = 60):
        return subprocess.run([*self.command, *words], capture_output=True, text=True, cwd=folder,
                              timeout=limit, stdin=subprocess.DEVNULL, env=self.environment)


def both(loadline) -> tuple[Tool, Tool]:
    need("fio")
    return Tool("theirs", ["fio"]), Tool("ours", [str(loadline.binary), "fio"])


def each(work, items: list) -> list[str]:
    """What work says about the items, a few at a time; an empty text is an item without fault."""
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        return [fault for fault in pool.map(work, items) if fault]


def expect_none(faults: list[str]):
    expect(not faults, "\n  ".join([f"{len(faults)} differences", *faults]))


def json_of(text: str) -> dict:
    return json.JSONDecoder().raw_decode(text, text.index("{"))[0]


def moved(document: dict) -> dict:
    """Bytes, operations and syncs, job by job and direction by direction."""
    directions = [[job[name] for name in ("read", "write", "trim", "mixed") if name in job]
                  for job in document["jobs"]]
    return {"bytes": [[one["io_bytes"] for one in job] for job in directions],
            "operations": [[one["total_ios"] for one in job] for job in directions],
            "syncs": [job["sync"]["total_ios"] for job in document["jobs"] if "sync" in job]}


def key_tree(value, at: str = "") -> set[str]:
    """The paths of all keys; those of a histogram's bins are measured themselves."""
    if isinstance(value, dict) and not at.endswith(".bins"):
        return {at}.union(*(key_tree(one, f"{at}.{key}") for key, one in value.items()))
    if isinstance(value, list):
        return {at}.union(*(key_tree(one, at) for one in value))
    return {at}


def terse_counts(text: str) -> list[int]:
    return [line.count(";") for line in text.splitlines() if line.count(";") > 20]


def blocks_written(folder: pathlib.Path, unit: int = 512) -> dict:
    """Of every file: its size, and which blocks are not zero."""
    found = {}
    for path in sorted(folder.iterdir()):
        if path.name.endswith("-verify.state"):
            continue
        data = path.read_bytes()
        found[path.name] = (len(data), [any(data[at:at + unit])
                                        for at in range(0, len(data), unit)])
    return found


def pages_cached(folder: pathlib.Path) -> dict:
    """Of every file: which pages are in the page cache."""
    libc = ctypes.CDLL(None, use_errno=True)
    found = {}
    for path in sorted(folder.iterdir()):
        with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as view:
            pages = (ctypes.c_ubyte * -(-len(view) // mmap.PAGESIZE))()
            address = (ctypes.c_char * len(view)).from_buffer(view)
            done = libc.mincore(ctypes.byref(address), ctypes.c_size_t(len(view)), pages)
            del address
            expect(done == 0, f"mincore: {os.strerror(ctypes.get_errno())}")
            found[path.name] = (len(view), [page & 1 for page in pages])
    return found


def on_tmpfs() -> bool:
    mounts = [line.split() for line in open("/proc/self/mounts")]
    here = str(pathlib.Path.cwd().resolve())
    return max((m for m in mounts if (here + "/").startswith(m[1].rstrip("/") + "/")),
               key=lambda m: len(m[1]))[2] == "tmpfs"


def observe(tool: Tool, index: int, line: str) -> dict:
    """What one tool did and said on one line."""
    kind, options = line.split(" ", 1)
    where = tool.folder(f"same{index}")
    form = "json+" if index % 2 else "json"
    words = ["--name=a", f"--output-format={form},terse", f"--terse-version={2 + index % 4}",
             *options.split()]
    if kind == "r":
        words.append("--fadvise_hint=random")  # a read ahead would blur the picture
    done = tool.run(where, *words)
    seen = {"exit": done.returncode}
    if done.returncode != 0:
        return {**seen, "said": done.stderr[-300:] or done.stdout[-300:]}
    document = json_of(done.stdout)
    seen |= moved(document)
    if kind == "o":
        del seen["bytes"]
    if kind == "b":
        del seen["operations"]
    if "fdatasync" in options or "sync_file_range" in options:
        del seen["syncs"]  # fio counts fsync alone
    seen |= {"keys": key_tree(document), "terse": terse_counts(done.stdout),
             "options": [job.get("job options") for job in document["jobs"]]}
    if kind in ("w", "b"):
        seen["blocks"] = blocks_written(where)
    elif kind == "r" and not on_tmpfs():
        seen["pages"] = pages_cached(where)
    shutil.rmtree(where)
    return seen


def outline(flags: list) -> str:
    """Where the set ones are, in short: 0-15 32-47."""
    text = "".join("1" if flag else "0" for flag in flags)
    return " ".join(f"{run.start()}-{run.end() - 1}" for run in re.finditer("1+", text))[:200]


def nearly_same(theirs: dict, ours: dict) -> bool:
    """The kernel may have thrown out a page or two before they were counted."""
    return theirs.keys() == ours.keys() and all(
        size == ours[name][0] and
        sum(a != b for a, b in zip(flags, ours[name][1])) <= len(flags) // 32
        for name, (size, flags) in theirs.items())


def difference(theirs: dict, ours: dict) -> str:
    for what in {**theirs, **ours}:
        a, b = theirs.get(what), ours.get(what)
        if a == b or (what == "pages" and nearly_same(a, b)):
            continue
        if isinstance(a, set) and isinstance(b, set):
            return f"{what}: missing {sorted(a - b)[:8]}, too many {sorted(b - a)[:8]}"
        if what in ("blocks", "pages") and a and b:
            a, b = ({name: (size, outline(flags)) for name, (size, flags) in one.items()}
                    for one in (a, b))
        return f"{what}: {b}, fio's {a} {ours.get('said', '')}"
    return ""


def does_what_fio_does(loadline):
    theirs, ours = both(loadline)

    def compare(numbered: tuple[int, str]) -> str:
        fault = difference(observe(theirs, *numbered), observe(ours, *numbered))
        return fault and f"{numbered[1]}: {fault}"

    expect_none(each(compare, list(enumerate(SAME))))


SHARES = """
--size=50% --rw=read
--size=50% --rw=write
--size=50% --rw=randread --bs=16k
--size=30% --offset=40% --rw=read
--size=25% --offset_increment=25% --numjobs=3 --rw=read
--io_size=50% --rw=read
""".strip().splitlines()


def takes_shares_of_files_as_fio(loadline):
    """Of a file that is there; where there is none there is nothing to take a share of."""
    tools = both(loadline)

    def compare(numbered: tuple[int, str]) -> str:
        index, (size, options) = numbered
        seen = []
        for tool in tools:
            where = tool.folder(f"share{index}")
            (where / "f").write_bytes(os.urandom(size))
            done = tool.run(where, "--name=a", "--filename=f", *options.split(),
                            "--output-format=json")
            told = moved(json_of(done.stdout)) if done.returncode == 0 else done.stderr
            seen.append((done.returncode, told, (where / "f").stat().st_size))
        return "" if seen[0] == seen[1] else f"{options} of {size}: {seen[1]}, fio's {seen[0]}"

    cases = [(size, options) for size in (1 << 20, 1_000_003) for options in SHARES]
    expect_none(each(compare, list(enumerate(cases))))


def first_words(line: str) -> str:
    return " ".join(line.removeprefix("fio: ").split()[:3])


def ends_and_complains_as_fio(loadline):
    theirs, ours = both(loadline)
    cases = [(words.split(), "", True) for words in WRONG]
    cases += [(words.split(), "", False) for words in WRONG_IN_OTHER_WORDS]
    cases += [(["x.fio"], text, True) for text in BAD_FILES.values()]

    def compare(numbered) -> str:
        index, (words, job_file, same_words) = numbered
        ended = []
        for tool in (theirs, ours):
            where = tool.folder(f"wrong{index}")
            if job_file:
                (where / "x.fio").write_text(job_file)
            ended.append(tool.run(where, *words))
        what = f"{' '.join(words)} {job_file!r}"
        if ended[0].returncode != ended[1].returncode:
            return f"{what}: exit {ended[1].returncode}, fio's {ended[0].returncode}"
        said = [first_words(line) for line in ended[0].stderr.splitlines() if line.strip()]
        if same_words and not any(words in ended[1].stderr for words in said):
            return f"{what}: {ended[1].stderr!r}, fio {ended[0].stderr!r}"
        return ""

    expect_none(each(compare, list(enumerate(cases))))


RATED = """
--rate_iops=500
--rate_iops=2000
--rate=8m
--rate_iops=300,600 --rw=randrw
--rate_iops=400 --thinktime=100
--rate=2m,1m --rw=rw
""".strip().splitlines()


def keeps_rates(loadline):
    """All jobs side by side for three seconds; only those directions that were used."""
    theirs, ours = both(loadline)
    words = ["--ioengine=null", "--size=1g", "--time_based", "--runtime=3", "--output-format=json"]
    for index, line in enumerate(RATED):
        words += [f"--name=job{index}", *line.split()]
    faults = []
    figures = []
    for tool in (theirs, ours):
        done = tool.run(tool.folder("rates"), *words)
        expect(done.returncode == 0, f"{tool.name}: {done.stderr}")
        figures.append([[job[d]["iops"] for d in ("read", "write")]
                        for job in json_of(done.stdout)["jobs"]])
    for line, fio_rates, rates in zip(RATED, *figures):
        for fio_rate, rate in zip(fio_rates, rates):
            if abs(rate - fio_rate) > 0.02 * fio_rate:
                faults.append(f"{line}: {rates}, fio's {fio_rates}")
    expect_none(faults)


def hands_over_as_asked(loadline):
    """With the batches named, the queue has fio's shape, and a call takes as long as fio's."""
    theirs, ours = both(loadline)
    file = pathlib.Path(tempfile.mkdtemp(dir="." if not on_tmpfs() else "/var/tmp")).resolve() / "f"
    faults = []
    file.write_bytes(os.urandom(8 << 20))
    for engine in ("libaio", "io_uring"):
        for batch in (["--iodepth_batch_submit=1"],
                      ["--iodepth_batch_submit=8", "--iodepth_batch_complete_min=8"]):
            words = ["--name=a", f"--filename={file}", "--size=8m", "--rw=randread", "--bs=4k",
                     "--direct=1", "--iodepth=16", f"--ioengine={engine}", "--loops=4", *batch,
                     "--output-format=json"]
            shapes, calls = {}, {}
            for _ in range(3):
                for tool in (theirs, ours):
                    done = tool.run(tool.folder("batches"), *words)
                    expect(done.returncode == 0, f"{tool.name}: {done.stderr}")
                    job = json_of(done.stdout)["jobs"][0]
                    shapes[tool.name] = [job[f"iodepth_{of}"] for of in
                                         ("level", "submit", "complete")]
                    calls.setdefault(tool.name, []).append(job["read"]["slat_ns"]["mean"])
            fio_shape, shape = shapes[theirs.name], shapes[ours.name]
            if any(abs(fio_part[key] - part.get(key, 0)) > 3
                   for fio_part, part in zip(fio_shape, shape) for key in fio_part):
                faults.append(f"{engine} {batch}: {shape}, fio's {fio_shape}")
            ratio = min(calls[ours.name]) / min(calls[theirs.name])
            if not 0.4 < ratio < 2.5:
                faults.append(f"{engine} {batch}: slat is {ratio:.2f} of fio's: {calls}")
    shutil.rmtree(file.parent)
    expect_none(faults)


DISTRIBUTIONS = """
random zipf:1.2 zipf:0.8 zipf:1.2:0.5 pareto:0.2 pareto:0.5 pareto:0.2:0.3 normal:10 normal:5:0.2
zoned:60/10:30/20:8/30:2/40 zoned:50/5:30/15:20/ zoned_abs:60/64k:30/64k:10/128k
""".split()
DRAWS = 64
CLONES = 32
BLOCKS = 512


def blocks_drawn(tool: Tool, distribution: str) -> list[list[int]]:
    """Of each clone: which blocks of its file it wrote in so many draws, each block once."""
    where = tool.folder(f"drawn-{distribution.replace('/', '_')}")
    done = tool.run(where, "--name=a", "--rw=randwrite", "--bs=512", f"--size={BLOCKS * 512}",
                    f"--numjobs={CLONES}", "--thread", f"--number_ios={DRAWS}", "--norandommap",
                    f"--random_distribution={distribution}", "--output-format=terse")
    expect(done.returncode == 0, f"{tool.name}, {distribution}: {done.stderr}")
    written = blocks_written(where)
    shutil.rmtree(where)
    return [[block for block, holds in enumerate(holding) if holds]
            for _, holding in written.values()]


def smirnov(left: list[int], right: list[int]) -> float:
    """The largest distance between both distributions, by the size of the samples."""
    left, right = sorted(left), sorted(right)
    distance = max(abs(bisect.bisect_right(left, at) / len(left)
                       - bisect.bisect_right(right, at) / len(right)) for at in range(BLOCKS))
    return distance * math.sqrt(len(left) * len(right) / (len(left) + len(right)))


def draws_as_fio_draws(loadline):
    """Two samples of each distribution: where the blocks lie, and how often they repeat."""
    theirs, ours = both(loadline)

    def compare(distribution: str) -> str:
        a, b = blocks_drawn(theirs, distribution), blocks_drawn(ours, distribution)
        counts = [[len(blocks) for blocks in one] for one in (a, b)]
        spread = math.sqrt(sum(statistics.variance(one) for one in counts) / CLONES)
        score = (statistics.mean(counts[1]) - statistics.mean(counts[0])) / max(spread, 0.1)
        distance = smirnov(sum(a, []), sum(b, []))
        if abs(score) < 3.5 and distance < 1.95:  # one in 2000, and one in 1000
            return ""
        return f"{distribution}: {score:.2f} in distinct blocks, {distance:.2f} in their places"

    expect_none(each(compare, DISTRIBUTIONS))


def parses_fios_examples(loadline):
    theirs, ours = both(loadline)
    examples = sorted(FIO_EXAMPLES.glob("*.fio"))
    if not examples:
        raise Skipped("fio-examples is not installed")
    where = ours.folder("parsed")

    def compare(example: pathlib.Path) -> str:
        if theirs.run(where, "--parse-only", str(example)).returncode != 0:
            return ""
        done = ours.run(where, "--parse-only", str(example))
        return "" if done.returncode == 0 else f"{example.name}: {done.stderr}"

    expect_none(each(compare, examples))
    expect(not list(where.iterdir()), "--parse-only left files")


# Those that need nothing but files and time.
PLAIN = """
1mbs_clients aio-read backwards-read dedupe-global falloc filecreate-ioengine filedelete-ioengine
filestat-ioengine fio-rand-RW fio-rand-read fio-rand-write fio-seq-RW fio-seq-read fio-seq-write
fixed-rate-submission fsx ftruncate iometer-file-access-server null poisson-rate-submission
butterfly flow exitwhat cpuio exec rand-zones ssd-test steadystate surface-scan
tiobench-example waitfor zipf
""".split()
# Made for block devices, and run on a file here.
ON_A_FILE = "basic-verify disk-zone-profile jesd219 latency-profile ssd-steadystate".split()
# Those that need a small file system, many gigabytes, or hardware, services and libraries that are
# not here.
ELSEWHERE = """
enospc-pressure cross-stripe-verify numa
cpp_null dev-dax e4defrag e4defrag2 gfapi http-webdav ime libhdfs libiscsi libpmem libzbc-rand-write
libzbc-seq-read mtd nbd netio netio_multicast nfs pmemblk rados rbd sg_verify sg_verify-fail
sg_write_same_ndob uring-cmd-ng uring-cmd-zoned zbd-rand-write zbd-seq-read
""".split()
# What is still refused, by the name of what it asks for: a list to shrink to nothing.
REFUSED = {"cmdprio-bssplit": "cmdprio_bssplit", "cmdprio-percentage": "cmdprio_class"}
# Jobs that never run, since another one ends the run before.
NEVER = ("runsnever",)
SMALL = {"size": "8m", "filesize": "8m", "runtime": "1", "timeout": "1", "startdelay": "0",
         "directory": ".", "loops": "2", "nrfiles": "20", "ss_dur": "1", "ss_ramp": "0",
         "fill_device": "0", "program": "true"}


def reduced(text: str) -> str:
    """The job file with small sizes, short times, and files in the current folder."""
    lines = ["[global]", "runtime=1", "size=8m"]
    for line in text.splitlines():
        found = re.match(r"\s*(\w+)\s*=\s*([^;#]*)", line)
        if found:
            name, value = found[1], found[2].strip()
            if name in SMALL and not (name == "filesize" and value == "4k"):
                line = f"{name}={SMALL[name]}"
            if name == "filename" and value not in ("/dev/null", "/dev/zero"):
                line = f"filename={pathlib.Path(value).name}"
        lines.append(line)
    return "\n".join([*lines, ""])


def runs_fios_plain_examples(loadline):
    _, ours = both(loadline)
    # Whatever an example asks for, no file of it becomes a large one.
    ours.command = ["prlimit", "--fsize=268435456", *ours.command]
    if not FIO_EXAMPLES.exists():
        raise Skipped("fio-examples is not installed")

    def start(name: str):
        where = ours.folder(f"example-{name}")
        (where / "job.fio").write_text(reduced((FIO_EXAMPLES / f"{name}.fio").read_text()))
        return ours.run(where, "job.fio", "--output-format=json", limit=20)

    def runs(name: str) -> str:
        done = start(name)
        if done.returncode != 0:
            return f"{name}: exit {done.returncode}: {done.stderr}"
        still = [job["jobname"] for job in json_of(done.stdout)["jobs"]
                 if job["jobname"] not in NEVER and
                 not any(job[d]["total_ios"] for d in ("read", "write", "trim"))]
        return f"{name}: nothing done by {still}" if still else ""

    def is_refused(name: str) -> str:
        done = start(name)
        if done.returncode == 1 and f"{REFUSED[name]} is not supported" in done.stderr:
            return ""
        if done.returncode == 0:
            return f"{name} runs: take it off the list of what is refused"
        return f"{name}: exit {done.returncode}: {done.stderr}"

    parsed = [example.stem for example in sorted(FIO_EXAMPLES.glob("*.fio"))
              if ours.run(ours.folder("parsed"), "--parse-only", str(example)).returncode == 0]
    known = {*PLAIN, *ON_A_FILE, *ELSEWHERE, *REFUSED}
    expect_none([f"{name}: does it run?" for name in parsed if name not in known])
    expect_none(each(runs, [name for name in [*PLAIN, *ON_A_FILE] if name not in REFUSED])
                + each(is_refused, list(REFUSED)))


if __name__ == "__main__":
    run(does_what_fio_does, takes_shares_of_files_as_fio, ends_and_complains_as_fio, keeps_rates,
        hands_over_as_asked, draws_as_fio_draws, parses_fios_examples, runs_fios_plain_examples)
