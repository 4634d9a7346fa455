#!/usr/bin/env python3
"""One COSBench workload on hdfs://, webhdfs://, s3a:// (Hadoop's S3A on the built-in store) and
file://: four archives that differ in their numbers alone.
"""
import json
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from harness import Result, Store, command, expect, expect_equal, run  # noqa: E402
from hdfs_cluster import HdfsCluster, s3a_jars  # noqa: E402

STAGES = ["init", "prepare", "main", "cleanup", "dispose"]
RANGE = "cprefix=b;containers={0}(1,2);objects={0}(1,20)"
KEYS = ("AKIAEXAMPLE", "secret-of-the-test")


def workload(storage: str, config: str) -> str:
    every = RANGE.format("r")
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<workload name="four" description="on four storages">
  <storage type="{storage}" config="{config}"/>
  <workflow>
    <workstage name="init"><work type="init" workers="1" config="{every}"/></workstage>
    <workstage name="prepare">
      <work type="prepare" workers="2" config="{every};sizes=c(64)KB"/>
    </workstage>
    <workstage name="main">
      <work name="main" workers="2" totalOps="200">
        <operation type="read" ratio="60" config="{RANGE.format("u")}"/>
        <operation type="write" ratio="30"
                   config="cprefix=b;containers=u(1,2);objects=s(21,220);sizes=c(64)KB"/>
        <operation type="list" ratio="10" config="cprefix=b;containers=u(1,2)"/>
      </work>
    </workstage>
    <workstage name="cleanup">
      <work type="cleanup" workers="1"
            config="cprefix=b;containers=r(1,2);objects=r(1,220)"/>
    </workstage>
    <workstage name="dispose"><work type="dispose" workers="1" config="{every}"/></workstage>
  </workflow>
</workload>
"""


def storages(hdfs, store) -> dict:
    """Scheme: storage type and config."""
    s3a = {"endpoint": store.endpoint, "endpoint.region": "us-east-1", "access.key": KEYS[0],
           "secret.key": KEYS[1], "path.style.access": "true", "connection.ssl.enabled": "false"}
    settings = ";".join(f"conf.fs.s3a.{key}={value}" for key, value in s3a.items())
    return {"hdfs": ("hadoop", f"uri={hdfs.uri};root=/cos"),
            "webhdfs": ("webhdfs", f"uri={hdfs.webhdfs};root=/web"),
            "s3a": ("hadoop", f"uri=s3a://bench;root=/cos;{settings}"),
            "file": ("hadoop", f"uri=file:///;root={pathlib.Path('files').resolve()}")}


def masked(text: str) -> str:
    """Numbers are all the same, dates too, and how many digits or blanks they take."""
    text = re.sub(r"[0-9a-f]{16,}", "#", text)
    return re.sub(r" +", " ", re.sub(r"\d+(?:\.\d+)?(?:[eE][-+]?\d+)?", "#", text))


def names_in(value, path: str = "") -> set[str]:
    """Paths of keys in a JSON document; elements of a list are one."""
    if isinstance(value, dict):
        return set().union({path}, *(names_in(one, f"{path}/{key}") for key, one in value.items()))
    if isinstance(value, list):
        return set().union({path}, *(names_in(one, path) for one in value))
    return {path}


# Without what depends on how long it took or which values came, outcomes and buckets being numbers
# too, and without the storage's own parameters.
def steady_names(names: set[str]) -> set[str]:
    return {name for name in names
            if not re.search(r"/(verdicts|context|buckets|histogram|service|response|first_byte|"
                             r"target/parameters)\b",
                             name)}


def shape(path: pathlib.Path):
    """What is left of a file of an archive without its numbers."""
    text = path.read_text(errors="replace")
    if path.suffix == ".json":
        return steady_names(names_in(json.loads(text)))
    if path.suffix == ".jsonl":
        return steady_names(set().union(*(names_in(json.loads(line))
                                          for line in text.splitlines())))
    lines = [masked(line) for line in text.splitlines()]
    if path.suffix == ".hlog":
        # A line's fields are numbers, the last of them histograms.
        return lines[0], {line.partition(",")[0] for line in lines[1:]}
    if path.suffix == ".csv":
        # A row a second, or an operation: how many there are is a number as well.
        return lines[0], set(lines[1:])
    if path.suffix == ".xml":
        return [line for line in lines if "<storage" not in line]
    return None


def archive_of(folder: pathlib.Path) -> dict:
    runs = sorted(folder.glob("w*-*"))
    expect_equal(len(runs), 1, f"runs in {folder}")
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {masked(str(path.relative_to(folder))): shape(path) for path in files
            if "sqlite-" not in path.name}


def run_on(loadline, scheme: str, storage: str, config: str) -> dict:
    xml = pathlib.Path("four.xml")
    xml.write_text(workload(storage, config.replace("&", "&amp;")))
    done = loadline.run("run", xml, "--json", "--archive", f"archive-{scheme}", check=False)
    expect(done.returncode == 0, f"{scheme}: exit {done.returncode}: {done.stderr[-1500:]}")
    result = Result(json.loads(done.stdout))
    result.expect_clean(STAGES)
    expect(KEYS[1] not in done.stdout + done.stderr, f"{scheme}: the secret key is told")
    counts = {op["name"]: op["outcomes"]["ok"] for op in result.operations("main")}
    expect_equal(sum(counts.values()), 200, f"{scheme}: operations")
    expect_equal(result.successes("prepare"), 40, f"{scheme}: objects prepared")
    told = result.document["stages"][2]["jobs"][0]["target_says"]
    print(f"{scheme}: {counts}; {told}", flush=True)
    for path in pathlib.Path(f"archive-{scheme}").rglob("*"):
        expect(not path.is_file() or KEYS[1].encode() not in path.read_bytes(),
               f"{path} has the secret key")
    return archive_of(pathlib.Path(f"archive-{scheme}"))


def check_same(first: dict, other: dict, scheme: str):
    expect_equal(sorted(other), sorted(first), f"{scheme}: files of the archive")
    for name, wanted in first.items():
        got = other[name]
        if isinstance(wanted, set):
            expect_equal(sorted(got ^ wanted), [], f"{scheme}: names in {name}")
        elif isinstance(wanted, tuple):
            expect_equal(got[0], wanted[0], f"{scheme}: header line of {name}")
            expect_equal(sorted(got[1] ^ wanted[1]), [], f"{scheme}: lines of {name}")
        else:
            expect_equal(got, wanted, f"{scheme}: {name}")


def main(loadline):
    os.makedirs("files")
    store = Store(loadline, "--key", ":".join(KEYS), "--create-buckets")
    with store, HdfsCluster() as hdfs:
        command("curl", "-sf", "--aws-sigv4", "aws:amz:us-east-1:s3", "--user", ":".join(KEYS),
                "-X", "PUT", f"{store.endpoint}/bench")
        os.environ["CLASSPATH"] = ":".join([hdfs.class_path, *s3a_jars()])
        archives = {scheme: run_on(loadline, scheme, *where)
                    for scheme, where in storages(hdfs, store).items()}
        for scheme in ("webhdfs", "s3a", "file"):
            check_same(archives["hdfs"], archives[scheme], scheme)
        print(f"{len(archives['hdfs'])} files of each archive: the same but for numbers")
        expect_equal(hdfs.shell("-count", "/cos", "/web").split()[0:3], ["1", "0", "0"],
                     "what is left on HDFS")


run(main)
