"""What the scripts in flow/ and real/ share: the binary, a store of its own, and plain checks.

A script is `main(test)` functions run by `harness.run(...)`: it gets the binary's path as its only
argument, works in the current folder (its own), and ends with exit 0, 1, or 77 for a skip.
"""
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"


class Failed(Exception):
    """A check that did not hold; its text is the one line that says so."""


class Skipped(Exception):
    """What this machine lacks."""


def expect(holds, why: str):
    if not holds:
        raise Failed(why)


def expect_equal(got, wanted, what: str):
    expect(got == wanted, f"{what}: {got!r}, expected {wanted!r}")


def need(*commands: str):
    for command in commands:
        if not shutil.which(command):
            raise Skipped(f"{command} is not installed")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def command(*words, limit: float = 200, check: bool = True) -> subprocess.CompletedProcess:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=limit)
    if check and done.returncode != 0:
        raise Failed(f"{' '.join(map(str, words[:3]))}: exit {done.returncode}: "
                     f"{(done.stderr.strip() or done.stdout.strip())[-500:]}")
    return done


class Result:
    """The JSON document of a run."""

    def __init__(self, document: dict):
        self.document = document

    def stage_states(self) -> list[tuple[str, str]]:
        return [(stage["name"], stage["state"]) for stage in self.document["stages"]]

    def operations(self, stage: str | None = None):
        for one in self.document["stages"]:
            if stage in (None, one["name"]):
                for job in one["jobs"]:
                    yield from job["ops"]

    def successes(self, stage: str | None = None) -> int:
        return sum(op["outcomes"].get("ok", 0) for op in self.operations(stage))

    def failures(self, stage: str | None = None) -> int:
        return sum(count for op in self.operations(stage)
                   for outcome, count in op["outcomes"].items() if outcome != "ok")

    def expect_clean(self, stages: list[str]):
        """These stages, each completed, and not one failed operation."""
        expect_equal(self.stage_states(), [(name, "completed") for name in stages], "stages")
        expect_equal(self.failures(), 0, "failed operations")
        expect_equal([op["failures"] for op in self.operations() if op["failures"]], [],
                     "containers that could not be made or removed")


class Loadline:
    def __init__(self, binary: str):
        self.binary = pathlib.Path(binary).resolve()

    def run(self, *words, limit: float = 120, check: bool = True) -> subprocess.CompletedProcess:
        return command(self.binary, *words, limit=limit, check=check)

    def run_workload(self, workload, settings: dict, limit: float = 180) -> Result:
        """`loadline run` with --json; the archive is ./archive."""
        sets = [word for path, value in settings.items() for word in ("--set", f"{path}={value}")]
        done = self.run("run", workload, *sets, "--json", "--archive", "archive", limit=limit)
        return Result(json.loads(done.stdout))


class Store:
    """`loadline serve-s3` on a free port for the time of a `with`."""

    def __init__(self, loadline: Loadline, *options: str):
        self.port = free_port()
        self.endpoint = f"http://127.0.0.1:{self.port}"
        self.command = [str(loadline.binary), "serve-s3", "--listen", f"127.0.0.1:{self.port}",
                        *options]

    def __enter__(self):
        self.log = open("store.log", "w+")
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=self.log,
                                        stderr=subprocess.STDOUT)
        for _ in range(200):
            if "listening" in pathlib.Path("store.log").read_text():
                return self
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        said = pathlib.Path("store.log").read_text().strip()
        self.__exit__()
        raise Failed(f"the store did not start: {said[-300:]}")

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


def with_stages(workload: pathlib.Path, names: list[str], into: str) -> pathlib.Path:
    """A copy of the workload with only these stages."""
    tree = ElementTree.parse(workload)
    workflow = tree.find("workflow")
    for stage in list(workflow):
        if stage.get("name") not in names:
            workflow.remove(stage)
    tree.write(into, encoding="utf-8", xml_declaration=True)
    return pathlib.Path(into)


def run(*tests):
    """Runs the functions in order with a Loadline; the script's exit status says how it went."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} BINARY")
    loadline = Loadline(sys.argv[1])
    for test in tests:
        name = test.__name__
        try:
            test(loadline)
        except Skipped as reason:
            print(f"{name}: {reason}")
            sys.exit(77)
        except (Failed, subprocess.TimeoutExpired) as why:
            print(f"{name}: {why}")
            sys.exit(1)
        print(f"{name}: ok")
