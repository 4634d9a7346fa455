#!/usr/bin/env python3
"""What `loadline fio` says about storages of many kinds: nothing where all is clean, the truth
where a cache answers; and that it runs on xfs, and on a FUSE file system over object storage."""
import contextlib
import itertools
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
from fio_files_test import (MEGABYTE, Fio, bindfs, cached_percent, digest,  # noqa: E402
                            folder_on_disk, loop_device, missing, mounted, write_file)
from harness import Skipped, command, expect, expect_equal, run  # noqa: E402
from radosgw_cosbench_test import Ceph  # noqa: E402

# Said of a run of a second, or of a machine that does other work at the same time; not of files.
OF_SHORT_RUNS = {"too_short", "debug_build", "clock_stepped"}
OF_BUSY_MACHINES = {"client_bound", "not_steady"}


def drop(file):
    descriptor = os.open(file, os.O_RDONLY)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def leaves_clean_runs_alone(loadline):
    """Twenty of twenty: sizes, depths, engines, clones and directions, all direct on a disk."""
    disk = folder_on_disk()
    if not disk:
        return
    write_file(disk / "f", 64)
    engines = [("psync", 1), ("libaio", 16), ("io_uring", 4), ("pvsync2", 1), ("io_uring", 32),
               ("libaio", 2), ("posixaio", 4), ("sync", 1)]
    kinds = itertools.cycle(itertools.product(("randread", "read", "randwrite", "write", "randrw"),
                                              ("4k", "64k", "1m", "16k")))
    for index, (rw, bs) in zip(range(20), kinds):
        engine, depth = engines[index % len(engines)]
        job = ["--name=c", f"--filename={disk / 'f'}", "--size=64m", "--direct=1", f"--rw={rw}",
               f"--bs={bs}", f"--ioengine={engine}", f"--iodepth={depth}", "--overwrite=1",
               f"--numjobs={1 + index % 3}", "--time_based", "--runtime=1"]
        doubts = Fio(loadline, *job).expect(0).doubts()
        for name in OF_SHORT_RUNS | OF_BUSY_MACHINES:
            doubts.pop(name, None)
        expect(not doubts, f"a clean run is doubted: {' '.join(job)}: {doubts}")
    shutil.rmtree(disk)


def shares_of_clones(share="cached_share") -> list[tuple[str, int]]:
    """What the newest run's jobs had from the cache, in percent, with their names."""
    newest = max(pathlib.Path("archive").glob("w*/result.json"),
                 key=lambda path: path.stat().st_mtime_ns)
    jobs = [job for stage in json.loads(newest.read_text())["stages"] for job in stage["jobs"]]
    return [(job["name"], round(100 * job["block"]["observed"][share])) for job in jobs]


def shares_of_jobs() -> dict[str, int]:
    return dict(shares_of_clones())


@contextlib.contextmanager
def other_reads(file):
    """Somebody else reads this file from its disk, again and again."""
    loop = "while :; do dd if=$0 of=/dev/null bs=1M iflag=direct 2>/dev/null; done"
    reader = subprocess.Popen(["sh", "-c", loop, str(file)], start_new_session=True)
    try:
        yield
    finally:
        os.killpg(reader.pid, signal.SIGKILL)
        reader.wait()


def counts_no_reads_of_others(loadline, disk, common):
    """Clones of one job, four passes each: the first brings it in."""
    write_file(disk / "others", 32)
    clones = ["--name=clones", f"--filename={disk / 'half'}", "--numjobs=4", "--loops=4",
              "--offset_increment=8m", "--size=8m"]
    engines = (["psync"], ["io_uring", "--iodepth=4"], ["posixaio", "--iodepth=4"],
               ["psync", "--thread"])
    with other_reads(disk / "others"):
        for engine, *more in engines:
            drop(disk / "half")
            Fio(loadline, *common, *clones, f"--ioengine={engine}", *more).expect(0)
            shares = [share for _, share in shares_of_clones()]
            expect(all(abs(share - 75) <= 5 for share in shares),
                   f"{engine} {more}: 75 % were cached of each clone: {shares}")
        # Read-ahead of one clone runs into the part of the next: only the sum is certain.
        drop(disk / "half")
        Fio(loadline, *common, *clones, "--rw=read").expect(0)
        shares = [share for _, share in shares_of_clones()]
        expect(abs(sum(shares) / 4 - 75) <= 5, f"75 % were cached in all: {shares}")


def tells_each_job_its_own_share(loadline):
    """Jobs side by side, and one after the other, of which some read what is cached."""
    disk = folder_on_disk()
    if not disk:
        return
    for name in ("warm", "cold", "half"):
        write_file(disk / name, 32)
        drop(disk / name)
    (disk / "warm").read_bytes()
    descriptor = os.open(disk / "half", os.O_RDONLY)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_RANDOM)
    os.pread(descriptor, 16 * MEGABYTE, 0)
    os.close(descriptor)
    common = ["--size=32m", "--rw=randread", "--bs=16k", "--invalidate=0"]
    jobs = [word for name in ("warm", "cold", "half")
            for word in (f"--name={name}", f"--filename={disk / name}")]
    Fio(loadline, *common, *jobs).expect(0)
    shares = shares_of_jobs()
    for name, share in (("warm", 100), ("cold", 0), ("half", 50)):
        expect(abs(shares[name] - share) <= 5, f"{name}: {share} % were cached: {shares}")
    # One that waits reads what the one before has just read; a clone is no part of another.
    for name in ("warm", "cold", "half"):
        drop(disk / name)
    Fio(loadline, *common, "--name=first", f"--filename={disk / 'cold'}", "--name=second",
        f"--filename={disk / 'cold'}", "--wait_for=first", "--name=late",
        f"--filename={disk / 'warm'}", "--startdelay=1").expect(0)
    shares = shares_of_jobs()
    for name, share in (("first", 0), ("second", 100), ("late", 0)):
        expect(abs(shares[name] - share) <= 5, f"{name}: {share} % were cached: {shares}")
    counts_no_reads_of_others(loadline, disk, common)
    # Each pass of a job begins with a cold cache; mapped pages stay where they are, as in fio.
    for engine, share in (("psync", 0), ("mmap", 67)):
        drop(disk / "half")
        Fio(loadline, "--name=p", f"--filename={disk / 'half'}", "--size=32m", "--rw=randread",
            "--bs=64k", "--loops=3", f"--ioengine={engine}").expect(0)
        got = shares_of_jobs()["p"]
        expect(abs(got - share) <= 5, f"three passes by {engine}: {share} % were cached, not {got}")
    with bindfs(disk) as (folder, _):
        if folder:
            # Only the sum of both can be seen below; neither may pass for clean.
            Fio(loadline, *common, "--name=a", f"--filename={folder / 'warm'}").expect(0)
            Fio(loadline, *common, f"--filename={folder / 'warm'}", "--name=a",
                "--name=b").expect(0)
            shares = shares_of_jobs()
            expect(min(shares.values()) >= 90, f"a cached FUSE mount, two jobs: {shares}")
    shutil.rmtree(disk)


def works_on_xfs(loadline):
    disk = folder_on_disk()
    if not disk:
        return
    with open(disk / "image", "wb") as file:
        file.truncate(512 * MEGABYTE)
    if not shutil.which("mkfs.xfs") or subprocess.run(
            ["mkfs.xfs", "-q", str(disk / "image")], capture_output=True).returncode != 0:
        missing.append("no xfs")
        return
    with loop_device(disk / "image") as device:
        with mounted(device) if device else contextlib.nullcontext() as folder:
            if folder:
                job = ["--name=x", f"--filename={folder / 'f'}", "--size=32m", "--bs=64k"]
                Fio(loadline, *job, "--rw=randwrite", "--verify=crc32c", "--direct=1",
                    "--ioengine=io_uring", "--iodepth=8", "--fsync=64").expect(0)
                doubts = Fio(loadline, *job, "--rw=read", "--direct=1", "--ioengine=libaio",
                             "--iodepth=4").expect(0).doubts()
                expect(not {"from_cache", "holes", "direct_refused"} & doubts.keys(), f"{doubts}")
                doubts = Fio(loadline, *job, "--rw=read", "--loops=4").expect(0).doubts()
                command("fallocate", "-l", "32m", folder / "unwritten")
                doubts = Fio(loadline, *job, f"--filename={folder / 'unwritten'}",
                             "--direct=1").expect(0).doubts()
                expect("holes" in doubts, f"allocated space without data: {doubts}")
                Fio(loadline, *job, f"--filename={folder / 'big'}", "--size=2g",
                    "--rw=write").expect(1, "No space left on device")
    shutil.rmtree(disk)


@contextlib.contextmanager
def s3fs(ceph, bucket: str):
    """A mount of the bucket, with s3fs's own cache of data off; None where there is none."""
    folder = pathlib.Path(tempfile.mkdtemp(dir="."))
    keys = pathlib.Path("s3fs_keys")
    keys.touch(mode=0o600)
    keys.write_text(f"{ceph.access_key}:{ceph.secret_key}")
    server = subprocess.Popen(
        ["s3fs", bucket, str(folder), "-f", "-o", f"passwd_file={keys}", "-o",
         f"url={ceph.endpoint}", "-o", "use_path_request_style"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(200):
        if os.path.ismount(folder) or server.poll() is not None:
            break
        time.sleep(0.05)
    try:
        yield folder if os.path.ismount(folder) else None
    finally:
        subprocess.run(["umount", str(folder)], capture_output=True, timeout=60)
        server.kill()
        server.wait()
        subprocess.run(["umount", "-l", str(folder)], capture_output=True, timeout=20)


def works_over_object_storage(loadline):
    """The shape of an Alluxio mount: FUSE in front of S3."""
    if not (shutil.which("s3fs") and shutil.which("radosgw") and os.path.exists("/dev/fuse")):
        missing.append("no s3fs, radosgw or /dev/fuse")
        return
    with Ceph() as ceph:
        ceph.make_bucket("files")
        with s3fs(ceph, "files") as folder:
            if not folder:
                missing.append("s3fs does not mount")
                return
            job = ["--name=s", f"--filename={folder / 'f'}", "--size=8m", "--bs=256k"]
            Fio(loadline, *job, "--rw=write", "--end_fsync=1", "--fallocate=none").expect(0)
            before = digest(folder / "f")
            expect_equal(ceph.usage("files")[1] >= 8 * MEGABYTE, True, "bytes in the bucket")
            read = Fio(loadline, *job, "--rw=read", "--ioengine=libaio", "--direct=1", "--readonly",
                       "--numjobs=2", "--group_reporting", "--output-format=json")
            # As the file system will have it: O_DIRECT may be refused by it, and then aloud.
            if read.status == 0:
                total = json.loads(read.out)["jobs"][0]["read"]["io_bytes"]
                expect_equal(total, 16 * MEGABYTE, "bytes read")
            else:
                expect("direct" in read.err, f"s3fs and O_DIRECT: {read.err}")
            again = Fio(loadline, *job, "--rw=randread", "--invalidate=0", "--loops=3").expect(0)
            percent = cached_percent(again.doubts())
            # Two of three passes move nothing; the first crosses lo twice, the store being here.
            expect(percent >= 20, f"a cached mount over S3: {percent} %, {again.doubts()}")
            Fio(loadline, *job, "--rw=write", "--verify=md5", "--fallocate=none",
                f"--filename={folder / 'v'}").expect(0)
            expect_equal(digest(folder / "f"), before, "what was only read")


def tells_what_was_missing(_):
    if missing:
        raise Skipped("; ".join(dict.fromkeys(missing)))


if __name__ == "__main__":
    run(leaves_clean_runs_alone, tells_each_job_its_own_share, works_on_xfs,
        works_over_object_storage, tells_what_was_missing)
