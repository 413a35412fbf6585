import pathlib

import nbclient
import nbformat

NOTEBOOK = pathlib.Path(__file__).parents[1] / "notebook.ipynb"


def test_the_notebook_runs():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "it is kept without outputs"
    folder = {"metadata": {"path": str(NOTEBOOK.parent)}}
    nbclient.NotebookClient(notebook, timeout=120, resources=folder).execute()
    shown = [o.data for c in notebook.cells for o in c.get("outputs", []) if "data" in o]
    html = [data["text/html"] for data in shown if "text/html" in data]
    assert any("<sup>疏</sup>" in page for page in html), "a passage is shown with its layers"
