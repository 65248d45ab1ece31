"""Set up for every test: hypothesis tries the same examples every time, so that a run says the same everywhere.

``HYPOTHESIS_PROFILE=search`` tries new ones, and more of them.
"""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.postgres import Server

settings.register_profile("same", derandomize=True, database=None, deadline=None, max_examples=25)
settings.register_profile("search", database=None, deadline=None, max_examples=500)
os.environ.pop("CARDGAMES_STORE", None)  # nobody's matches are played with
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server for all tests that change nothing about it, started when the first of them wants it."""
    with Server(fsync=False) as started:
        yield started
