#!/usr/bin/env python3
"""Recorded operations beside Debian's fio: iologs that one writes and the other repeats, logs with
a line an operation, and fio's own tools that read them."""
import collections
import pathlib
import resource
import shutil
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from fio_equivalence_test import Tool, both, json_of, moved  # noqa: E402
from harness import expect, expect_equal, need, run  # noqa: E402

LOGS = "--write_bw_log=p --write_lat_log=p --write_iops_log=p".split()


def work(tool: Tool, where: pathlib.Path, *words: str, limit: float = 60) -> dict:
    done = tool.run(where, *words, "--output-format=json", limit=limit)
    expect(done.returncode == 0,
           f"{tool.name} {' '.join(words)}: exit {done.returncode}: {done.stderr[-400:]}")
    return json_of(done.stdout)


def operations(iolog: pathlib.Path) -> list[tuple]:
    """What an iolog says is done: file, action, offset, length."""
    lines = [line.split() for line in iolog.read_text().splitlines()]
    return [(words[1], words[2], int(words[3]), int(words[4])) for words in lines
            if len(words) == 5 and words[0].isdigit()]


def columns(log: pathlib.Path) -> list[list[str]]:
    return [line.split(", ") for line in log.read_text().splitlines()]


def iologs_go_both_ways(loadline):
    theirs, ours = both(loadline)
    words = ["--name=a", "--rw=randrw", "--bs=4k-32k", "--size=1m", "--nrfiles=2", "--fsync=16",
             "--ioengine=libaio", "--iodepth=4", "--direct=1", "--write_iolog=io.log"]
    for writer, reader in ((ours, theirs), (theirs, ours), (ours, ours)):
        where = writer.folder(f"iolog-{reader.name}")
        recorded = moved(work(writer, where, *words))
        done = operations(where / "io.log")
        replay = ["--name=b", "--read_iolog=io.log", "--ioengine=libaio", "--iodepth=4"]
        repeated = work(reader, where, *replay)
        what = f"{writer.name} repeated by {reader.name}"
        if reader is ours:  # fio does not count what was under way when a file is closed
            expect_equal(moved(repeated)["bytes"], recorded["bytes"], f"bytes of {what}")
        expect_equal(moved(repeated)["operations"], recorded["operations"], f"operations of {what}")
        counted = collections.Counter(action for _, action, _, _ in done)
        expect_equal([counted["read"], counted["write"]], recorded["operations"][0][:2],
                     f"lines of {writer.name}")
        expect(counted["sync"] >= recorded["operations"][0][1] // 16, f"{what}: {counted}")
        expect(not list(where.glob("*.trace")), f"{what}: a trace was left")


def an_iolog_shows_each_block_once(loadline):
    _, ours = both(loadline)
    for engine in ("--ioengine=psync", "--ioengine=io_uring"):
        where = ours.folder("coverage")
        work(ours, where, "--name=a", "--rw=randread", "--bs=4k", "--size=4m", engine,
             "--iodepth=16", "--write_iolog=io.log")
        offsets = sorted(offset for _, _, offset, _ in operations(where / "io.log"))
        expect_equal(offsets, list(range(0, 4 << 20, 4096)), f"offsets with {engine}")


def times_are_kept_and_stretched(loadline):
    _, ours = both(loadline)  # fio's own stalls are shorter than its log says
    text = "fio version 3 iolog\n0 x add\n0 x open\n" + "".join(
        f"{at} x write {at} 4096\n" for at in (0, 200_000, 400_000)) + "500000 x close\n"
    where = ours.folder("times")
    (where / "io.log").write_text(text)
    for options, least, most in (([], 0.4, 0.8), (["--replay_time_scale=200"], 0.2, 0.4),
                                 (["--replay_no_stall=1"], 0, 0.2)):
        document = work(ours, where, "--name=a", "--read_iolog=io.log", *options)
        took = document["jobs"][0]["write"]["runtime"] / 1000
        expect(least - 0.01 <= took <= most, f"{ours.name} {options}: {took} s")


def logs_have_a_line_an_operation(loadline):
    theirs, ours = both(loadline)
    for options in (["--rw=randrw", "--ioengine=libaio", "--direct=1", "--iodepth=8"],
                    ["--rw=write", "--ioengine=psync", "--log_offset=1", "--fdatasync=8"],
                    ["--rw=read", "--numjobs=2", "--per_job_logs=0", "--log_prio=1"],
                    ["--rw=randwrite", "--verify=crc32c", "--log_offset=1"]):
        seen = {}
        for tool in (theirs, ours):
            where = tool.folder("logs")
            document = work(tool, where, "--name=a", "--bs=4k", "--size=1m", *LOGS, *options)
            done = sum(job[d]["total_ios"] for job in document["jobs"]
                       for d in ("read", "write", "trim"))
            seen[tool.name] = {log.name: [len(log.read_text().splitlines()),
                                          {len(line) for line in columns(log)},
                                          {line[-1] for line in columns(log)}]
                               for log in where.glob("*.log")}
            lines = seen[tool.name]["p_lat.log" if "--per_job_logs=0" in options
                                    else "p_lat.1.log"][0]
            expect_equal(lines, done, f"lines of {tool.name} with {options}")
            expect(not list(where.glob("*.trace")), "a trace was left")
        if "--rw=randrw" in options:  # what chance makes of the mix
            counts = {name: [shape[1:] for shape in logs.values()] for name, logs in seen.items()}
            expect_equal(sorted(seen["ours"]), sorted(seen["theirs"]), "names of logs")
            expect_equal(len(counts["ours"]), len(counts["theirs"]), "logs")
        else:
            expect_equal(seen["ours"], seen["theirs"], f"logs with {options}")


def latencies_and_bandwidth_fit(loadline):
    _, ours = both(loadline)
    where = ours.folder("values")
    work(ours, where, "--name=a", "--rw=randread", "--bs=4k", "--size=1m", "--ioengine=libaio",
         "--direct=1", "--iodepth=8", "--log_offset=1", *LOGS)
    total, parts, bandwidth, submitted = (columns(where / f"p_{kind}.1.log")
                                          for kind in ("lat", "clat", "bw", "slat"))
    first = {line[4]: int(line[1]) for line in submitted}
    for whole, part, speed in zip(total, parts, bandwidth):
        expect_equal(int(whole[1]), int(part[1]) + first[whole[4]], "latency of both parts")
        expect_equal(int(speed[1]), 4096 * 10**6 // int(part[1]), "bandwidth of one operation")
    times = [int(line[0]) for line in total]
    expect_equal(times, sorted(times), "times")


def fios_tools_read_the_logs(loadline):
    need("fio2gnuplot")
    _, ours = both(loadline)
    where = ours.folder("tools")
    work(ours, where, "--name=a", "--rw=randread", "--bs=4k", "--size=4m", *LOGS)
    for what in ("-b", "-i"):
        done = Tool("ours", ["fio2gnuplot"]).run(where, what, "-o", f"plot{what}")
        expect(done.returncode == 0 and "Traceback" not in done.stderr,
               f"fio2gnuplot {what}: {done.stderr or done.stdout}")


def a_long_trace_needs_no_memory(loadline):
    _, ours = both(loadline)
    where = ours.folder("long")
    before = time.monotonic()
    work(ours, where, "--name=a", "--rw=randread", "--bs=512", "--size=1g", "--ioengine=null",
         "--number_ios=1000000", "--write_lat_log=p", "--write_iolog=io.log", limit=120)
    took = time.monotonic() - before
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    expect_equal(sum(1 for _ in open(where / "p_lat.1.log")), 1_000_000, "lines")
    expect(peak < 200 * 1024, f"the largest child needed {peak} KiB")
    expect(took < 100, f"a million operations took {took:.0f} s")
    shutil.rmtree(where)


def mistakes_name_file_and_line(loadline):
    _, ours = both(loadline)
    where = ours.folder("wrong")
    (where / "io.log").write_text("fio version 3 iolog\n0 x add\n5 x reed 0 4096\n")
    done = ours.run(where, "--name=a", "--read_iolog=io.log")
    expect_equal(done.returncode, 1, "exit status")
    expect("io.log:3: bad iolog file action: reed" in done.stderr, done.stderr)
    expect(not (where / "x").exists(), "a file was made")
    (where / "p.1.trace").write_text("mine\n")
    done = ours.run(where, "--name=a", "--size=64k", "--write_lat_log=p")
    expect("is there and no trace" in done.stderr, done.stderr)
    expect_equal((where / "p.1.trace").read_text(), "mine\n", "a foreign file")


if __name__ == "__main__":
    # The long one first: the peak of all children is its own then.
    run(a_long_trace_needs_no_memory, iologs_go_both_ways, an_iolog_shows_each_block_once,
        times_are_kept_and_stretched, logs_have_a_line_an_operation, latencies_and_bandwidth_fit,
        fios_tools_read_the_logs, mistakes_name_file_and_line)
