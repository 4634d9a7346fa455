#!/usr/bin/env python3
"""`loadline fio --verify` on real files: damage in a gibibyte is found and named whatever the
checksum, what is whole raises no alarm, a run cut off is verified as far as it came, and fio and
Loadline verify what the other wrote."""
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from harness import expect, expect_equal, run  # noqa: E402

MEGABYTE = 1 << 20
BLOCK = 64 << 10
GIBIBYTE = 1 << 30
KINDS = ["md5", "crc64", "crc32c", "crc32c-intel", "crc32", "crc16", "crc7", "xxhash", "sha1",
         "sha256", "sha512", "sha3-224", "sha3-256", "sha3-384", "sha3-512", "meta", "pattern_hdr",
         "pattern"]


class Fio:
    """One run in a folder: what it said and how it ended."""

    def __init__(self, loadline, *words, folder=".", limit: float = 120):
        self.words = " ".join(map(str, words))
        done = subprocess.run(
            [str(loadline.binary), "fio", *map(str, words)], capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=limit, cwd=folder,
            env={**os.environ, "LOADLINE_ARCHIVE": str(pathlib.Path(folder, "archive").resolve())})
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr

    def expect(self, status: int, *texts: str):
        expect_equal(self.status, status, f"exit of {self.words} ({self.err[-300:]!r})")
        for text in texts:
            expect(text in self.err, f"{self.words}: {text!r} is not in {self.err[-400:]!r}")
        return self

    def reads(self) -> int:
        found = re.search(r"issued rwts: total=(\d+),", self.out)
        return int(found[1]) if found else 0


def put(path, offset: int, data: bytes):
    with open(path, "r+b") as file:
        file.seek(offset)
        file.write(data)


def get(path, offset: int, length: int = BLOCK) -> bytes:
    with open(path, "rb") as file:
        file.seek(offset)
        return file.read(length)


def damage(path, old: bytes) -> dict[str, int]:
    """Four kinds of damage; each with the offset of the block it is in."""
    blocks = os.path.getsize(path) // BLOCK
    flipped, one, other, stale, torn = (
        at * BLOCK for at in (blocks - 3, blocks // 2, blocks - 9, 7, 12))
    put(path, flipped + 40_000, bytes([get(path, flipped + 40_000, 1)[0] ^ 1]))
    first, second = get(path, one), get(path, other)
    put(path, one, second)
    put(path, other, first)
    put(path, stale, old[stale:stale + BLOCK])
    half = BLOCK // 2
    put(path, torn + half, old[torn + half:torn + BLOCK])
    return {"flipped": flipped, "swapped": one, "swapped too": other, "stale": stale, "torn": torn}


def named(err: str) -> dict[tuple[str, int], str]:
    found = re.findall(r"^fio: verify failed at file (\S+) offset (\d+), length (\d+): (.*)$", err,
                       re.MULTILINE)
    expect(all(int(length) == BLOCK for _, _, length, _ in found), f"lengths of {found}")
    return {(file, int(offset)): text for file, offset, _, text in found}


def finds_damage_of(loadline, kind: str, folder: pathlib.Path) -> float:
    """Seconds that it took."""
    begun = time.monotonic()
    job = ["--name=v", "--filename=v.dat", "--rw=write", "--bs=64k", f"--verify={kind}",
           "--size=1g"] + (["--verify_pattern=0xdeadbeef%o"] if "pattern" in kind else [])
    Fio(loadline, *job, "--do_verify=0", "--size=2m", "--randseed=77", folder=folder).expect(0)
    file = folder / "v.dat"
    old = file.read_bytes()
    Fio(loadline, *job, "--do_verify=0", folder=folder).expect(0)
    expect_equal(os.path.getsize(file), GIBIBYTE, f"{kind}: size")
    places = damage(file, old)
    # Data that is the same each time hides that it is old.
    for hidden in {"meta": ["torn"], "pattern_hdr": ["torn"],
                   "pattern": ["torn", "stale"]}.get(kind, []):
        del places[hidden]
    checked = Fio(loadline, *job, "--verify_only", folder=folder).expect(1, "err=84/file:v.dat")
    expect_equal(checked.reads(), GIBIBYTE // BLOCK, f"{kind}: blocks read")
    wrong = named(checked.err)
    expect_equal(sorted(offset for _, offset in wrong), sorted(places.values()),
                 f"{kind}: blocks named of {places}")
    expect_equal({name for name, _ in wrong}, {"v.dat"}, f"{kind}: files")
    if "pattern" not in kind and kind != "meta":
        expect("1 byte differs" in wrong["v.dat", places["flipped"]], f"{kind}: {wrong}")
        expect("offset" in wrong["v.dat", places["swapped"]], f"{kind}: {wrong}")
        expect("another run" in wrong["v.dat", places["stale"]], f"{kind}: {wrong}")
        expect("torn" in wrong["v.dat", places["torn"]], f"{kind}: {wrong}")
    return time.monotonic() - begun


def finds_all_damage_in_a_gibibyte(loadline):
    """In memory where there is room, two kinds at a time."""
    memory = pathlib.Path("/dev/shm")
    room = memory.is_dir() and shutil.disk_usage(memory).free > 5 * GIBIBYTE // 2
    root = pathlib.Path(tempfile.mkdtemp(dir=memory if room else ".", prefix="loadline_verify_"))

    def one(kind: str) -> float:
        folder = root / kind
        folder.mkdir()
        try:
            return finds_damage_of(loadline, kind, folder)
        finally:
            shutil.rmtree(folder)

    try:
        with concurrent.futures.ThreadPoolExecutor(2 if room else 1) as pairs:
            for kind, seconds in zip(KINDS, pairs.map(one, KINDS)):
                print(f"{kind}: {seconds:.1f} s")
    finally:
        shutil.rmtree(root, ignore_errors=True)


def knows_whose_data_it_is(loadline):
    # Neither another path nor several loops make a block wrong.
    loops = ["--name=v", "--rw=randwrite", "--bs=4k", "--size=4m", "--verify=sha1", "--loops=3"]
    Fio(loadline, *loops, "--filename=v.dat").expect(0)
    os.rename("v.dat", "moved.dat")
    Fio(loadline, *loops, f"--filename={os.path.abspath('moved.dat')}", "--verify_only").expect(0)
    # A job that only reads knows no seed: what stands there may be of any run, but whole.
    reads = ["--name=v", "--filename=v.dat", "--bs=64k", "--size=8m", "--verify=md5"]
    Fio(loadline, *reads, "--rw=write", "--do_verify=0").expect(0)
    put("v.dat", 3 * BLOCK + 777, b"?")
    wrong = named(Fio(loadline, *reads, "--rw=randread").expect(1).err)
    expect_equal(list(wrong), [("v.dat", 3 * BLOCK)], "what a read job names")
    Fio(loadline, *reads, "--rw=read", "--continue_on_error=verify").expect(
        0, f"verify failed at file v.dat offset {3 * BLOCK},")
    Fio(loadline, *reads, "--rw=write", "--filename=v.dat:./v.dat").expect(1, "name each file once")


def verifies_as_far_as_a_run_came(loadline):
    job = ["--name=c", "--filename=cut.dat", "--bs=4k", "--size=64m", "--verify=crc32c"]
    state = pathlib.Path("local-c-0-verify.state")

    def expect_as_far(words: list[str]):
        Fio(loadline, *job, *words, "--do_verify=0", "--rate_iops=3000", "--runtime=1").expect(0)
        checked = Fio(loadline, *job, *words, "--verify_only", "--runtime=1").expect(0)
        expect(2000 < checked.reads() < 4000, f"{words}: {checked.reads()} blocks were read")
        expect("cut.dat" not in checked.err, f"{words}: {checked.err}")
        put("cut.dat", 0, b"x" * (64 * MEGABYTE))
        Fio(loadline, *job, *words, "--verify_only").expect(1, "verify failed")

    for words in (["--rw=write"], ["--rw=randwrite"], ["--rw=randrw", "--rwmixread=20"],
                  ["--rw=randwrite", "--ioengine=io_uring", "--iodepth=8", "--norandommap"]):
        expect_as_far(words)
    # Without a state holes count as never written, if the job had a time.
    os.remove("cut.dat")
    Fio(loadline, *job, "--rw=randwrite", "--do_verify=0", "--rate_iops=3000",
        "--runtime=1").expect(0)
    state.unlink()
    Fio(loadline, *job, "--rw=randwrite", "--verify_only", "--runtime=1").expect(
        0, "blocks hold nothing and count as never written")
    Fio(loadline, *job, "--rw=randwrite", "--verify_only").expect(1, "found zeros")
    Fio(loadline, *job, "--rw=randwrite", "--verify_only", "--verify_state_load=1").expect(
        1, f"there is no {state}")
    # Ctrl-C leaves one too.
    os.remove("cut.dat")
    writer = subprocess.Popen([str(loadline.binary), "fio", *job, "--rw=randwrite", "--do_verify=0",
                               "--rate_iops=2000"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    time.sleep(1.5)
    writer.send_signal(signal.SIGINT)
    expect_equal(writer.wait(20), 128, "exit after Ctrl-C")
    checked = Fio(loadline, *job, "--rw=randwrite", "--verify_only", "--verify_state_load=1")
    checked.expect(0)
    expect(500 < checked.reads() < 6000, f"{checked.reads()} blocks after Ctrl-C")
    # What an earlier job of the same file wrote is known, and no more is expected.
    os.remove("cut.dat")
    Fio(loadline, "--filename=cut.dat", "--bs=64k", "--verify=meta", "--verify_interval=512",
        "--size=64m", "--name=w", "--rw=write", "--do_verify=0", "--rate_iops=300", "--runtime=1",
        "--name=r", "--stonewall", "--rw=read").expect(0)
    # Another program's file of that name is left alone.
    state.write_bytes(b"\3\0\0\0\0\0\0\0 of another program")
    Fio(loadline, *job, "--rw=write").expect(0, "the state for verify_only is not kept")
    expect(b"another" in state.read_bytes(), "a foreign file was overwritten")
    state.unlink()


def real_fio(*words) -> subprocess.CompletedProcess:
    return subprocess.run(["/usr/bin/fio", *words, "--verify_state_save=0"], capture_output=True,
                          text=True, stdin=subprocess.DEVNULL, timeout=60)


def fio_and_loadline_verify_each_other(loadline):
    if not os.path.exists("/usr/bin/fio"):
        print("skipped: there is no fio here")
        return
    with_digest = [kind for kind in KINDS if kind not in ("sha512", "pattern", "pattern_hdr")]
    shapes = [["--bs=4k"], ["--bs=16k", "--verify_interval=512"],
              ["--bs=4k", "--verify_offset=512"], ["--bsrange=4k-16k", "--verify_interval=4k"]]
    jobs = [[f"--verify={kind}", *shape] for kind in with_digest for shape in shapes[:2]]
    jobs += [["--verify=crc32c", *shape] for shape in shapes]
    jobs += [[f"--verify={kind}", "--bs=4k", "--verify_pattern=0xdeadbeefaa%o"]
             for kind in ("pattern", "sha1", "meta")]

    def by_fio(*words: str) -> int:
        done = real_fio(*words)
        # With verify_interval it says so and ends with 0.
        found = re.search(r"verify failed at file|verify: bad", done.stderr + done.stdout)
        return done.returncode or (1 if found else 0)

    def by_loadline(*words: str) -> int:
        return Fio(loadline, *words).status

    for job in jobs:
        words = ["--name=x", "--filename=x.dat", "--size=1m", *job]
        kind = job[0].partition("=")[2]
        for writer, reader in ((by_fio, by_loadline), (by_loadline, by_fio)):
            pathlib.Path("x.dat").unlink(missing_ok=True)
            for state in pathlib.Path().glob("*verify.state"):
                state.unlink()
            told = f"{job} from {writer.__name__} {reader.__name__}"
            expect_equal(writer(*words, "--rw=write", "--do_verify=0"), 0, f"writing {told}")
            for order in ("read", "randread"):
                expect_equal(reader(*words, f"--rw={order}"), 0, f"{order} {told}")
            expect_equal(reader(*words, "--rw=write", "--verify_only"), 0, f"verify_only {told}")
            if kind != "meta":
                place = 9 * 4096 + 2000
                put("x.dat", place, bytes([get("x.dat", place, 1)[0] ^ 1]))
                expect(reader(*words, "--rw=read") != 0, f"a flipped byte: {told}")
                put("x.dat", place, bytes([get("x.dat", place, 1)[0] ^ 1]))
            if kind != "pattern":
                put("x.dat", 65536, get("x.dat", 131072, 16384))
                expect(reader(*words, "--rw=read") != 0, f"misplaced blocks: {told}")
    # fio's sha512 keeps no digest.
    words = ["--name=x", "--filename=x.dat", "--size=64k", "--bs=4k", "--verify=sha512"]
    expect_equal(by_fio(*words, "--rw=write", "--do_verify=0"), 0, "fio's sha512")
    Fio(loadline, *words, "--rw=read").expect(1, "keeps no checksum that could be compared")
    pathlib.Path("x.dat").unlink()


def random_job(dice: random.Random) -> list[str]:
    def sometimes(chance: float, *words: str) -> list[str]:
        return [dice.choice(words)] if dice.random() < chance else []

    kind = dice.choice(KINDS)
    sizes = dice.choice(["--bs=4k", "--bs=64k", "--bsrange=4k-64k", "--bsrange=1k-32k",
                         "--bssplit=4k/50:16k/30:64k/20", "--bs=4k,16k"])
    engine = dice.choice(["psync", "libaio", "io_uring", "mmap", "posixaio", "pvsync2"])
    job = ["--name=j", "--directory=jobs", f"--size={dice.choice([4, 8])}m", f"--verify={kind}",
           f"--rw={dice.choice(['write', 'randwrite', 'rw', 'randrw'])}", sizes,
           f"--ioengine={engine}", f"--randseed={dice.randrange(1 << 30)}"]
    if "pattern" in kind:
        job.append("--verify_pattern=" + dice.choice(["0xdeadbeef", "%o", '"ab"0x12%o']))
    if engine in ("libaio", "io_uring", "posixaio"):
        job.append(f"--iodepth={dice.choice([2, 8, 32])}")
    if engine in ("libaio", "io_uring", "psync") and "=1k" not in sizes:
        job += sometimes(0.5, "--direct=1")
    if dice.random() < 0.4:
        job.append(f"--verify_backlog={dice.choice([7, 64, 1000])}")
        job += sometimes(0.5, "--verify_backlog_batch=3", "--verify_backlog_batch=50")
    if engine != "mmap" and dice.random() < 0.3:
        job += ["--trim_percentage=20", f"--trim_backlog={dice.choice([1, 40])}"]
    return (job + sometimes(0.4, "--nrfiles=2", "--nrfiles=5") + sometimes(0.3, "--numjobs=3")
            + sometimes(0.4, "--verify_interval=512", "--verify_interval=4096")
            + sometimes(0.3, "--verify_offset=64", "--verify_offset=300")
            + sometimes(0.3, "--norandommap", "--random_distribution=zipf:1.1")
            + sometimes(0.3, "--loops=2", "--offset=1m", "--fsync=16", "--verify_async=2"))


def raises_no_false_alarm(loadline):
    dice = random.Random(20)
    for _ in range(20):
        shutil.rmtree("jobs", ignore_errors=True)
        os.mkdir("jobs")
        words = random_job(dice)
        for more in ([], ["--verify_only"]):
            done = Fio(loadline, *words, *more).expect(0)
            expect("verify failed" not in done.err, f"{done.words}: {done.err}")
    shutil.rmtree("jobs")


if __name__ == "__main__":
    run(fio_and_loadline_verify_each_other, knows_whose_data_it_is,
        verifies_as_far_as_a_run_came, raises_no_false_alarm, finds_all_damage_in_a_gibibyte)
