#!/usr/bin/env python3
"""fio's commands through the binary: what it prints, how it ends, and, where fio itself is
installed, the same bytes and operations as fio's own."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from harness import ROOT, Skipped, Store, expect, expect_equal, run  # noqa: E402

# One line a job; both tools run it in a folder of their own.
SAME = (
    "--rw=write --bs=4k --size=1m",
    "--rw=read --bs=64k --size=4m",
    "--rw=randread --bs=4k --size=1m",
    "--rw=randwrite --bs=4k --size=1m --fsync=16",
    "--rw=read --bs=4k --size=1m --numjobs=3",
    "--rw=read --bs=4k --size=1m --nrfiles=3",
    "--rw=read --bs=4k --size=1m --io_size=3m",
    "--rw=read --bs=4k --size=1m --loops=2",
    "--rw=read:8k --bs=4k --size=64k",
    "--rw=randread --bs=4k --size=1m --number_ios=17",
    "--rw=randread --bs=4k --size=1m --random_distribution=zipf:1.2",
    "--rw=read --bs=4k --size=1m --offset=256k",
    "--rw=write --bs=4k --size=1m --filename=x --numjobs=2 --offset_increment=1m",
    "--rw=randread --bs=4k --size=1m --ioengine=libaio --iodepth=8",
    "--rw=randwrite --bs=4k --size=1m --ioengine=io_uring --iodepth=8 --end_fsync=1",
    "--rw=read --bs=4k --size=1m --ioengine=mmap",
    "--rw=randread --bs=4k --size=16m --ioengine=null",
    "--rw=randwrite --bs=4k --size=1m --verify=crc32c",
    "--rw=randwrite --bs=4k --size=64k --verify=sha256 --verify_backlog=4",
    "--rw=trimwrite --bs=4k --size=64k --ioengine=null",
    "--rw=write --bs=4k --filesize=64k --nrfiles=4 --size=128k",
    "--rw=read --bs=4k --size=10000",
    "--rw=read --zonemode=strided --zonesize=64k --zonerange=128k --size=1m --bs=4k",
    "--rw=write --bs=4k --size=1m --numjobs=2 --stonewall",
    "--rw=readwrite --bs=4k --size=256k --fdatasync=8 --rwmixread=0",
    "--rw=write --bs=64k --size=1m --overwrite=1 --unlink=1",
    "--ioengine=ftruncate --rw=write --size=1m",
)


def environment() -> dict:
    return {**os.environ, "LOADLINE_ARCHIVE": str(pathlib.Path.cwd() / "archive")}


def ours(loadline, *words, folder=".", limit=60) -> subprocess.CompletedProcess:
    return subprocess.run([loadline.binary, "fio", *words], capture_output=True, text=True,
                          cwd=folder, timeout=limit, env=environment(), stdin=subprocess.DEVNULL)


def folder(name: str) -> pathlib.Path:
    path = pathlib.Path(name)
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    return path


def moved(text: str) -> list:
    """Of every job: bytes and operations by direction."""
    jobs = json.loads(text)["jobs"]
    return [[(job[d]["io_bytes"], job[d]["total_ios"]) for d in ("read", "write", "trim")]
            for job in jobs]


def moves_what_fio_moves(loadline):
    if not shutil.which("fio"):
        raise Skipped("fio is not installed")
    for line in SAME:
        words = ["--name=a", "--output-format=json", *line.split()]
        theirs = subprocess.run(["fio", *words], capture_output=True, text=True,
                                cwd=folder("theirs"), timeout=60, check=True)
        done = ours(loadline, *words, folder=folder("ours"))
        expect_equal(done.returncode, 0, f"exit of {line}: {done.stderr}")
        expect_equal(moved(done.stdout), moved(theirs.stdout), line)


def runs_the_sources_commands(loadline):
    where = folder("data")
    for clones in (1, 32):
        common = ["-iodepth=1", "-ioengine=libaio", f"-numjobs={clones}", "-group_reporting",
                  "-size=1M", "-filename=100gb", "-name=read_test", "-direct=1", "--runtime=60"]
        if clones == 1:
            made = ours(loadline, *common, "--create_only=1", folder=where)
            expect_equal(made.returncode, 0, f"exit of the layout: {made.stderr}")
        for rw, bs in (("read", "256k"), ("randread", "4k")):
            done = ours(loadline, *common, f"-rw={rw}", f"-bs={bs}", "--readonly", folder=where)
            expect_equal(done.returncode, 0, f"exit of {rw}: {done.stderr}")
            expect(f"read_test: (groupid=0, jobs={clones}): err= 0" in done.stdout, done.stdout)
            expect("Run status group 0 (all jobs):" in done.stdout, done.stdout)
    done = ours(loadline, "-filename=fio", "-direct=1", "-iodepth", "1", "-thread", "-rw=read",
                "-ioengine=psync", "-bs=64k", "-size=1M", "-numjobs=1", "-runtime=600",
                "-group_reporting", "-name=mytest", "-output", "result.log", folder=where)
    expect_equal((done.returncode, done.stdout), (0, ""), "with -output")
    expect("mytest: (groupid=0, jobs=1): err= 0" in (where / "result.log").read_text(), "the file")


def ends_as_fio_ends(loadline):
    where = folder("bad")
    for words, status, text in (
            ("--version", 0, ""),
            ("--name=a --parse-only", 0, ""),
            ("--blcksize=4k", 1, "unrecognized option '--blcksize=4k'"),
            ("--name=a --rw=reed", 1, "failed parsing rw=reed"),
            ("gone.fio", 1, "unable to open 'gone.fio' job file"),
            ("--name=a", 1, "a: you need to specify size="),
            ("--name=a --size=1m --bs=2m", 1, "size too small"),
            ("--name=a --size=1m --rw=write --readonly", 1, "read-only mode"),
            ("--name=a --size=1m --filename=gone --numjobs=2 --readonly", 2, "file missing"),
            ("--name=a --size=1m --output=no/such/x", 1, "output file open error"),
            ("--name=a --size=1m --time_based --ioengine=null", 0, "time_based requires")):
        done = ours(loadline, *words.split(), folder=where)
        expect_equal(done.returncode, status, f"exit of {words}: {done.stderr}")
        expect(text in done.stderr, f"{words}: {done.stderr}")
    expect_equal(list(where.iterdir()), [], "files left by refused commands")


def never_touches_a_short_file_that_it_reads(loadline):
    where = folder("short")
    (where / "x").write_bytes(b"precious" * 1024)
    done = ours(loadline, "--name=a", "--rw=read", "--filename=x", "--size=1m", folder=where)
    expect_equal(done.returncode, 1, f"exit: {done.stderr}")
    expect("file too small" in done.stderr, done.stderr)
    expect_equal((where / "x").read_bytes(), b"precious" * 1024, "the file")


def gives_results_when_interrupted(loadline):
    process = subprocess.Popen(
        [loadline.binary, "fio", "--name=a", "--ioengine=null", "--size=1g", "--time_based",
         "--runtime=60", "--rate_iops=1000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env=environment(), stdin=subprocess.DEVNULL)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=15)
    expect_equal(process.returncode, 128, f"exit: {err}")
    expect("read: IOPS=" in out, out)


def keeps_the_run_like_any_other(loadline):
    words = ("--name=kept", "--ioengine=null", "--size=1m")
    expect_equal(ours(loadline, *words).returncode, 0, "exit")
    listed = loadline.run("list", "--archive", "archive").stdout
    expect("kept" in listed, listed)
    shown = json.loads(loadline.run("show", "last", "--json", "--archive", "archive").stdout)
    expect_equal(shown["state"], "finished", "state")
    kept = sorted(pathlib.Path("archive").glob("w*-kept"))[-1]
    for name in ("report.html", "fio.txt", "fio.json", "plan.json"):
        expect((kept / name).exists(), f"{name} is missing in {kept}")


def runs_job_files_as_workloads(loadline):
    pathlib.Path("job.fio").write_text("[global]\nioengine=null\nsize=1m\n[a]\nrw=randread\n"
                                       "[b]\nstonewall\nrw=write\n")
    loadline.run("validate", "job.fio")
    done = loadline.run("run", "job.fio", "--json", "--quiet", "--archive", "archive")
    states = [stage["state"] for stage in json.loads(done.stdout)["stages"]]
    expect_equal(states, ["completed", "completed"], "stages")


def ends_jobs_with_others(loadline):
    where = folder("together")
    endless = ("--ioengine=null", "--size=1g", "--rate_iops=100", "--time_based", "--runtime=50")
    done = ours(loadline, "--output-format=json", "--name=first", "--ioengine=null", "--size=1m",
                "--exitall", "--exit_what=all", "--name=second", *endless, "--name=third",
                "--stonewall", *endless, folder=where, limit=20)
    expect_equal(done.returncode, 0, f"exit: {done.stderr}")
    operations = [job["read"]["total_ios"] for job in json.loads(done.stdout)["jobs"]]
    expect(operations[0] == 256 and operations[1] < 200 and operations[2] == 0, operations)
    done = ours(loadline, "--name=bad", "--filename=gone", "--size=1m", "--allow_file_create=0",
                "--exitall_on_error", "--name=second", *endless, folder=where, limit=20)
    expect_equal(done.returncode, 1, f"exit after an error: {done.stderr}")


def shares_a_flow(loadline):
    done = ours(loadline, "--output-format=json", "--ioengine=null", "--size=1g", "--time_based",
                "--rate_iops=20000", "--name=light", "--flow=1", "--runtime=2", "--name=heavy",
                "--flow=8", "--runtime=3", limit=20)
    light, heavy = (job["read"]["total_ios"] for job in json.loads(done.stdout)["jobs"])
    # The heavy one ends last: once it had left, the light one would catch up with its own rate.
    expect(59000 < heavy <= 60000, f"{heavy} operations of the heavy job, of 60000")
    expect(4500 < light < 5500, f"{light} operations of the light job, of 20000 x 2 s / 8")


def children_of(process: subprocess.Popen) -> list[int]:
    tasks = pathlib.Path(f"/proc/{process.pid}/task").iterdir()
    return [int(pid) for task in tasks for pid in (task / "children").read_text().split()]


def a_killed_job_leaves_its_flow(loadline):
    words = ["fio", "--output-format=json", "--ioengine=null", "--size=1g", "--time_based",
             "--runtime=3", "--rate_iops=2000", "--name=light", "--flow=1", "--name=heavy",
             "--flow=8"]
    process = subprocess.Popen([loadline.binary, *words], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
                               env=environment())
    time.sleep(1)
    os.kill(children_of(process)[0], signal.SIGKILL)
    out, err = process.communicate(timeout=20)
    expect("got signal=9" in err, err)
    moved_by = [job["read"]["total_ios"] for job in json.loads(out)["jobs"]]
    # Who is left runs at its own rate, whichever of them it is.
    expect(max(moved_by) > 3000, f"operations: {moved_by}")


def offsets_in(path: pathlib.Path) -> list[int]:
    lines = (line.split() for line in path.read_text().splitlines())
    return [int(words[-2]) for words in lines if len(words) > 3 and words[-3] in ("read", "write")]


def chooses_blocks_as_each_job_says(loadline):
    where = folder("choices")

    def choose(*words) -> list[list[int]]:
        for old in where.glob("*.log"):
            old.unlink()
        done = ours(loadline, "--ioengine=null", "--rw=randread", "--size=256k", *words,
                    folder=where)
        expect_equal(done.returncode, 0, f"exit of {words}: {done.stderr}")
        return [offsets_in(path) for path in sorted(where.glob("*.log"))]

    listed = choose("--name=a", "--random_distribution=sequence:2,0,1", "--number_ios=5",
                    "--write_iolog=a.log")
    expect_equal(listed, [[8192, 0, 4096, 8192, 0]], "a list of blocks")
    both = ("--name=a", "--write_iolog=a.log", "--name=b", "--write_iolog=b.log")
    usual = choose(*both)
    seeded = choose(*both, "--randseed=5")
    expect(usual[0] == seeded[0] and usual[1] != seeded[1], "randseed is that of its job")
    expect_equal(choose(*both, "--randseed=5"), seeded, "the same seed again")
    free = choose(*both, "--randrepeat=0")
    expect(usual[0] == free[0] and free[1] not in (usual[1], choose(*both, "--randrepeat=0")[1]),
           "randrepeat is that of its job")
    expect(sorted(free[1]) == sorted(usual[1]), "each block once")


def runs_commands_around_a_job(loadline):
    where = folder("commands")
    null = ("--name=a", "--ioengine=null", "--size=1m")
    done = ours(loadline, *null, "--exec_prerun=echo one; echo two >&2", "--exec_postrun=echo end",
                folder=where)
    expect_equal(done.returncode, 0, f"exit: {done.stderr}")
    expect_equal((where / "a.prerun.txt").read_text(), "one\ntwo\n", "before")
    expect_equal((where / "a.postrun.txt").read_text(), "end\n", "after")
    done = ours(loadline, *null, "--exec_prerun=exit 3", folder=where)
    expect_equal(done.returncode, 1, f"exit of a job that could not begin: {done.stderr}")
    expect("ended with status 3" in done.stderr + done.stdout, done.stderr + done.stdout)


def keeps_the_machine_busy(loadline):
    where = folder("busy")
    done = ours(loadline, "--output-format=json", "--name=burn", "--ioengine=cpuio", "--cpuload=50",
                "--cpuchunks=10000", "--exit_on_io_done=1", "--name=io", "--ioengine=null",
                "--size=1g", "--rate_iops=100", "--time_based", "--runtime=1", "--name=program",
                "--ioengine=exec", "--program=echo", "--arguments=%n for %r s", "--runtime=9",
                folder=where, limit=20)
    expect_equal(done.returncode, 0, f"exit: {done.stderr}")
    burn = json.loads(done.stdout)["jobs"][0]
    expect(20 < burn["read"]["total_ios"] < 60, burn["read"]["total_ios"])
    expect(15 < burn["usr_cpu"] < 70, burn["usr_cpu"])
    expect_equal((where / "program.stdout").read_text(), "program for 9 s\n", "what it printed")


def keeps_blocks_as_objects(loadline):
    with Store(loadline) as store:
        put = urllib.request.Request(f"{store.endpoint}/bucket", method="PUT")
        urllib.request.urlopen(put, timeout=10).read()
        words = ("--output-format=json", "--name=a", "--ioengine=http", "--http_mode=s3",
                 f"--http_host=127.0.0.1:{store.port}", "--filename=/bucket/object", "--size=64k",
                 "--bs=4k")
        done = ours(loadline, *words, "--rw=write", "--verify=sha256", limit=30)
        expect_equal(done.returncode, 0, f"exit: {done.stderr}")
        expect_equal(moved(done.stdout)[0][:2], [(65536, 16)] * 2, "written and verified")
        with urllib.request.urlopen(f"{store.endpoint}/bucket/object_8192_4096", timeout=10) as one:
            expect_equal(len(one.read()), 4096, "bytes of one object")
        done = ours(loadline, *words, "--rw=randread", "--iodepth=4", limit=30)
        expect_equal(moved(done.stdout)[0][0], (65536, 16), "read")
        done = ours(loadline, *words, "--rw=trim", limit=30)
        expect_equal(moved(done.stdout)[0][2], (65536, 16), "removed")
        done = ours(loadline, *words, "--rw=read", limit=30)
        expect_equal(done.returncode, 1, "exit where the objects are gone")


def the_shim_finds_the_binary(loadline):
    beside = folder("installed")
    shutil.copy(ROOT / "compat/fio", beside / "fio")
    (beside / "loadline").symlink_to(loadline.binary)
    done = subprocess.run([beside / "fio", "--version"], capture_output=True, text=True, timeout=10)
    expect_equal((done.returncode, done.stdout), (0, "fio-3.33\n"), "the shim")


if __name__ == "__main__":
    run(runs_the_sources_commands, ends_as_fio_ends,
        never_touches_a_short_file_that_it_reads, gives_results_when_interrupted,
        keeps_the_run_like_any_other, runs_job_files_as_workloads, the_shim_finds_the_binary,
        ends_jobs_with_others, shares_a_flow, a_killed_job_leaves_its_flow,
        chooses_blocks_as_each_job_says, runs_commands_around_a_job, keeps_the_machine_busy,
        keeps_blocks_as_objects, moves_what_fio_moves)
