#!/usr/bin/env python3
"""`loadline fio` on real files and devices, by somebody who wants to see it fail: caches, holes,
full file systems, mounts that go away, signals, and files that are not ours."""
import contextlib
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from harness import Skipped, command, expect, expect_equal, run  # noqa: E402

MEGABYTE = 1 << 20
ARCHIVE = pathlib.Path("archive").resolve()
missing: list[str] = []  # what this machine lacks: said at the end, after all that could be tried


class Fio:
    """One run: what it said, how it ended, and what was kept of it."""

    def __init__(self, loadline, *words, limit: float = 60):
        os.environ["LOADLINE_ARCHIVE"] = str(ARCHIVE)
        done = loadline.run("fio", *words, limit=limit, check=False)
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
        self.words = " ".join(map(str, words))

    def expect(self, status: int, *texts: str):
        expect_equal(self.status, status, f"exit of {self.words} ({self.err[-300:]!r})")
        for text in texts:
            expect(text in self.err, f"{self.words}: {text!r} is not in {self.err[-400:]!r}")
        return self

    def doubts(self) -> dict[str, str]:
        """What the newest run's verdicts say, by id."""
        newest = max(ARCHIVE.glob("w*/result.json"), key=lambda path: path.stat().st_mtime_ns)
        verdicts = json.loads(newest.read_text())["verdicts"]
        return {one["id"]: one["text"] for one in verdicts}


def write_file(path, megabytes: int):
    with open(path, "wb") as file:
        for _ in range(megabytes):
            file.write(os.urandom(MEGABYTE))
        os.fsync(file.fileno())


def digest(path) -> str:
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


@contextlib.contextmanager
def mounted(*words):
    """A file system for the time of a `with`; None where it cannot be mounted."""
    folder = pathlib.Path(tempfile.mkdtemp(dir="."))
    fine = os.geteuid() == 0 and subprocess.run(
        ["mount", *map(str, words), str(folder)], capture_output=True).returncode == 0
    if not fine:
        missing.append(f"mount {' '.join(map(str, words))} is not possible")
    try:
        yield folder if fine else None
    finally:
        if fine:
            subprocess.run(["umount", "-l", str(folder)], timeout=20)
        folder.rmdir()


@contextlib.contextmanager
def loop_device(image):
    done = subprocess.run(["losetup", "-P", "-f", "--show", str(image)], capture_output=True,
                          text=True) if shutil.which("losetup") else None
    if not done or done.returncode != 0:
        missing.append("no loop device")
        yield None
        return
    device = done.stdout.strip()
    try:
        yield device
    finally:
        subprocess.run(["losetup", "-d", device])


@contextlib.contextmanager
def bindfs(source):
    """A FUSE mount of `source` and its server; None where there is none."""
    folder = pathlib.Path(tempfile.mkdtemp(dir="."))
    server = None
    if shutil.which("bindfs") and os.path.exists("/dev/fuse"):
        server = subprocess.Popen(["bindfs", "-f", str(source), str(folder)],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(100):
            if os.path.ismount(folder) or server.poll() is not None:
                break
            time.sleep(0.05)
    if not server or not os.path.ismount(folder):
        missing.append("no bindfs mount")
        yield None, None
        return
    try:
        yield folder, server
    finally:
        server.kill()
        server.wait()
        subprocess.run(["umount", "-l", str(folder)], capture_output=True, timeout=20)


# --- Verdicts ----------------------------------------------------------------------------------

def folder_on_disk() -> pathlib.Path | None:
    for folder in (".", "/var/tmp"):
        kind = command("stat", "-f", "-c", "%T", folder).stdout.strip()
        if kind in ("ext2/ext3", "xfs", "btrfs"):
            return pathlib.Path(tempfile.mkdtemp(dir=folder)).resolve()
    missing.append("no folder on ext4, xfs or btrfs")
    return None


def cached_percent(doubts: dict[str, str]) -> int:
    found = re.match(r"(\d+) %", doubts.get("from_cache", ""))
    return int(found[1]) if found else 0


def doubts_reads_from_memory(loadline):
    disk = folder_on_disk()
    if not disk:
        return
    file = disk / "cached"
    write_file(file, 64)
    job = ["--name=c", f"--filename={file}", "--size=64m", "--rw=randread", "--bs=4k"]
    for share in (100, 50, 25, 0):
        descriptor = os.open(file, os.O_RDONLY)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_RANDOM)
        for at in range(0, 64 * MEGABYTE * share // 100, MEGABYTE):
            os.pread(descriptor, MEGABYTE, at)
        os.close(descriptor)
        for words in (["--ioengine=io_uring", "--iodepth=8"], []) if share == 50 else ([],):
            if words == [] and share == 50:
                continue  # the run before has read it all
            got = cached_percent(Fio(loadline, *job, "--invalidate=0", *words).expect(0).doubts())
            expect(abs(got - share) <= 5, f"{share} % were cached, the verdict says {got} %")
    descriptor = os.open(file, os.O_RDONLY)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)
    doubts = Fio(loadline, *job, "--loops=4", "--bs=64k", "--rw=read", "--invalidate=0").doubts()
    expect(abs(cached_percent(doubts) - 75) <= 5, f"four passes: {doubts}")

    with open(disk / "sparse", "wb") as sparse:
        sparse.truncate(64 * MEGABYTE)
        sparse.write(os.urandom(16 * MEGABYTE))
    for direct in (0, 1):
        doubts = Fio(loadline, *job, f"--filename={disk / 'sparse'}", f"--direct={direct}").doubts()
        expect("48 MiB of the 64 MiB" in doubts.get("holes", ""), f"a sparse file: {doubts}")

    # Clean runs, side by side: whatever else is said is about this machine, not about the files.
    clean = [subprocess.Popen(
        [loadline.binary, "fio", f"--name=clean{i}", f"--filename={file}", "--size=64m",
         "--direct=1", f"--rw={rw}", f"--bs={bs}", f"--ioengine={engine}", f"--iodepth={depth}",
         "--runtime=10500ms", "--time_based", "--rate_iops=300"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "LOADLINE_ARCHIVE": f"archive_{i}"})
        for i, (rw, bs, engine, depth) in enumerate((
            ("randread", "4k", "libaio", 16), ("read", "64k", "psync", 1),
            ("randread", "16k", "io_uring", 4), ("read", "4k", "io_uring", 8)))]
    for i, process in enumerate(clean):
        _, err = process.communicate(timeout=60)
        expect_equal(process.returncode, 0, f"exit of a clean run ({err})")
        result = json.loads(next(pathlib.Path(f"archive_{i}").glob("w*/result.json")).read_text())
        said = {one["id"] for one in result["verdicts"]}
        of_the_machine = {"too_short", "not_steady", "client_bound", "rate_not_reached",
                          "clock_stepped", "debug_build", "shallow_queue"}
        expect(said <= of_the_machine, f"a clean direct run is doubted: {said - of_the_machine}")

    with bindfs(disk) as (folder, _):
        if folder:
            Fio(loadline, *job, f"--filename={folder / 'cached'}").expect(0)
            again = Fio(loadline, *job, f"--filename={folder / 'cached'}", "--invalidate=0")
            percent = cached_percent(again.expect(0).doubts())
            expect(percent >= 50, f"a FUSE mount's cache: {percent} %")
    doubts = Fio(loadline, *job, "--filename=/dev/shm/loadline_doubts", "--rw=randrw", "--direct=1",
                 "--unlink=1").doubts()
    expect("direct_refused" in doubts, f"direct I/O on tmpfs: {doubts}")
    shutil.rmtree(disk)


def doubts_writes_that_are_in_memory(loadline):
    disk = folder_on_disk()
    if not disk:
        return
    job = ["--name=w", f"--filename={disk / 'f'}", "--size=64m", "--bs=64k"]
    for rw in ("write", "randwrite"):
        doubts = Fio(loadline, *job, f"--rw={rw}").expect(0).doubts()
        found = re.match(r"(\d+) % of these writes", doubts.get("only_in_memory", ""))
        expect(found and int(found[1]) >= 50, f"nothing was synced: {doubts}")
    for words in (["--end_fsync=1"], ["--fsync=16"], ["--fdatasync=8"], ["--direct=1"],
                  ["--sync=dsync"], ["--fsync_on_close=1"], ["--filename=/dev/shm/loadline_doubts",
                                                             "--unlink=1"]):
        doubts = Fio(loadline, *job, "--rw=write", *words).expect(0).doubts()
        expect("only_in_memory" not in doubts, f"{words}: {doubts}")
    with bindfs(disk) as (folder, _):
        if folder:
            job.append(f"--filename={folder / 'f'}")
            doubts = Fio(loadline, *job, "--rw=write").expect(0).doubts()
            expect("only_in_memory" not in doubts, f"a FUSE mount: {doubts}")
    shutil.rmtree(disk)


# --- Storage that fails ------------------------------------------------------------------------

def ends_well_when_the_space_ends(loadline):
    with mounted("-t", "tmpfs", "-o", "size=8m", "none") as small:
        if not small:
            return
        job = ["--name=w", f"--filename={small / 'f'}", "--rw=write", "--bs=64k", "--size=16m"]
        full = f"io_u error on file {small / 'f'}: No space left on device: write offset=8388608"
        for words, status, texts in (
                (["--output-format=json"], 1, [full, "err=28/"]),
                (["--fallocate=none"], 1, [full, "err=28/"]),
                (["--fill_fs=1"], 0, []),
                (["--continue_on_error=all"], 1, [full, "err=28/"]),
                (["--continue_on_error=all", "--ignore_error=,ENOSPC"], 0,
                 ["128 errors were tolerated, the first: No sp"]),
                (["--create_only=1", "--rw=randread"], 1, ["ENOSPC on laying out file, stopping"]),
                (["--overwrite=1"], 1, ["ENOSPC on laying out file, stopping"])):
            done = Fio(loadline, *job, *words).expect(status, *texts)
            if "json" in words[0]:
                job_block = json.loads(done.out)["jobs"][0]
                expect_equal([job_block["error"], job_block["write"]["io_bytes"]],
                             [28, 8 * MEGABYTE], "error and bytes of a full file system")
            if any("ignore_error" in word for word in words):
                for text in ("err=28", "errors    : total=128, first_error=28/<No space left on"):
                    expect(text in done.out, f"{text!r} is not in {done.out}")
            for file in small.iterdir():
                file.unlink()
        Fio(loadline, "--name=w", f"--directory={small}", "--numjobs=2", "--rw=write", "--bs=64k",
            "--size=16m").expect(2)
        for file in small.iterdir():
            file.unlink()
        image = small / "disk"
        with open(image, "wb") as file:
            file.truncate(64 * MEGABYTE)
        with loop_device(image) as device:
            if device:
                Fio(loadline, *job, f"--filename={device}", "--size=32m", "--end_fsync=1",
                    "--allow_mounted_write=1").expect(
                    1, "Input/output error", f"err=5/file:{device}")


def ends_well_when_the_file_shrinks(loadline):
    for engine in (["psync"], ["libaio", "--direct=1", "--iodepth=8"], ["io_uring", "--iodepth=8"],
                   ["mmap"], ["posixaio"]):
        write_file("shrinking", 16)
        timer = threading.Timer(0.7, os.truncate, ("shrinking", 2 * MEGABYTE))
        timer.start()
        done = Fio(loadline, "--name=t", "--filename=shrinking", "--rw=randread", "--bs=4k",
                   "--size=16m", "--time_based", "--runtime=10", f"--ioengine={engine[0]}",
                   *engine[1:], "--output-format=json")
        timer.join()
        done.expect(1, "io_u error on file shrinking: Input/output error", "err=5/file:shrinking")
        job = json.loads(done.out)["jobs"][0]
        expect(job["error"] == 5 and job["read"]["total_ios"] > 0, f"{engine}: results are lost")


def ends_well_when_the_mount_goes(loadline):
    os.makedirs("behind", exist_ok=True)
    write_file("behind/file", 16)
    job = ["--name=m", "--rw=randread", "--bs=4k", "--size=16m", "--time_based", "--direct=1"]
    with bindfs("behind") as (folder, server):
        if not folder:
            return
        timer = threading.Timer(0.8, server.kill)
        timer.start()
        done = Fio(loadline, *job, f"--filename={folder / 'file'}", "--runtime=20")
        timer.join()
        done.expect(1, f"io_u error on file {folder / 'file'}")
        expect("READ: bw=" in done.out, "the results so far are lost")
    for mode in ([], ["--thread"]):
        # A mount that answers no more: the first signal says so, and the run ends all the same.
        with bindfs("behind") as (folder, server):
            process = subprocess.Popen(
                [loadline.binary, "fio", *job, f"--filename={folder / 'file'}", "--runtime=60",
                 *mode], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                env={**os.environ, "LOADLINE_ARCHIVE": "archive_hangs"})
            time.sleep(2.5)
            server.send_signal(signal.SIGSTOP)
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            # Some of what the mount has in hand the kernel lets go of with the mount alone; a
            # thread that waits for it keeps its process.
            let_go = threading.Timer(14 if mode else 30, server.kill)
            let_go.start()
            try:
                out, err = process.communicate(timeout=25)
            finally:
                process.kill()
                let_go.cancel()
                server.kill()
            expect_equal(process.returncode, 128, f"exit with a mount that hangs {mode} ({err!r})")
            for text in ("terminating on signal 2", "stopping: 1 worker (m)", "within 10 s"):
                expect(text in err, f"{mode}: {text!r} is not in {err!r}")
            expect("READ: bw=" in out, f"{mode}: the results so far are lost: {out}")
    with bindfs("behind") as (folder, server):
        # A mount that answers no more: the second signal ends it as soon as the kernel lets go of
        # what the mount has in hand, and what was measured is kept.
        process = subprocess.Popen(
            [loadline.binary, "fio", *job, f"--filename={folder / 'file'}", "--runtime=20"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "LOADLINE_ARCHIVE": "archive_stopped"})
        time.sleep(2.5)
        server.send_signal(signal.SIGSTOP)
        for _ in range(2):
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        server.kill()
        try:
            expect_equal(process.wait(10), 128, "exit at a second signal")
        finally:
            process.kill()
        shown = loadline.run("show", "--archive", "archive_stopped").stdout
        expect(re.search(r"read +[1-9]", shown), f"what a stopped mount answered is lost: {shown}")


def gone(group: int) -> bool:
    """Soon there is no process of the group."""
    for _ in range(40):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def loses_one_worker_alone(loadline, job):
    """A killed worker is told of, and a failed job; the others go on, and so does the file."""
    process = subprocess.Popen([loadline.binary, "fio", *job, "--runtime=4"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(2.4)
    workers = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    expect_equal(len(workers), 2, "processes of two clones")
    os.kill(int(workers[0]), signal.SIGKILL)
    _, err = process.communicate(timeout=20)
    expect_equal(process.returncode, 1, f"exit with a killed worker ({err!r})")
    expect(f"fio: pid={workers[0]}, got signal=9" in err, f"a killed worker is not told: {err!r}")
    jobs = json.loads(pathlib.Path("signal.json").read_text())["jobs"]
    ios = [one["read"]["total_ios"] for one in jobs]
    expect(len(ios) == 2 and 0 < ios[0] < ios[1], f"I/Os of the killed and of the other: {ios}")
    newest = max(ARCHIVE.glob("w*/result.json"), key=lambda path: path.stat().st_mtime_ns)
    expect("killed by signal 9 (SIGKILL)" in newest.read_text(), "the result does not say why")


def stops_while_it_prepares(loadline):
    """Many files, and many processes: a signal is heard before they are all there."""
    pathlib.Path("laying").mkdir()
    for words, begun in (
            (["--directory=laying", "--rw=read", "--nrfiles=40000", "--filesize=64k"],
             lambda: len(os.listdir("laying")) > 10),
            (["--directory=laying", "--rw=write", "--numjobs=2000", "--size=64k"],
             lambda: len(os.listdir("laying")) > 10),
            (["--filename=file", "--numjobs=2000", "--size=64k"], lambda: True)):
        process = subprocess.Popen(
            [loadline.binary, "fio", "--name=s", *words], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, start_new_session=True,
            env={**os.environ, "LOADLINE_ARCHIVE": "archive_preparing"})
        for _ in range(500):
            if begun():
                break
            time.sleep(0.01)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        before = time.monotonic()
        _, err = process.communicate(timeout=30)
        expect_equal(process.returncode, 128, f"exit of {words} ({err!r})")
        late = time.monotonic() - before
        expect(late < 5, f"{words} ended {late:.1f} s late")
        expect_equal(err, "\nfio: terminating on signal 2\n", f"what {words} said")
        expect(gone(process.pid), f"processes of {words} are left")
        made = list(pathlib.Path("laying").iterdir())
        expect("--rw=write" in words or all(f.stat().st_size == 65536 for f in made),
               f"half a file of {words} stayed")
        for file in made:
            file.unlink()
    kept = loadline.run("list", "--archive", "archive_preparing").stdout
    expect_equal(kept.count("cancelled"), 3, f"runs that were stopped early: {kept}")


def ends_well_by_signals(loadline):
    write_file("file", 16)
    job = ["--name=s", "--filename=file", "--rw=randread", "--bs=4k", "--size=16m", "--time_based",
           "--runtime=60", "--numjobs=2", "--output-format=json", "--output=signal.json"]
    loses_one_worker_alone(loadline, job)
    for number, status in ((signal.SIGINT, 128), (signal.SIGTERM, 128), (signal.SIGKILL, -9)):
        process = subprocess.Popen([loadline.binary, "fio", *job], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True)
        time.sleep(2.2)
        process.send_signal(number)
        out, err = process.communicate(timeout=10)
        expect_equal(process.returncode, status, f"exit after {number.name}")
        expect(gone(process.pid), f"something is left after {number.name}")
        if number == signal.SIGKILL:
            continue
        expect(f"fio: terminating on signal {number.value}" in err, f"after {number.name}: {err!r}")
        jobs = json.loads(pathlib.Path("signal.json").read_text())["jobs"]
        expect(len(jobs) == 2 and all(one["read"]["total_ios"] > 0 for one in jobs), f"{jobs}")
    # In the middle of laying a file out: what was begun is undone.
    process = subprocess.Popen(
        [loadline.binary, "fio", "--name=s", "--filename=laid_out", "--size=40g", "--direct=1"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(100):
        if os.path.exists("laid_out"):
            break
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    try:
        expect_equal(process.wait(20), 128, "exit after a signal to a layout")
    finally:
        process.kill()
    expect(not os.path.exists("laid_out"), "half a file stayed")
    stops_while_it_prepares(loadline)
    listed = loadline.run("list", "--archive", ARCHIVE).stdout.splitlines()
    expect("vanished" in listed[-2], f"a killed run is listed as {listed[-2]!r}")
    expect_equal(sum("cancelled" in line for line in listed), 3, "cancelled runs")


# --- What is not ours --------------------------------------------------------------------------

def leaves_foreign_files_alone(loadline):
    write_file("foreign", 2)
    before = digest("foreign")
    job = ["--name=r", "--filename=foreign", "--bs=64k"]
    for words, text in (
            (["--rw=read", "--size=8m"], "lay it out with --create_only=1 or --rw=write"),
            (["--rw=randread", "--size=8m", "--readonly"], "refusing extend of file due to read-o"),
            (["--rw=read", "--size=8m", "--nrfiles=12"], "lay it out with"),
            (["--rw=write", "--size=8m", "--readonly"], "not allowed with the --readonly"),
            (["--rw=trim", "--size=2m", "--readonly"], "not allowed with the --readonly"),
            (["--rw=read", "--size=2m", "--verify=md5"], "verify failed at file foreign offset 0")):
        Fio(loadline, *job, *words).expect(1, text)
        expect_equal(digest("foreign"), before, f"content after {words}")
    Fio(loadline, "--name=r", "--filename=absent", "--size=1m", "--readonly").expect(
        1, "file missing; --readonly forbids creating it", "--create_only=1")
    Fio(loadline, "--name=w", "--filename=absent", "--size=1m", "--rw=write",
        "--allow_file_create=0").expect(1, "allow_file_create=0 forbids")
    expect(not os.path.exists("absent"), "a file was made")
    for words in (["--rw=read"], ["--rw=write"], ["--rw=randrw", "--ioengine=mmap"]):
        Fio(loadline, "--name=d", "--filename=/dev/loadline_xyz", "--size=1m", *words).expect(
            1, "no file is made under /dev")
    Fio(loadline, "--name=/dev/loadline_xyz", "--rw=write", "--size=1m").expect(1)
    outputs_stay_out_of_dev(loadline)
    expect(not list(pathlib.Path("/dev").glob("loadline_xyz*")), "a file was made under /dev")


def outputs_stay_out_of_dev(loadline):
    os.symlink("/dev/loadline_xyz_link", "link_into_dev")
    job = ["--name=o", "--filename=o.dat", "--rw=write", "--size=64k"]
    for words in (["--output=/dev/loadline_xyz"], ["--write_bw_log=/dev/loadline_xyz"],
                  ["--write_lat_log=/dev/loadline_xyz", "--log_avg_msec=100"],
                  ["--write_hist_log=/dev/loadline_xyz"], ["--write_iolog=/dev/loadline_xyz"],
                  ["--bandwidth-log=/dev/loadline_xyz"], ["--verify=md5", "--aux-path=/dev"],
                  ["--mem=mmapshared:/dev/loadline_xyz"], ["--output=link_into_dev"]):
        done = Fio(loadline, *job, *words).expect(1, "would be a new file under /dev")
        expect_equal(done.out, "", f"output with {words}")
    for words in (["--output=/dev/null"], ["--output=/dev/stdout"], ["--write_iolog=/dev/null"],
                  ["--output=/dev/shm/loadline_xyz.txt"]):
        Fio(loadline, *job, *words).expect(0)
    os.unlink("/dev/shm/loadline_xyz.txt")
    expect(not list(pathlib.Path("/dev").glob("*local-o-0*")), "a state was kept under /dev")
    for link, to in (("broken", "gone/far"), ("link_into_dev", "/dev/loadline_xyz_link")):
        if link == "broken":
            os.symlink(to, link)
        for words in (["--rw=write", "--size=1m"], ["--rw=read", "--size=1m"], ["--rw=read"]):
            Fio(loadline, "--name=l", f"--filename={link}", *words).expect(
                1, f"it is a symbolic link to {to}, which is not there")
    write_file("own.dat", 1)
    before = digest("own.dat")
    for words in (["--mem=mmapshared:own.dat"], ["--mem=mmap:./own.dat", "--numjobs=2"]):
        Fio(loadline, "--name=m", "--filename=own.dat", "--size=1m", *words).expect(
            1, "is a data file of job m")
    expect_equal(digest("own.dat"), before, "a data file that was named as memory")


def leaves_devices_in_use_alone(loadline):
    with open("image", "wb") as file:
        file.truncate(32 * MEGABYTE)
    with loop_device("image") as device:
        if not device:
            return
        command("mkfs.ext4", "-q", device)
        job = ["--name=d", f"--filename={device}", "--bs=64k", "--size=1m"]
        before = digest("image")
        with mounted("-o", "ro,noload", device) as folder:
            if folder:
                pathlib.Path("link_to_device").unlink(missing_ok=True)
                os.symlink(device, "link_to_device")
                for words in (["--rw=write"], ["--rw=randtrim"], ["--rw=randrw", "--ioengine=mmap"],
                              ["--rw=write", "--filename=link_to_device"]):
                    Fio(loadline, *job, *words).expect(1, "the device is mounted at")
                Fio(loadline, *job, "--rw=read").expect(0)
        for words in (["--name=d", "--rw=write"], ["--name=d", "--rw=randtrim"],
                      ["--name=d", "--rw=randrw", "--numjobs=4"],
                      ["--name=r", "--rw=read", "--name=w", "--stonewall", "--rw=write"]):
            done = Fio(loadline, *job[1:], *words).expect(1, "it is a raw device",
                                                      "allow_mounted_write=1 permits")
            expect_equal(done.err.count("\n"), 1, f"lines about {words}: {done.err}")
            expect_equal(done.out, "", "output of a run that was refused")
        Fio(loadline, *job, "--rw=write", "--readonly").expect(1, "--readonly")
        Fio(loadline, *job, "--rw=write", "--readonly", "--allow_mounted_write=1").expect(1)
        for words in ([f"--output={device}"], [f"--write_iolog={device}"],
                      [f"--mem=mmapshared:{device}"]):
            Fio(loadline, "--name=o", "--filename=never.dat", "--rw=write", "--size=1m",
                *words).expect(1, "is a block device, and output would destroy what is on it")
        expect_equal(digest("image"), before, "content of the device")
        Fio(loadline, *job, "--rw=write", "--verify=crc32c", "--direct=1",
            "--allow_mounted_write=1").expect(0)
    with open("parts", "wb") as file:
        file.truncate(96 * MEGABYTE)
    with loop_device("parts") as device:
        # Made without a table: not every kernel reads one.
        part = pathlib.Path(f"{device}p1")
        if not device or not shutil.which("addpart") or subprocess.run(
                ["addpart", device, "1", "2048", "100000"]).returncode != 0 or not part.exists():
            missing.append("no partitions on loop devices")
            return
        command("mkfs.ext4", "-q", part)
        with mounted(part) as folder:
            for target in (device, part) if folder else ():
                Fio(loadline, "--name=d", f"--filename={target}", "--rw=write", "--bs=64k",
                    "--size=1m").expect(1, "refusing to write", "mounted")
        command("delpart", device, "1")


# --- What is said, and the rest ----------------------------------------------------------------

MESSAGES = (  # options, exit status, what standard error says
    ("--blcksize=4k --name=a", 1, "unrecognized option '--blcksize=4k'", "Did you mean blocksize?"),
    ("--zzqqxx=4k --name=a", 1, "unrecognized option '--zzqqxx=4k'"),
    ("bad.fio", 1, "Bad option <blcksize=4k>", "Did you mean blocksize?", "job a dropped"),
    ("--name=a --size=1m --rw=reed", 1, "failed parsing rw=reed", "randread, randwrite"),
    ("--name=a --size=1m --iodepth=0", 1, "min value out of range: 0 (1 min)",
     "failed parsing iodepth=0"),
    ("--name=a --size=1m --direct=2", 1, "max value out of range: 2 (1 max)",
     "failed parsing direct=2"),
    ("absent.fio", 1, "unable to open 'absent.fio' job file"),
    ("--name=a --rw=read", 1, "a: you need to specify size="),
    ("--name=a --rw=write --size=1m --bs=2m", 1,
     "size too small, must not be less than minimum block size: 1048576 < 2097152"),
    ("--readonly --name=a --rw=write --size=1m", 1, "job <a> has write or trim bit set",
     "read-only"),
    ("--name=a --rw=write --size=1m --readonly", 1,
     "trim and write operations are not allowed with the --readonly parameter"),
    ("--name=a --rw=write --filename=m.dat --size=1m --time_based", 0,
     "time_based requires a runtime/timeout setting"),
    ("--name=a --rw=write --filename=m.dat --size=1000000 --bs=1000 --direct=1", 1,
     "io_u error on file m.dat: Invalid argument: write offset=0, buflen=1000",
     "first direct IO errored.", "Try setting direct=0.", "err=22"),
    ("--name=a --rw=read --filename=m.dat --size=1m --max_latency=1us --bs=64k", 1,
     "fio: latency of ", " nsec exceeds specified max (1000 nsec): m.dat read 0 65536", "err=110"),
    ("--name=a --rw=read --filename=m.dat --size=1m --rate_iops_min=1m --rate_cycle=200 "
     "--thinktime=10000 --runtime=5 --time_based", 1, "fio: a: rate_iops_min=1048576 not met, got ",
     "err=5/file:m.dat"),
    ("--name=a --rw=read --filename=m.dat --size=1m --rate_min=1g --rate_cycle=200 "
     "--thinktime=10000 --runtime=5 --time_based", 1,
     "fio: a: rate_min=1073741824B/s not met, got ",
     "err=5/file:m.dat"),
    ("--name=a --rw=read --filename=m.dat --size=64k --file_append=1", 1,
     "a: file_append=1 begins behind the end of the file"),
    ("--name=a --rw=read --filename=m.dat --size=1% --bs=64k", 1,
     "blocksize is larger than data set range", "err=22"),
    ("--name=a --rw=read --filename=hole.dat --verify=crc32c --verify_only", 1,
     "verify failed at file hole.dat offset 0"),
    ("--name=a --rw=write --filename=hole.dat --verify=crc32c --verify_only --runtime=9", 1,
     "verify_only: nothing was verified", "err=61"),
    ("--server", 1, "--server is not supported"),
    ("--cpuclock-test", 1, "--cpuclock-test is not supported"),
    ("--crctest", 1, "--crctest is not supported"),
    ("--name=a --size=1m --trigger-file=t", 1, "--trigger-file is not supported"),
    ("--name=a --size=1m --trigger-timeout=5", 1, "--trigger-timeout is not supported"),
    ("--name=a --size=1m --trigger=sync", 1, "--trigger is not supported"),
    ("--name=a --size=1m --trigger-remote=sync", 1, "--trigger-remote is not supported"),
    ("--name=a --size=1m --idle-prof=system", 1, "--idle-prof is not supported"),
    ("--name=a --size=1m --debug=io", 1, "--debug is not supported"),
    ("garbage.fio", 1, "garbage.fio is no job file"),
    ("--name=a --rw=write --directory=/no/such --size=1m", 1, "/no/such is not a directory"),
    ("--name=a --rw=write --filename=m.dat --size=1m --output=no/folder/o.txt", 1,
     "output file open error: No such file or directory", "mkdir -p no/folder"),
    ("", 1, "No job(s) defined"),
    ("--name=a --bs", 1, "requires an argument"),
    ("--name=a --bs=", 1, "option bs requires an argument"),
    ("--name=a --size=1sec", 1, "unknown unit 'sec'"),
    ("--name=a --size=1m --runtime=1sec", 1, "write 1s"),
    ("--name=a --size=1m --bs=1.5k", 1, "not a whole number"),
    ("--name=a --size=1m --bs=4q", 1, "unknown unit 'q'"),
    ("--name=a --rw=write --filename=m.dat --size=1m --bs=4KiB", 0,
     "4KiB = 4000 bytes here", "did you mean 4k?"),
    ("--name=a --size=1m --ioengine=foo", 1, "engine foo not loadable"),
    ("--name=a --rw=write --filename=m.dat --size=1m --verify=md5 --verify_interval=3000", 1,
     "make all sizes multiples of 512"),
)


def says_what_is_wrong(loadline):
    pathlib.Path("bad.fio").write_text("[a]\nblcksize=4k\n")
    pathlib.Path("garbage.fio").write_bytes(bytes(range(256)) * 40)
    with open("hole.dat", "wb") as file:
        file.truncate(MEGABYTE)
    for options, status, *texts in MESSAGES:
        done = Fio(loadline, *options.split()).expect(status, *texts)
        if any(" is no job file" in text or "is not supported" in text for text in texts):
            expect_equal(done.err.count("\n"), 1, f"lines about {options}: {done.err!r}")
    expect(not os.path.exists("no"), "the folder of --output was made")
    Fio(loadline, "--name=a", "--filename=absent", "--size=1m", "--readonly",
        "--output=o.json", "--output-format=json").expect(1, "file missing")
    json.loads(pathlib.Path("o.json").read_text())


def shares_a_file_and_starts_many(loadline):
    job = ["--filename=two", "--size=8m", "--bs=64k"]
    Fio(loadline, *job, "--name=a", "--rw=write", "--name=b", "--rw=randwrite").expect(0)
    Fio(loadline, *job, "--name=a", "--rw=read", "--numjobs=4").expect(0)
    many = Fio(loadline, *job, "--name=n", "--rw=randread", "--bs=4k", "--numjobs=128",
               "--runtime=1", "--time_based", "--group_reporting", "--output-format=json").expect(0)
    read = json.loads(many.out)["jobs"][0]["read"]
    expect(read["total_ios"] >= 128, f"128 clones made {read['total_ios']} reads")
    expect_equal(read["runtime"], 1000, "run time of 128 clones")


def memory_of(process: int) -> int:
    """Its share in kB, and that of its children."""
    children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
    total = 0
    for one in (process, *children):
        found = re.search(r"^Pss: +(\d+)", pathlib.Path(f"/proc/{one}/smaps_rollup").read_text(),
                          re.MULTILINE)
        total += int(found[1])
    return total


def needs_little_memory_a_clone(loadline):
    """No more with many than with few: what one clone takes must not grow with their number."""
    each = []
    for clones in (20, 320):
        process = subprocess.Popen(
            [str(loadline.binary), "fio", "--name=n", "--ioengine=null", "--size=1g",
             "--rw=randread", "--time_based", "--runtime=30", "--rate_iops=20",
             "--group_reporting", f"--numjobs={clones}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(4)
        each.append(memory_of(process.pid) / clones)
        process.terminate()
        process.wait(timeout=30)
    expect(each[1] < 750, f"kB a clone, of 20 and of 320: {each}")


def works_on_names_alone(loadline):
    """The engines that make, look at and remove files and directories, by any path."""
    folder = pathlib.Path("names").resolve()
    folder.mkdir()
    for where in (folder, pathlib.Path("names")):
        job = ["--name=n", f"--directory={where}", "--nrfiles=5", "--filesize=4k"]
        for kind, made, gone_after in (("file", "filecreate", "filedelete"),
                                       ("dir", "dircreate", "dirdelete")):
            Fio(loadline, *job, f"--ioengine={made}").expect(0)
            expect_equal(len(list(folder.iterdir())), 5, f"what {made} made in {where}")
            # Empty files are files: any size will do for a look, and for a removal.
            done = Fio(loadline, *job, f"--ioengine={kind}stat").expect(0)
            expect("issued rwts: total=5,0,0,0" in done.out, f"{kind}stat in {where}: {done.out}")
            Fio(loadline, *job, f"--ioengine={gone_after}").expect(0)
            expect_equal(list(folder.iterdir()), [], f"what {gone_after} left in {where}")
    expect(not pathlib.Path("/n.0.0").exists(), "a directory was made below the root")


def shows_runs_like_any_other(loadline):
    pathlib.Path("job.fio").write_text(
        "[global]\nsize=8m\nbs=16k\nfilename=of_job\n[w]\nrw=write\n[r]\nstonewall\nrw=randread\n")
    loadline.run("run", "job.fio", "--archive", "archive_job")
    expect("job.fio" in loadline.run("list", "--archive", "archive_job").stdout, "not listed")
    shown = loadline.run("show", "w1", "--archive", "archive_job").stdout
    for text in (r"stage1 +write +512 ", r"stage2 +read +512 "):
        expect(re.search(text, shown), f"{text} is not in {shown}")
    Fio(loadline, "--name=ディスク-é", "--ioengine=null", "--size=1m").expect(0)
    expect("ディスク-é" in loadline.run("list", "--archive", ARCHIVE).stdout, "the name is lost")
    folder = next(pathlib.Path("archive_job").glob("w1-*"))
    (folder / "report.html").unlink()
    loadline.run("report", "w1", "--archive", "archive_job")
    expect("<html" in (folder / "report.html").read_text(), "no report")
    json.loads((folder / "fio.json").read_text())


def tells_what_was_missing(_):
    if missing:
        raise Skipped("; ".join(dict.fromkeys(missing)))


if __name__ == "__main__":
    run(says_what_is_wrong, doubts_reads_from_memory, doubts_writes_that_are_in_memory,
        ends_well_when_the_space_ends, ends_well_when_the_file_shrinks,
        ends_well_when_the_mount_goes, ends_well_by_signals, leaves_foreign_files_alone,
        leaves_devices_in_use_alone,
        works_on_names_alone, shares_a_file_and_starts_many, needs_little_memory_a_clone,
        shows_runs_like_any_other, tells_what_was_missing)
