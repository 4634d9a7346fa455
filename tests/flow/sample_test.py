#!/usr/bin/env python3
"""The newcomer's path: COSBench's sample on the built-in store, and the archive it leaves."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from harness import EXAMPLES, Store, expect, expect_equal, run  # noqa: E402

STAGES = ["init", "prepare", "main", "cleanup", "dispose"]
STAGE_HEADER = ("Timestamp,Op-Count,Byte-Count,Avg-ResTime,Avg-ProcTime,Throughput,Bandwidth,"
                "Succ-Ratio,Version-Info,,")
SUMMARY_HEADER = ("Stage,Op-Name,Op-Type,Op-Count,Byte-Count,Avg-ResTime,Avg-ProcTime,"
                  "60%-ResTime,80%-ResTime,90%-ResTime,95%-ResTime,99%-ResTime,100%-ResTime,"
                  "Throughput,Bandwidth,Succ-Ratio,Status,Detailed Status")


def first_line(path: pathlib.Path) -> str:
    expect(path.exists(), f"{path} is missing")
    return path.read_text().splitlines()[0]


def sample_completes_on_the_built_in_store(loadline):
    with Store(loadline) as store:
        result = loadline.run_workload(EXAMPLES / "s3-config-sample.xml", {
            "storage.config.endpoint": store.endpoint, "work.runtime": 2})
    result.expect_clean(STAGES)
    expect_equal(result.successes("prepare"), 20, "objects prepared")
    expect(result.successes("main") > 100, "main did next to nothing")


def archive_has_cosbench_files(loadline):
    folder = pathlib.Path("archive/w1-s3-sample")
    expect_equal(first_line(folder / "w1-s3-sample.csv"), SUMMARY_HEADER, "summary header")
    for number, name in enumerate(STAGES, 1):
        expect_equal(first_line(folder / f"s{number}-{name}.csv").count("Op-Count"), 1, name)
    expect_equal(first_line(folder / "s2-prepare.csv"), STAGE_HEADER, "stage header")
    for name in ("w1-s3-sample-rt-histogram.csv", "workload-config.xml", "workload.log",
                 "scripts.log"):
        expect((folder / name).exists(), f"{name} is missing")
    expect(first_line(pathlib.Path("archive/run-history.csv")).startswith("Id,Name,Submitted-At"),
           "run-history.csv has another header")


def list_and_show_find_the_run(loadline):
    expect("s3-sample" in loadline.run("list", "--archive", "archive").stdout, "list misses it")
    loadline.run("show", "w1", "--archive", "archive")


if __name__ == "__main__":
    run(sample_completes_on_the_built_in_store, archive_has_cosbench_files,
        list_and_show_find_the_run)
