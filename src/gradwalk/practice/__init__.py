"""Practice: worked examples, exercises, a drill, and a judge for a `Value` that someone wrote.

    worked      the worked examples with their exact numbers: one table
    exercises   what can be asked about them, run or answered by name
    generate    random expressions, small and friendly or large and wild
    drill       questions about random expressions
    mistakes    how answers are read and graded, and what a wrong one says about how it was found
    lesson      how the right one comes about
    judge       runs a learner's Value through the `checks` and collects the verdicts; `why` and
                `suspects` explain failures; the learner's code runs in a sandbox

The command line is a thin door to `exercises`, `drill` and `judge`.
"""
