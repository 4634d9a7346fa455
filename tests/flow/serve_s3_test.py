#!/usr/bin/env python3
"""`loadline serve-s3` as a command: what it prints, when it stops, and what it keeps to itself."""
import json
import pathlib
import signal
import subprocess
import sys
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from harness import Store, expect, expect_equal, free_port, run  # noqa: E402

SECRET = "s3cr3t/of+somebody"


def refused(loadline, *words) -> str:
    """The one line on stderr of a command that must not start."""
    done = loadline.run("serve-s3", *words, check=False, limit=20)
    expect_equal(done.returncode, 2, f"exit of serve-s3 {' '.join(words)}")
    expect_equal(done.stdout, "", "stdout")
    expect(len(done.stderr.splitlines()) == 1, f"not one line: {done.stderr!r}")
    return done.stderr


def page(store: Store, name: str, body: bytes | None = None) -> str:
    with urllib.request.urlopen(f"{store.endpoint}/_loadline/{name}", body, timeout=10) as answer:
        return answer.read().decode()


def says_where_it_listens_and_what_it_did(loadline):
    for stop in (signal.SIGINT, signal.SIGTERM):
        port = free_port()
        server = subprocess.Popen(
            [str(loadline.binary), "serve-s3", "--listen", f"127.0.0.1:{port}"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            expect_equal(server.stdout.readline(), f"listening on http://127.0.0.1:{port}\n",
                         "first line")
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10).read()
            server.send_signal(stop)
            out, err = server.communicate(timeout=10)
        finally:
            server.kill()
        expect_equal(server.returncode, 0, "exit after a signal")
        expect_equal(out, "", "more on stdout")
        expect("list_buckets" in err and "200: 1" in err, f"counters: {err!r}")


def refuses_in_one_line(loadline):
    with Store(loadline) as store:
        line = refused(loadline, "--listen", f"127.0.0.1:{store.port}")
        expect("the port is in use" in line, line)
    expect("not a loopback address" in refused(loadline, "--listen", "0.0.0.0:0"), "remote")
    expect("there are error, slowdown" in refused(loadline, "--fault", "fault=eror"), "fault")
    expect("lognormal:MS,SIGMA" in refused(loadline, "--delay", "gauss:1,2"), "delay")
    expect("8GiB" in refused(loadline, "--memory", "much"), "memory")
    expect("md5" in refused(loadline, "--etag", "crc"), "etag")
    expect("cannot be read" in refused(loadline, "--key-file", "missing"), "key file")
    line = refused(loadline, "--key", SECRET)
    expect(SECRET not in line, f"a secret in: {line}")


def keeps_secrets_out_of_the_process_list(loadline):
    pathlib.Path("keys").write_text(f"# ours\nother:{SECRET}\n")
    for words in (["--key", f"AK:{SECRET}"], [f"--key=AK:{SECRET}"], ["--key-file", "keys"]):
        with Store(loadline, *words) as store:
            words_seen = pathlib.Path(f"/proc/{store.process.pid}/cmdline").read_bytes()
            expect(SECRET.encode() not in words_seen, f"{words[0]} can be read by others")
            expect("Forbidden" in status(store), "an unsigned request was let in")
        expect(SECRET not in pathlib.Path("store.log").read_text(), "a secret was printed")


def status(store: Store) -> str:
    try:
        urllib.request.urlopen(store.endpoint, timeout=10)
        return "OK"
    except urllib.error.HTTPError as error:
        return str(error)


def changes_faults_while_it_runs(loadline):
    with Store(loadline, "--fault", "kind=list_buckets;fault=error") as store:
        expect("500" in status(store), "the fault of the command line")
        page(store, "faults", b"kind=list_buckets;fault=slowdown;limit=1\n")
        expect("503" in status(store), "the fault that was posted")
        expect_equal(status(store), "OK", "beyond the limit")
        counters = json.loads(page(store, "counters"))
        expect_equal(counters["kinds"]["list_buckets"]["status"], {"500": 1, "503": 1, "200": 1},
                     "list_buckets by status")
        expect_equal(counters["faults"][0]["injected"], 1, "injected")


if __name__ == "__main__":
    run(says_where_it_listens_and_what_it_did, refuses_in_one_line,
        keeps_secrets_out_of_the_process_list, changes_faults_while_it_runs)
