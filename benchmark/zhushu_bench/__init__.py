"""Scores layers, references, alignments and more of Chinese classics with commentaries, against gold made by hand.

`python -m zhushu_bench --help` lists the commands; ../README.md explains them. Only the standard library is needed.
"""

VERSION = "1"
