"""microGPT on Values: a GPT whose every parameter is a Value, from characters to samples.

In reading order: `tokens` (text as numbers), `model` (the GPT, written out), `fast` (the same in
n-ary operations), `training` (one document per step), `stepper` (moves the parameters), `breaks`
(the model with one part broken), `views` (parameters, gradients, attention, the graph of a loss),
`stream` (a run as JSON lines), `checkpoint` (a run in a file).
"""

from gradwalk.gpt.breaks import BREAKS
from gradwalk.gpt.fast import FastGPT
from gradwalk.gpt.model import GPT, Config
from gradwalk.gpt.tokens import Tokenizer, read_documents
from gradwalk.gpt.training import Done, Run, Training, load_model

__all__ = [
    "BREAKS",
    "GPT",
    "Config",
    "Done",
    "FastGPT",
    "Run",
    "Tokenizer",
    "Training",
    "load_model",
    "read_documents",
]
