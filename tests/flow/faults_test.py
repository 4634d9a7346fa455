#!/usr/bin/env python3
"""A store that misbehaves: the run ends, and what the client counted is what the store did."""
import json
import pathlib
import signal
import subprocess
import sys
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from harness import Result, Store, expect, expect_equal, run  # noqa: E402

READS = 2000
EVERY = 50

WORKLOAD = """<workload name="faults">
<storage type="s3" config="accesskey=key;secretkey=secret;endpoint={endpoint};timeout=500"/><workflow>
<workstage name="init"><work type="init" workers="1"
 config="cprefix=f;containers=r(1,1)"/></workstage>
<workstage name="prepare"><work type="prepare" workers="4"
 config="cprefix=f;containers=r(1,1);objects=r(1,50);sizes=c(64)KB;hashCheck=true"/>
</workstage>
<workstage name="main"><work name="main" workers="8" {limit}>
<operation type="read" config="cprefix=f;containers=c(1);objects=u(1,50);hashCheck=true"/>
</work></workstage>
<workstage name="cleanup"><work type="cleanup" workers="4"
 config="cprefix=f;containers=r(1,1);objects=r(1,50)"/></workstage>
<workstage name="dispose"><work type="dispose" workers="1"
 config="cprefix=f;containers=r(1,1)"/></workstage>
</workflow></workload>"""


def write_workload(store: Store, limit: str = f'totalOps="{READS}"') -> pathlib.Path:
    path = pathlib.Path("faults.xml")
    path.write_text(WORKLOAD.format(endpoint=store.endpoint, limit=limit))
    return path


def counters(store: Store) -> dict:
    with urllib.request.urlopen(store.endpoint + "/_loadline/counters") as answer:
        return json.load(answer)


def injected(store: Store) -> int:
    return sum(fault["injected"] for fault in counters(store)["faults"])


def read_operation(result: Result) -> dict:
    return next(iter(result.operations("main")))


def run_with_fault(loadline, rule: str):
    with Store(loadline, "--fault", rule) as store:
        result = loadline.run_workload(write_workload(store), {})
        return read_operation(result), injected(store)


def each_fault_is_counted_as_what_it_is(loadline):
    kinds = {"error": "server_error", "slowdown": "throttled", "reset": "connection",
             "cut": "short_transfer", "stall": "timeout", "wrong_bytes": "corrupt"}
    for fault, outcome in kinds.items():
        operation, count = run_with_fault(loadline, f"kind=get_object;fault={fault};every={EVERY}")
        expect(count > 0, f"{fault}: nothing was injected")
        expect_equal(operation["outcomes"].get(outcome, 0), count, f"{fault} as {outcome}")
        expect_equal(sum(operation["outcomes"].values()), READS, f"{fault}: operations")
        expect_equal(operation["service_time_ns"]["count"], READS - count, f"{fault}: successes")
        # A time-out lasts 500 ms: were failures timed with successes, p99 would be there.
        expect(operation["service_time_ns"]["p99"] < 250e6, f"{fault}: the fault moved p99")


def slow_answers_are_slow_but_good(loadline):
    for rule in ("kind=get_object;fault=slow_first_byte;ms=100;every=50",
                 "kind=get_object;fault=stall;ms=100;every=50"):
        operation, count = run_with_fault(loadline, rule)
        expect_equal(operation["outcomes"], {"ok": READS}, rule)
        slow = operation["service_time_ns"]["max"]
        expect(count > 0 and slow >= 100e6, f"{rule}: {count} injected, slowest {slow} ns")


def refused_connections_do_not_end_the_run(loadline):
    with Store(loadline, "--fault", "fault=refuse;every=2;after=8;limit=3") as store:
        done = loadline.run("run", write_workload(store), "--json", "--archive", "archive",
                            check=False, limit=60)
        result = Result(json.loads(done.stdout))
        failed = sum(operation["outcomes"].get("connection", 0)
                     for operation in result.operations())
        expect_equal(failed, injected(store), "connection failures")
        expect_equal(sum(read_operation(result)["outcomes"].values()), READS, "operations")


def counts_agree_with_the_store(loadline):
    with Store(loadline) as store:
        result = loadline.run_workload(write_workload(store), {})
        seen = counters(store)["kinds"]
        expect_equal(read_operation(result)["outcomes"], {"ok": READS}, "reads")
        expect_equal(seen["get_object"]["status"], {"200": READS}, "GETs that the store saw")
        expect_equal(seen["put_object"]["status"], {"200": 50}, "PUTs that the store saw")
        expect_equal(seen["delete_object"]["status"], {"204": 50}, "DELETEs that the store saw")


def start_run(loadline, store: Store) -> subprocess.Popen:
    workload = write_workload(store, 'runtime="20"')
    return subprocess.Popen([str(loadline.binary), "run", str(workload), "--json", "--archive",
                             "archive"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def a_killed_store_ends_the_run_in_bounded_time(loadline):
    with Store(loadline) as store:
        going = start_run(loadline, store)
        time.sleep(3)
        store.process.send_signal(signal.SIGKILL)
        out, _ = going.communicate(timeout=60)
        result = Result(json.loads(out))
        outcomes = read_operation(result)["outcomes"]
        expect(outcomes.get("connection", 0) > 0, f"no connection failures: {outcomes}")
        expect(outcomes.get("ok", 0) > 0, "what was measured before is gone")
        expect_equal(going.returncode, 1, "exit status")


def ctrl_c_keeps_what_was_measured(loadline):
    with Store(loadline) as store:
        going = start_run(loadline, store)
        time.sleep(3)
        begin = time.monotonic()
        going.send_signal(signal.SIGINT)
        out, _ = going.communicate(timeout=30)
        expect(time.monotonic() - begin < 5, "ending took long")
        document = json.loads(out)
        expect_equal(document["state"], "cancelled", "state")
        expect_equal(going.returncode, 130, "exit status")
        expect(read_operation(Result(document))["outcomes"]["ok"] > 0, "nothing was kept")
        expect(document["left_behind"], "the data left behind is not named")


if __name__ == "__main__":
    run(each_fault_is_counted_as_what_it_is, slow_answers_are_slow_but_good,
        refused_connections_do_not_end_the_run, counts_agree_with_the_store,
        a_killed_store_ends_the_run_in_bounded_time, ctrl_c_keeps_what_was_measured)
