import pathlib

import pytest

import zhushu

CORPUS = pathlib.Path(__file__).parents[2] / "corpus"


@pytest.fixture(scope="session")
def corpus():
    return CORPUS


@pytest.fixture(scope="session")
def library():
    return zhushu.split(CORPUS)
