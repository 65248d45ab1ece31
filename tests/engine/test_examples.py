"""The examples in the docstrings of the contract and of records, which readers may paste."""

import doctest
from types import ModuleType

import pytest

from cardgames.engine import game, record


@pytest.mark.parametrize("module", [game, record])
def test_the_examples_of_docstrings_come_to_what_they_say(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.attempted > 3
    assert not found.failed
