#!/usr/bin/env python3
"""What the command line refuses, says and keeps to itself; no storage needed."""
import json
import pathlib
import resource
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from harness import EXAMPLES, expect, expect_equal, run  # noqa: E402

SAMPLE = EXAMPLES / "s3-config-sample.xml"


def workload(storage: str, work: str, stage: str = "", operation: str = "read") -> pathlib.Path:
    path = pathlib.Path("w.xml")
    path.write_text(f"""<workload name="w">
<storage type="mock" config="{storage}"/>
<workflow><workstage name="main" {stage}>
<work name="main" {work}>
<operation type="{operation}" config="containers=c(1);objects=u(1,100);sizes=c(1)KB"/></work>
</workstage></workflow></workload>""")
    return path


def refused(loadline, *words) -> str:
    done = loadline.run(*words, check=False, limit=30)
    expect_equal(done.returncode, 2, f"exit of {' '.join(map(str, words))}")
    return done.stderr


def validate_knows_every_mistake_of_a_storage(loadline):
    for setting, wanted in (
            ("timeout=abc", "'abc' is not a whole number from 0 to 86400000"),
            ("signature=v5", "'v5' is not one of v4, v2, none"),
            ("endpoint=ftp://x", "is neither http:// nor https://"),
            ("part_size=-1", "'-1' is not a whole number from 1 to")):
        said = refused(loadline, "validate", SAMPLE, "--set", f"storage.config.{setting}")
        expect(wanted in said, f"{setting}: {said}")
        expect("--set storage.config" in said, f"{setting}: no place: {said}")
    said = refused(loadline, "validate", workload("delay=abc", 'workers="1" runtime="1"'))
    expect_equal(said, "loadline: w.xml:2:30: error: delay: 'abc' is not a number from 0 to "
                       "1000000000 (workload, storage)\n", "message")


def a_wrong_limit_is_one_mistake(loadline):
    said = refused(loadline, "validate", SAMPLE, "--set", "work.runtime=abc")
    expect("no work limits" not in said, said)


def what_a_storage_cannot_do_is_named_before_anything_starts(loadline):
    for operation in ("append", "truncate", "mkdir"):
        path = workload("", 'workers="1" totalOps="5"', operation=operation)
        said = refused(loadline, "run", path, "--set", "storage.type=s3", "--set",
                       "storage.config=endpoint=http://127.0.0.1:1;accesskey=a;secretkey=bcdef")
        expect(f"operation {operation}: storage s3 cannot do {operation}: an object is written "
               "whole, under one name, and S3 has no folders" in said, said)


def a_missing_trigger_is_refused(loadline):
    path = workload("delay=1", 'workers="1" totalOps="5"', 'trigger="gone.sh(1)"')
    for command in ("validate", "run"):
        said = refused(loadline, command, path)
        expect(str(pathlib.Path.cwd() / "scripts/gone.sh") in said, said)


def open_files_are_counted_before_anything_is_touched(loadline):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    words = ["run", SAMPLE, "--set", "workstage[main].work.workers=5000", "--set",
             "storage.config.endpoint=http://127.0.0.1:9"]
    done = subprocess.run(
        [loadline.binary, *words], capture_output=True, text=True, timeout=30,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (1024, min(hard, 2048))))
    expect_equal(done.returncode, 2, "exit")
    expect("5000 workers need 5256 open files" in done.stderr, done.stderr)


def output_that_cannot_be_written_is_no_success(loadline):
    loadline.run("run", workload("delay=1", 'workers="1" totalOps="5"'), "--quiet")
    for words in (["list"], ["show", "last"], ["show", "last", "--json"], ["version"]):
        with open("/dev/full", "w") as full:
            done = subprocess.run([loadline.binary, *words], stdout=full, text=True,
                                  stderr=subprocess.PIPE, timeout=30)
        expect_equal(done.returncode, 1, f"exit of {words}")
        expect_equal(done.stderr, "loadline: cannot write the output: No space left on device\n",
                     "message")


def secrets_are_shown_nowhere(loadline):
    for setting in ("storage.config=accesskey=AKX;secretkey s3cr3tZZ",
                    "storage.config.secretkey:s3cr3tZZ",
                    "storage.config.endpoint=http://bob:s3cr3tZZ@host",
                    "storage.config=accesskey=AKX;secretkey=a;s3cr3tZZ"):
        done = loadline.run("validate", SAMPLE, "--set", setting, check=False)
        expect("s3cr3tZZ" not in done.stderr + done.stdout, f"{setting}: {done.stderr}")
    path = workload("delay=1", 'workers="1" totalOps="5"')
    path.write_text(path.read_text().replace(
        "<storage", '<auth type="none" config="auth_url=http://u:s3cr3tZZ@h/"/><storage', 1))
    loadline.run("run", path, "--archive", "secrets", "--quiet")
    for file in pathlib.Path("secrets").rglob("*"):
        if file.is_file():
            expect(b"s3cr3tZZ" not in file.read_bytes(), f"{file} holds the secret")


def a_storage_that_hangs_does_not_pass(loadline):
    path = workload("delay=100000", 'workers="8" runtime="1"')
    done = loadline.run("run", path, "--json", "--quiet", "--archive", "hang", check=False)
    expect_equal(done.returncode, 1, "exit")
    result = json.loads(done.stdout)
    expect_equal(result["state"], "failed", "state")
    expect("nothing completed; 8 operations were still under way at the end" in result["reason"],
           result["reason"])
    expect("unfinished" in [verdict["id"] for verdict in result["verdicts"]], "no verdict")


def a_killed_run_has_one_name_and_its_operations(loadline):
    path = workload("delay=10", 'workers="4" runtime="60"')
    process = subprocess.Popen([loadline.binary, "run", path, "--quiet", "--archive", "killed"])
    try:
        time.sleep(2.5)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    row = loadline.run("list", "--archive", "killed").stdout.splitlines()[1].split()
    expect_equal(row[3], "vanished", "state in the list")
    expect(int(row[5]) > 100, f"operations in the list: {row[5]}")
    shown = loadline.run("show", "last", "--archive", "killed").stdout
    expect("w: vanished after" in shown, shown[:200])


def html_is_written_on_a_disk_that_is_too_small(loadline):
    path = workload("latency=lognormal(2ms,1)", 'workers="64" runtime="2"')
    done = subprocess.run(
        [loadline.binary, "run", path, "--quiet", "--archive", "small"], capture_output=True,
        text=True, timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (140_000, 140_000)))
    expect_equal(done.returncode, 1, f"exit ({done.stderr})")
    folder = next(pathlib.Path("small").glob("w1-*"))
    expect("File too large" in done.stderr, done.stderr)
    expect(("report.html" in done.stdout) == (folder / "report.html").exists(),
           "a file that is not there is named")
    expect((folder / "w1-w.csv").stat().st_size > 0, "no summary")


def slips_are_answered_in_one_line(loadline):
    expect_equal(refused(loadline, "valdate"),
                 "loadline: there is no command 'valdate'; did you mean 'validate'?\n", "message")
    expect("there is no command 'frob'; there are run, validate" in refused(loadline, "frob"),
           "the commands are not named")
    expect("'abc' is not a whole number from 1 to 1024" in
           refused(loadline, "run", SAMPLE, "--threads", "abc"), "--threads abc")
    expect("--allow-remote" in refused(loadline, "serve-s3", "--listen", "0.0.0.0:0"), "remote")
    said = loadline.run("validate", workload("delay=1", 'workers="1" totalOps="5"')).stdout
    expect("with 1 stage," in said, said)


if __name__ == "__main__":
    run(validate_knows_every_mistake_of_a_storage, a_wrong_limit_is_one_mistake,
        what_a_storage_cannot_do_is_named_before_anything_starts,
        a_missing_trigger_is_refused, open_files_are_counted_before_anything_is_touched,
        output_that_cannot_be_written_is_no_success, secrets_are_shown_nowhere,
        a_storage_that_hangs_does_not_pass, a_killed_run_has_one_name_and_its_operations,
        html_is_written_on_a_disk_that_is_too_small, slips_are_answered_in_one_line)
