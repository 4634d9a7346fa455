#!/usr/bin/env python3
"""Both example workloads on a real radosgw, counted by radosgw itself after each step."""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from harness import EXAMPLES, Failed, command, expect_equal, need, run, with_stages  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
SAMPLE = EXAMPLES / "s3-config-sample.xml"
FOUR_DRIVERS = EXAMPLES / "s3-read-100kb-4-drivers.xml"


class Ceph:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="loadline-ceph.", dir="/tmp")  # sockets: short paths

    def __enter__(self):
        command(HERE / "ceph_up.sh", self.folder, limit=300)
        lines = pathlib.Path(self.folder, "env").read_text().splitlines()
        env = dict(line.split("=", 1) for line in lines)
        self.endpoint = env["ENDPOINT"]
        self.access_key, self.secret_key = env["ACCESS_KEY"], shlex.split(env["SECRET_KEY"])[0]
        return self

    def __exit__(self, *_):
        command(HERE / "ceph_down.sh", self.folder)
        command("rm", "-rf", self.folder)

    def settings(self, **more) -> dict:
        # On a busy machine radosgw may take more than half a minute to remove a bucket.
        return {"storage.config.timeout": 150_000,
                "storage.config.endpoint": self.endpoint,
                "storage.config.accesskey": self.access_key,
                "storage.config.secretkey": self.secret_key, **more}

    def curl(self, *words):
        return command("curl", "-sSf", "--max-time", "50", "--aws-sigv4", "aws:amz:us-east-1:s3",
                       "-u", f"{self.access_key}:{self.secret_key}",
                       "-H", "x-amz-content-sha256: UNSIGNED-PAYLOAD", *words)

    def admin(self, **query):
        """radosgw's admin API; the keys of a query are sent in the order they are signed in."""
        query["format"] = "json"
        text = "&".join(f"{key}={query[key]}" for key in sorted(query))
        return json.loads(self.curl(f"{self.endpoint}/admin/bucket?{text}").stdout)

    def buckets(self) -> list[str]:
        return sorted(self.admin())

    def usage(self, bucket: str) -> tuple[int, int]:
        """Objects and bytes, as radosgw counts them."""
        main = self.admin(bucket=bucket, stats="true")["usage"].get("rgw.main", {})
        return main.get("num_objects", 0), main.get("size", 0)

    def make_bucket(self, bucket: str):
        self.curl("-X", "PUT", f"{self.endpoint}/{bucket}")


def check_sample(loadline, ceph):
    runtime = {"work.runtime": 4}
    result = loadline.run_workload(SAMPLE, ceph.settings(**runtime))
    result.expect_clean(["init", "prepare", "main", "cleanup", "dispose"])
    expect_equal(ceph.buckets(), [], "buckets after dispose")

    first = with_stages(SAMPLE, ["init", "prepare"], "first.xml")
    loadline.run_workload(first, ceph.settings()).expect_clean(["init", "prepare"])
    expect_equal(ceph.buckets(), ["s3testqwer1", "s3testqwer2"], "buckets after init")
    for bucket in ceph.buckets():
        expect_equal(ceph.usage(bucket), (10, 10 * 64000), f"{bucket} after prepare")

    main = with_stages(SAMPLE, ["main"], "main.xml")
    loadline.run_workload(main, ceph.settings(**runtime)).expect_clean(["main"])
    last = with_stages(SAMPLE, ["cleanup", "dispose"], "last.xml")
    loadline.run_workload(last, ceph.settings()).expect_clean(["cleanup", "dispose"])
    expect_equal(ceph.buckets(), [], "buckets after the last dispose")


def check_four_drivers(loadline, ceph):
    ceph.make_bucket("ufs2")  # the workload has no init stage
    result = loadline.run_workload(FOUR_DRIVERS, ceph.settings(**{"work.runtime": 5}), limit=600)
    result.expect_clean(["prepare", "128"])
    expect_equal(result.successes("prepare"), 10000, "objects prepared")
    expect_equal(ceph.usage("ufs2"), (10000, 10000 * 100000), "ufs2 after the run")

    text = FOUR_DRIVERS.read_text()
    selection = text.split('type="prepare" workers="100" config="')[1].split(";sizes")[0]
    pathlib.Path("clean.xml").write_text(
        '<workload name="clean"><storage type="s3" config="'
        + text.split('type="s3" config="')[1].split('"')[0] + '"/><workflow>'
        + "".join(f'<workstage name="{kind}"><work type="{kind}" workers="16" '
                  f'config="{selection}"/></workstage>' for kind in ("cleanup", "dispose"))
        + "</workflow></workload>")
    cleaned = loadline.run_workload("clean.xml", ceph.settings(), limit=600)
    cleaned.expect_clean(["cleanup", "dispose"])
    expect_equal(ceph.buckets(), [], "buckets after dispose")


def examples_run_on_radosgw(loadline):
    need("radosgw", "radosgw-admin", "ceph-mon", "ceph-osd", "ceph-mgr", "curl")
    # Now and then this radosgw stops answering for minutes; a fresh one then gets its chance.
    for last in (False, True):
        try:
            with Ceph() as ceph:
                check_sample(loadline, ceph)
                check_four_drivers(loadline, ceph)
            return
        except (Failed, subprocess.TimeoutExpired) as why:
            if last or not re.search("timeout|timed out", str(why)):
                raise
            print(f"radosgw does not answer ({why}): once more with a fresh one")


if __name__ == "__main__":
    run(examples_run_on_radosgw)
