#!/usr/bin/env python3
"""Many workers and very large objects on the built-in store, in bounded memory."""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from harness import Result, Skipped, Store, expect, expect_equal, run  # noqa: E402

CREDENTIALS = "accesskey=scale;secretkey=scale-secret"


def allow_open_files(count: int):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < count:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (count, max(count, hard)))
        except (ValueError, OSError):
            raise Skipped(f"no more than {hard} open files allowed, {count} needed") from None


def run_measured(loadline, workload: str, limit: float) -> tuple[Result, int]:
    """The result of a run, and the most memory it used, in MB."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(
            [str(loadline.binary), "run", workload, "--json", "--quiet", "--archive", "archive"],
            stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        watchdog = threading.Timer(limit, process.kill)
        watchdog.start()
        _, status, usage = os.wait4(process.pid, 0)
        watchdog.cancel()
        out.seek(0)
        err.seek(0)
        expect_equal(status, 0, f"exit of {workload}, which said {err.read()[-300:]!r}")
        return Result(json.load(out)), usage.ru_maxrss // 1024


def write_workload(name: str, endpoint: str, stages: str) -> str:
    path = f"{name}.xml"
    pathlib.Path(path).write_text(
        f'<workload name="{name}"><storage type="s3" config="{CREDENTIALS};endpoint={endpoint};'
        f'timeout=300000"/><workflow>{stages}</workflow></workload>')
    return path


def ten_thousand_workers(loadline):
    allow_open_files(11_000)
    with Store(loadline, "--key", "scale:scale-secret") as store:
        path = write_workload("workers", store.endpoint, '''
            <workstage name="init"><work type="init" workers="1"
              config="cprefix=scale;containers=r(1,1)"/></workstage>
            <workstage name="prepare"><work type="prepare" workers="64"
              config="cprefix=scale;containers=r(1,1);objects=r(1,1000);sizes=c(4)KB"/></workstage>
            <workstage name="main"><work name="read" workers="10000" runtime="10">
              <operation type="read" ratio="100"
                config="cprefix=scale;containers=c(1);objects=u(1,1000)"/></work></workstage>''')
        result, megabytes = run_measured(loadline, path, 300)
    result.expect_clean(["init", "prepare", "main"])
    print(f"10,000 workers: {result.successes('main')} reads, {megabytes} MB")
    expect(result.successes("main") >= 10_000, "not every worker was served")
    expect(megabytes < 250, f"{megabytes} MB of memory")


def ten_gigabyte_objects(loadline):
    with Store(loadline, "--key", "scale:scale-secret", "--discard") as store:
        path = write_workload("large", store.endpoint, '''
            <workstage name="init"><work type="init" workers="1"
              config="cprefix=large;containers=r(1,1)"/></workstage>
            <workstage name="prepare"><work type="prepare" workers="8"
              config="cprefix=large;containers=r(1,1);objects=r(1,8);sizes=c(10)GB"/></workstage>
            <workstage name="main"><work name="read" workers="8" totalOps="8">
              <operation type="read" ratio="100"
                config="cprefix=large;containers=c(1);objects=s(1,8)"/></work></workstage>''')
        result, megabytes = run_measured(loadline, path, 800)
    result.expect_clean(["init", "prepare", "main"])
    moved = [sum(op["bytes"] for op in result.operations(stage)) for stage in ("prepare", "main")]
    expect_equal(moved, [80 * 10**9] * 2, "bytes written and read")
    print(f"8 objects of 10 GB: {megabytes} MB")
    expect(megabytes < 100, f"{megabytes} MB of memory")


if __name__ == "__main__":
    run(ten_thousand_workers, ten_gigabyte_objects)
