#!/usr/bin/env python3
"""The built-in store with signatures checked, asked by others' clients: curl and s3cmd."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from harness import Store, command, expect, expect_equal, need, run  # noqa: E402

ACCESS_KEY, SECRET_KEY = "SECONDOPINION0000001", "second+opinion/0000000000000000000000001"
BODY = bytes(range(256)) * 400


class Curl:
    def __init__(self, endpoint: str, secret_key: str = SECRET_KEY):
        self.endpoint, self.secret_key = endpoint, secret_key

    def status(self, method: str, path: str, *words) -> int:
        done = command("curl", "-sS", "-o", "curl.out", "-w", "%{http_code}", "-X", method,
                       "--aws-sigv4", "aws:amz:us-east-1:s3", "-u",
                       f"{ACCESS_KEY}:{self.secret_key}", "-H",
                       "x-amz-content-sha256: UNSIGNED-PAYLOAD", *words, self.endpoint + path)
        return int(done.stdout)


class S3cmd:
    def __init__(self, store: Store, *words: str):
        host = store.endpoint.removeprefix("http://")
        self.words = ["s3cmd", "--config=/dev/null", f"--access_key={ACCESS_KEY}", "--no-ssl",
                      f"--host={host}", f"--host-bucket={host}", "--no-progress", *words]

    def __call__(self, *words, secret_key: str = SECRET_KEY, check: bool = True):
        return command(*self.words, f"--secret_key={secret_key}", *words, check=check)


def signing_store(loadline) -> Store:
    return Store(loadline, "--key", f"{ACCESS_KEY}:{SECRET_KEY}")


def curl_agrees_on_signatures(loadline):
    need("curl")
    pathlib.Path("body").write_bytes(BODY)
    with signing_store(loadline) as store:
        curl = Curl(store.endpoint)
        expect_equal(curl.status("PUT", "/bucket"), 200, "create bucket")
        # curl 7.88 signs the path as it is given.
        for key in ("plain", "with%20blank", "a/b/c", "%C3%BCmlaut", "tilde~_-."):
            expect_equal(curl.status("PUT", f"/bucket/{key}", "-T", "body"), 200, f"PUT {key}")
            expect_equal(curl.status("GET", f"/bucket/{key}"), 200, f"GET {key}")
            expect(pathlib.Path("curl.out").read_bytes() == BODY, f"GET {key}: other bytes")
        expect_equal(curl.status("GET", "/bucket/plain", "-r", "5-9"), 206, "ranged GET")
        expect_equal(pathlib.Path("curl.out").read_bytes(), BODY[5:10], "bytes 5 to 9")
        stranger = Curl(store.endpoint, "wrong" + SECRET_KEY)
        expect_equal(stranger.status("GET", "/bucket/plain"), 403, "GET with another secret")
        expect("SignatureDoesNotMatch" in pathlib.Path("curl.out").read_text(), "another reason")
        unsigned = command("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}",
                           store.endpoint + "/bucket/plain")
        expect_equal(unsigned.stdout, "403", "GET without a signature")


def use_all_of_s3cmd(s3cmd: S3cmd):
    """Buckets, listing, multipart, odd names and deletion."""
    pathlib.Path("body").write_bytes(BODY)
    pathlib.Path("large").write_bytes(BODY * 120)  # 12 MB: three parts of 5 MB at most
    s3cmd("mb", "s3://opinion")
    s3cmd("put", "body", "s3://opinion/a b+c/ü.bin")
    s3cmd("put", "--multipart-chunk-size-mb=5", "large", "s3://opinion/large")
    listed = s3cmd("ls", "--recursive", "s3://opinion").stdout
    expect("s3://opinion/a b+c/ü.bin" in listed and "s3://opinion/large" in listed,
           f"ls shows: {listed}")
    for name, body in (("a b+c/ü.bin", BODY), ("large", BODY * 120)):
        s3cmd("get", "--force", f"s3://opinion/{name}", "back")
        expect(pathlib.Path("back").read_bytes() == body, f"get {name}: other bytes")
    refused = s3cmd("ls", "s3://opinion", secret_key="wrong", check=False)
    expect(refused.returncode != 0, "ls with another secret went through")
    s3cmd("del", "--recursive", "--force", "s3://opinion")
    s3cmd("rb", "s3://opinion")


def s3cmd_agrees_on_v4_signatures(loadline):
    need("s3cmd")
    with signing_store(loadline) as store:
        use_all_of_s3cmd(S3cmd(store))


def s3cmd_agrees_on_v2_signatures(loadline):
    need("s3cmd")
    with signing_store(loadline) as store:
        use_all_of_s3cmd(S3cmd(store, "--signature-v2"))


if __name__ == "__main__":
    run(curl_agrees_on_signatures, s3cmd_agrees_on_v4_signatures, s3cmd_agrees_on_v2_signatures)
