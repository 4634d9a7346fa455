#!/usr/bin/env python3
"""check_layers on small trees: upward includes, hidden links and unknown layers are refused."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parent / "check_layers"
CLEAN = {
    "docs/layers.txt": "base:\nplan: base  # a comment\ndrive: plan base\nweb: drive/drive.h\n"
                       "targets/*: base\napp: *\n<zlib.h>: plan\n",
    "src/base/CMakeLists.txt": "loadline_module(base LINK fmt::fmt)\n",
    "src/base/error.h": "#include <string>\n",
    "src/plan/CMakeLists.txt": "loadline_module(plan LINK base)\n",
    "src/plan/plan.h": '#include <zlib.h>\n#include "base/error.h"\n',
    "src/drive/CMakeLists.txt": "loadline_module(drive LINK plan)\n",
    "src/drive/drive.h": '#include "base/error.h"\n',
    "src/drive/hidden.h": "",
    "src/web/CMakeLists.txt": "loadline_module(web LINK drive)\n",
    "src/web/web.cc": '#include "drive/drive.h"\n',
    "src/app/main.cc": '#include "plan/plan.h"\n#include "targets/s3/s3.h"\n',
    "targets/s3/CMakeLists.txt": "loadline_target(s3 TYPES s3 LINK base)\n",
    "targets/s3/s3.h": '#include "base/error.h"\n',
    "src/base/error_test.cc": '#include "plan/plan.h"\n',
}


class CheckLayers(unittest.TestCase):
    def run_on(self, changes: dict[str, str]) -> tuple[int, str]:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**CLEAN, **changes}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([sys.executable, TOOL, "--root", folder],
                                  capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def refuses(self, changes, expected):
        status, output = self.run_on(changes)
        self.assertIn(expected, output)
        self.assertEqual(status, 1)

    def test_clean_tree_passes(self):
        # web links drive, which its row does not name: a header's row admits the link too.
        self.assertEqual(self.run_on({}), (0, ""))

    def test_refuses_include_up_the_table(self):
        self.refuses({"src/base/error.cc": '\n#include "plan/plan.h"\n'},
                     "src/base/error.cc:2: base may not include plan")

    def test_refuses_include_of_a_target(self):
        self.refuses({"src/plan/plan.cc": '#include "targets/s3/s3.h"\n'},
                     "plan may not include targets/s3")

    def test_refuses_one_target_including_another(self):
        self.refuses({"targets/mock/mock.cc": '#include "targets/s3/s3.h"\n'},
                     "targets/mock may not include targets/s3")

    def test_refuses_other_headers_of_a_layer_known_by_one(self):
        self.refuses({"src/web/web.cc": '#include "drive/hidden.h"\n'}, "web may not include drive")

    def test_refuses_missing_file(self):
        self.refuses({"src/plan/plan.cc": '#include "plan/nowhere.h"\n'}, "no file of this project")

    def test_refuses_layer_without_row(self):
        self.refuses({"src/extra/extra.cc": ""}, "no row for extra")

    def test_refuses_link_up_the_table(self):
        self.refuses({"src/base/CMakeLists.txt": "loadline_module(base LINK plan)\n"},
                     "base may not link plan")

    def test_refuses_include_without_link(self):
        self.refuses({"src/plan/CMakeLists.txt": "loadline_module(plan)\n"},
                     "plan includes base but its CMakeLists.txt does not link it")

    def test_refuses_library_of_another_layer(self):
        self.refuses({"src/base/error.h": "#include <zlib.h>\n"}, "base may not use <zlib.h>")


if __name__ == "__main__":
    unittest.main()
