#!/usr/bin/env python3
"""Command lines as people have them in their documents, given to compat/fio and to fio, with their
outputs read by one parser; and fio's helper scripts fed with our logs."""
import concurrent.futures
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
from fio_equivalence_test import json_of, key_tree, moved  # noqa: E402
from harness import ROOT, expect, expect_equal, need, run  # noqa: E402

# As they stand in the documents, but for <numjobs>, the sizes and the path of the file.
READ = ("fio -iodepth=1 -rw=read -ioengine=libaio -bs=256k -numjobs=<numjobs> -group_reporting "
        "-size=100G -filename=/mnt/alluxio/100gb -name=read_test --readonly -direct=1 --runtime=60")
RANDREAD = ("fio -iodepth=1 -rw=randread -ioengine=libaio -bs=4k -numjobs=<numjobs> "
            "-group_reporting -size=100G -filename=/mnt/alluxio/100gb -name=read_test --readonly "
            "-direct=1 --runtime=60")
CEPH = ("fio -filename=/mnt/ceph/fio -direct=1 -iodepth 1 -thread -rw=read -ioengine=psync -bs=64k "
        "-size=10G -numjobs=<numjobs> -runtime=600  -group_reporting -name=mytest "
        "-output home/result/Result_64k_read1.log")
SIZES = {1: "32m", 32: "4m", 128: "1m"}


class Shell:
    """A folder to type commands in, and what `fio` stands for there."""

    def __init__(self, path_of_fio: str, folder: pathlib.Path):
        self.folder = folder
        (folder / "home/result").mkdir(parents=True)
        self.environment = {**os.environ, "PATH": f"{path_of_fio}:{os.environ['PATH']}",
                            "LOADLINE_ARCHIVE": str(folder / "archive")}

    def type(self, line: str):
        return subprocess.run(line, shell=True, cwd=self.folder, env=self.environment, text=True,
                              capture_output=True, stdin=subprocess.DEVNULL, timeout=120)


def shim_of(loadline) -> str:
    """compat/fio and the binary beside it, as they are installed."""
    folder = pathlib.Path("bin").resolve()
    if not folder.exists():
        folder.mkdir()
        shutil.copy(ROOT / "compat" / "fio", folder / "fio")
        os.symlink(loadline.binary, folder / "loadline")
    return str(folder)


def scaled(line: str, numjobs: int, file: str) -> str:
    return (line.replace("<numjobs>", str(numjobs)).replace("/mnt/alluxio/100gb", file)
            .replace("/mnt/ceph/fio", file).replace("=100G", f"={SIZES[numjobs]}")
            .replace("=10G", f"={SIZES[numjobs]}"))


def percent_lines(text: str) -> list[str]:
    return re.findall(r"(\d+\.\d+)th=\[ *\d+\]", text)


def parsed(text: str) -> dict:
    """The normal output, as a script takes it apart."""
    head = re.search(r"^(\S+): \(groupid=(\d+), jobs=(\d+)\): err=([ \d]\d+)(.*): pid=\d+: "
                     r"\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$", text, re.MULTILINE)
    expect(head, f"no line of a job: {text}")
    started = re.search(r"^Starting (.*)$", text, re.MULTILINE)
    opened = re.search(r"^(\S+): \(g=0\): (rw=.*)$", text, re.MULTILINE)
    read = re.search(r"^  read: IOPS=([\d.]+[kM]?), BW=([\d.]+)([KMG]iB/s) \(([\d.]+)([kMG]B/s)\)"
                     r"\(([\d.]+)([KMG]iB)/(\d+)msec\)$", text, re.MULTILINE)
    issued = re.search(r"issued rwts: (total=\S+ short=\S+ dropped=\S+)", text)
    total = re.search(r"^   READ: bw=[\d.]+[KMG]iB/s \([\d.]+[kMG]B/s\), .*io=(\S+) \((\S+)\), "
                      r"run=\d+-\d+msec$", text, re.MULTILINE)
    for what, found in (("direction", read), ("issued", issued), ("group", total)):
        expect(found, f"no line of {what}: {text}")
    # Samples of the rate are taken each half second; the rest of a line's name is a unit.
    labels = re.findall(r"^ +([a-z%][a-zA-Z ]*?) *(?:\([a-zA-Z/ ]+\))? *:", text, re.MULTILINE)
    devices = re.findall(r"^ +(\S+): (?=ios=)([a-z_]+)=.*util=", text, re.MULTILINE)
    return {"job": head.groups()[:4], "said": head[5], "started": started and started[1],
            "opened": opened and opened.groups(), "moved": (read[6], read[7]),
            "issued": issued[1], "group": total.groups(), "percentiles": percent_lines(text),
            "labels": sorted({label for label in labels if label not in ("bw", "iops")}),
            "devices": devices, "version": re.findall(r"^fio-[\d.]+$", text, re.MULTILINE),
            "ellipsis": text.count("\n...\n")}


def folders() -> list[pathlib.Path]:
    """One on a disk and one in memory."""
    return [pathlib.Path(tempfile.mkdtemp(dir=where, prefix="loadline-commands."))
            for where in (pathlib.Path.cwd(), "/dev/shm")]


def compare(line: str, numjobs: int, folder: pathlib.Path, shells: dict[str, Shell]):
    what = f"{line} with {numjobs} jobs in {folder}"
    # A file of many sizes would give other reads: one for all of these commands.
    file = str(folder / f"data{numjobs}")
    normal, tree, counts = {}, {}, {}
    for name, shell in shells.items():
        done = shell.type(scaled(line, numjobs, file))
        expect_equal((done.returncode, done.stderr.startswith("fio: io_u")), (0, False),
                     f"{name}: {what}: {done.stderr[-300:]}")
        text = done.stdout
        if " -output " in line:
            expect_equal(text, "", f"{name}: on the terminal")
            text = (shell.folder / "home/result/Result_64k_read1.log").read_text()
        normal[name] = parsed(text)
        done = shell.type(scaled(line, numjobs, file)
                          + " --output-format=json --output=/dev/stdout")
        document = json_of(done.stdout)
        tree[name], counts[name] = key_tree(document), moved(document)
        counts[name]["jobs"] = [(job["jobname"], job["error"], job["job options"])
                                for job in document["jobs"]]
        counts[name]["global options"] = document["global options"]
    for field, value in normal["fio"].items():
        expect_equal(normal["loadline"][field], value, f"{field} of {what}")
    expect_equal(tree["loadline"] ^ tree["fio"], set(), f"JSON keys of {what}")
    expect_equal(counts["loadline"], counts["fio"], f"JSON figures of {what}")


def runs_documents_as_they_are(loadline):
    need("fio")
    real = os.path.dirname(shutil.which("fio"))
    for folder in folders():
        shells = {}
        for name, path in (("fio", real), ("loadline", shim_of(loadline))):
            (folder / name).mkdir()
            shells[name] = Shell(path, folder / name)
        for numjobs, size in SIZES.items():
            with open(folder / f"data{numjobs}", "wb") as file:
                file.write(os.urandom(int(size[:-1]) << 20))
                os.fsync(file.fileno())
            with concurrent.futures.ThreadPoolExecutor(3) as pool:
                list(pool.map(lambda line: compare(line, numjobs, folder, shells),
                              (READ, RANDREAD, CEPH)))
        # The third makes its file itself.
        for shell in shells.values():
            done = shell.type(scaled(CEPH, 1, str(shell.folder / "fio")))
            expect_equal(done.returncode, 0, f"a missing file: {done.stderr}")
            text = (shell.folder / "home/result/Result_64k_read1.log").read_text()
            expect("mytest: Laying out IO file (1 file / 32MiB)" in text, f"no layout: {text}")
            # A folder that is missing: one line, and nothing has run.
            done = shell.type(scaled(CEPH, 1, "none").replace("home/", "away/"))
            expect_equal(done.returncode, 1, "exit of a missing folder")
            expect("output file open error: No such file or directory" in done.stderr, done.stderr)
            expect(not (shell.folder / "none").exists(), "something has run")
            # A file that is missing, which --readonly forbids to make: all clones fail.
            done = shell.type(scaled(READ, 32, str(shell.folder / "gone")))
            expect_equal(done.returncode, 32, f"32 clones without a file: {done.stderr}")
        shutil.rmtree(folder)


def feeds_fios_helper_scripts(loadline):
    """Ours end well with the same number of lines as with fio's own logs."""
    need("fio", "fio2gnuplot", "fio_jsonplus_clat2csv")
    real = os.path.dirname(shutil.which("fio"))
    lines = {}
    for name, path in (("fio", real), ("loadline", shim_of(loadline))):
        folder = pathlib.Path(f"logs_{name}").resolve()
        folder.mkdir()
        shell = Shell(path, folder)
        job = ("fio --name=l --size=64k --rw=randrw --time_based --runtime=2 --rate_iops=500 "
               "--ioengine=null --numjobs=2 --output-format=json+ --output=o.json "
               "--write_bw_log=l --write_iops_log=l --write_lat_log=l --log_avg_msec=100 "
               "--write_hist_log=l --log_hist_msec=500 ")
        expect_equal(shell.type(job).returncode, 0, f"{name}'s logs")
        plots = shell.type("fio2gnuplot -p '*_bw.*.log' -d . -o t")
        expect_equal(plots.returncode, 0, f"fio2gnuplot on {name}'s: {plots.stderr}")
        table = shell.type("fio_jsonplus_clat2csv o.json t.csv")
        expect_equal(table.returncode, 0, f"clat2csv on {name}'s: {table.stderr}")
        average = (folder / "t.average").read_text().splitlines() if (
            folder / "t.average").exists() else []
        head = [path.read_text().splitlines()[0] for path in sorted(folder.glob("t_job*.csv"))]
        rows = [len(path.read_text().splitlines()) > 10 for path in sorted(folder.glob("t_*.csv"))]
        logs = sorted(path.name for path in folder.glob("l_*.log"))
        lines[name] = (len(average), head, rows, logs)
        if not SCRIPTS.glob("*.py.gz"):
            continue
        words = "--time-quantum 1 --output-unit usec l_clat_hist.1.log l_clat_hist.2.log"
        table = shell.type(f"python3 {script('fio-histo-log-pctiles.py', folder)} {words}")
        expect_equal(table.returncode, 0, f"fio-histo-log-pctiles on {name}'s: {table.stderr}")
        rows = [line for line in table.stdout.splitlines() if re.match(r"[\d. ]+,", line)]
        expect(len(rows) >= 2, f"percentiles of {name}: {table.stdout}")
    expect_equal(lines["loadline"], lines["fio"], "what the scripts made")


SCRIPTS = pathlib.Path("/usr/share/doc/fio")


def script(name: str, folder: pathlib.Path) -> pathlib.Path:
    """One of those that Debian packs as documentation."""
    path = folder / name
    path.write_bytes(gzip.decompress((SCRIPTS / f"{name}.gz").read_bytes()))
    return path


if __name__ == "__main__":
    run(runs_documents_as_they_are, feeds_fios_helper_scripts)
