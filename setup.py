"""Puts the models of the checkout into the wheel, as the folder `verifier/models`. All else is in pyproject.toml."""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

MODELS = Path(__file__).parent / "models"
PARTS = ("*.json", "*.md", "*.onnx", "*.xml", "*.bin")
"""Cards, descriptions and networks; not `checkpoints/`, from which only training goes on."""


class BuildWithModels(build_py):
    """Copies the models beside the package's modules; an editable install reads them from the checkout instead."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        target = Path(self.build_lib) / "verifier" / "models"
        self.mkpath(str(target))
        for model in sorted(path for part in PARTS for path in MODELS.glob(part)):
            self.copy_file(str(model), str(target / model.name))


setup(cmdclass={"build_py": BuildWithModels})
