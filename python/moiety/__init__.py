"""moiety finds the hidden groups in data by the method of moments.

The estimators follow scikit-learn. Each drives the program ``moiety``, a single
static binary that comes with this package: the same data give the same groups
here, on the command line and in the Go library.
"""

from ._errors import MoietyError, MoietyWarning
from ._estimators import MoietyLDA, MoietyMixture, MoietyTree
from ._program import program, version
from ._report import Picture, Report
from ._sequences import MoietyHMM

__all__ = [
    "MoietyError",
    "MoietyHMM",
    "MoietyLDA",
    "MoietyMixture",
    "MoietyTree",
    "MoietyWarning",
    "Picture",
    "Report",
    "program",
    "version",
]

__version__ = "0.1.0"
