#!/usr/bin/env python3
"""Storage `hadoop` on a real HDFS: COSBench workloads counted by `hadoop fs`, and refusals."""
import getpass
import json
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from harness import EXAMPLES, expect, expect_equal, run, with_stages  # noqa: E402
from hdfs_cluster import HdfsCluster  # noqa: E402

# HDFS lets one client at a time write a file: writers take names in turn, so that none is taken
# twice at once.
STAGES = ["init", "prepare", "main", "cleanup", "dispose"]
CONTAINERS = "cprefix=b;containers={}(1,2)"
WORKLOAD = f"""<workload name="hdfs">
  <storage type="hadoop" config="root=/cos"/>
  <workflow>
    <workstage name="init"><work type="init" workers="1" config="{CONTAINERS.format("r")}"/></workstage>
    <workstage name="prepare">
      <work type="prepare" workers="4"
            config="{CONTAINERS.format("r")};objects=r(1,10);sizes=c(64)KB"/>
    </workstage>
    <workstage name="main">
      <work name="main" workers="8" totalOps="400">
        <operation type="read" ratio="60" config="{CONTAINERS.format("u")};objects=u(1,10)"/>
        <operation type="write" ratio="30"
                   config="{CONTAINERS.format("u")};objects=s(11,400);sizes=u(1,3000)KB"/>
        <operation type="list" ratio="10" config="{CONTAINERS.format("u")}"/>
      </work>
    </workstage>
    <workstage name="cleanup">
      <work type="cleanup" workers="2" config="{CONTAINERS.format("r")};objects=r(1,400)"/>
    </workstage>
    <workstage name="dispose">
      <work type="dispose" workers="1" config="{CONTAINERS.format("r")}"/>
    </workstage>
  </workflow>
</workload>
"""


def count(hdfs, path: str) -> tuple[int, ...]:
    """Folders, files and bytes."""
    return tuple(int(word) for word in hdfs.shell("-count", path).split()[:3])


def stages(names: list[str]) -> pathlib.Path:
    pathlib.Path("whole.xml").write_text(WORKLOAD)
    return with_stages(pathlib.Path("whole.xml"), names, "some.xml")


def check_workload(loadline, hdfs):
    for instances in ("process", "thread"):
        result = loadline.run_workload(stages(STAGES),
                                       {"storage.config.fs_instances": instances})
        result.expect_clean(STAGES)
        said = result.document["stages"][2]["jobs"][0]["target_says"]
        expect(hdfs.uri in said and "hdfs.DistributedFileSystem on Hadoop 3.5.0, Java" in said,
               f"the storage says of itself: {said!r}")
    expect_equal(count(hdfs, "/cos"), (1, 0, 0), "what is left below the root")


def check_counts(loadline, hdfs):
    """Each step counted by Hadoop's own client."""
    own = {"storage.config.replication": 2, "storage.config.block_size": 1 << 20,
           "storage.config.uri": hdfs.uri}
    loadline.run_workload(stages(["init", "prepare"]), own).expect_clean(["init", "prepare"])
    for container in ("b1", "b2"):
        expect_equal(count(hdfs, f"/cos/{container}"), (1, 10, 640_000), f"/cos/{container}")
    expect_equal(hdfs.shell("-stat", "%r %o %b", "/cos/b1/myobjects1").split(),
                 ["2", str(1 << 20), "64000"], "copies, block size and length of an object")
    loadline.run_workload(stages(["cleanup", "dispose"]), own).expect_clean(
        ["cleanup", "dispose"])
    expect_equal(count(hdfs, "/cos"), (1, 0, 0), "what is left below the root")


def refusal(loadline, **config) -> str:
    """The one line of a run that cannot begin, and its seconds bounded."""
    sets = [word for key, value in config.items()
            for word in ("--set", f"storage.config.{key}={value}")]
    begun = time.monotonic()
    done = loadline.run("run", stages(["init"]), *sets, "--archive", "archive", check=False,
                        limit=100)
    seconds = time.monotonic() - begun
    expect(done.returncode != 0, f"{config} was not refused")
    expect(seconds < 60, f"{config} was refused after {seconds:.0f} s")
    expect("\tat " not in done.stderr, f"{config}: a stack trace: {done.stderr[-500:]}")
    return done.stderr


def check_refusals(loadline, hdfs):
    def says(text: str, **config):
        said = refusal(loadline, **config)
        expect(text in said, f"{config}: {text!r} is not in {said[-500:]!r}")

    says("ConnectException", uri="hdfs://127.0.0.1:1")
    says("no file system for dfs://", uri="dfs://f-1.example.com:10290")
    says("no usable Hadoop", hadoop_classpath="/no/such/folder")
    says("/no/such/java/lib/server/libjvm.so", java_home="/no/such/java")
    hdfs.shell("-mkdir", "-p", "/closed")
    hdfs.shell("-chmod", "700", "/closed")
    says("Permission denied", root="/closed/cos", user="nobody")
    hdfs.admin("-safemode", "enter")
    says("safe mode")
    hdfs.admin("-safemode", "leave")


def check_failures(loadline, hdfs):
    """A quota that runs out is a counted failure of its own kind, and ends nothing."""
    hdfs.shell("-mkdir", "-p", "/cos/b1", "/cos/b2")
    hdfs.admin("-setQuota", "8", "/cos/b1")
    done = loadline.run("run", stages(["prepare"]), "--json", "--archive", "archive", check=False)
    outcomes = {}
    for stage in json.loads(done.stdout)["stages"]:
        for op in stage["jobs"][0]["ops"]:
            for outcome, number in op["outcomes"].items():
                outcomes[outcome] = outcomes.get(outcome, 0) + number
    expect_equal(outcomes, {"ok": 17, "no_space": 3}, "outcomes beside a quota of 8 names")


def check_metadata(loadline, hdfs):
    """Operations on names and lengths, by Java and over HTTP: one workload, the same counts."""
    example = pathlib.Path("metadata.xml")
    example.write_text((EXAMPLES / "metadata.xml").read_text()
                       .replace("4000", "200").replace("2001", "101").replace("2000", "100"))
    names = ["init", "create", "open", "rename", "mixed", "delete", "folders", "dispose"]
    for kind, uri in (("hadoop", hdfs.uri), ("webhdfs", hdfs.http.replace("http", "webhdfs", 1))):
        user = getpass.getuser()
        at = {"storage.type": kind, "storage.config": f"uri={uri};root=/meta;user={user}"}
        loadline.run_workload(example, at).expect_clean(names)
        expect_equal(count(hdfs, "/meta"), (1, 0, 0), f"{kind}: what is left below the root")

        def part(*stages):
            return with_stages(example, list(stages), "part.xml")

        loadline.run_workload(part("init", "create", "rename"), at).expect_clean(
            ["init", "create", "rename"])
        listed = hdfs.shell("-ls", "/meta/loadline-metadata1")
        expect_equal((listed.count("/file_r_"), listed.count("/file_")), (200, 200),
                     f"{kind}: renamed files, and all")
        for stage, outcome in (("rename", "not_found"), ("create", "ok"), ("create", "exists")):
            done = loadline.run("run", part(stage), *(
                word for key, value in at.items() for word in ("--set", f"{key}={value}")),
                "--json", "--archive", "archive", check=False, limit=180)
            ops = json.loads(done.stdout)["stages"][0]["jobs"][0]["ops"]
            expect_equal(ops[0]["outcomes"], {outcome: 200}, f"{kind}: {stage} once more")
        hdfs.shell("-rm", "-r", "-skipTrash", "/meta/loadline-metadata1",
                   "/meta/loadline-metadata2")


def main(loadline):
    # With as many DataNodes as copies there is none to take the place of one that is late with its
    # copy of a file that is appended to.
    settings = {"dfs.client.block.write.replace-datanode-on-failure.policy": "NEVER"}
    with HdfsCluster(settings=settings) as hdfs:
        print(f"hdfs: up in {hdfs.start_seconds:.1f} s, {hdfs.memory_mb()} MB")
        os.environ["CLASSPATH"] = hdfs.class_path
        for check in (check_workload, check_counts, check_refusals, check_failures,
                      check_metadata):
            check(loadline, hdfs)
            print(f"{check.__name__}: ok")


run(main)
