"""Settings of the tests, which the environment changes.

TAGSTREAM_SECONDS is the duration of the test with random calls from four threads. TAGSTREAM_DOCUMENTS is the number of
random documents of each dialect that are compared with the program, and TAGSTREAM_SEED draws other documents.
TAGSTREAM_PROGRAM is a program that is built already. TAGSTREAM_SUITES is the folder of the conformance
suites.
"""

import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
SUITES = pathlib.Path(os.environ.get("TAGSTREAM_SUITES", ROOT.parent / "shared" / "suites"))


@pytest.fixture
def suites():
    if not SUITES.is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{SUITES} is missing: see testing/suites.md")
        pytest.skip(f"{SUITES} is missing: see testing/suites.md")
    return SUITES
