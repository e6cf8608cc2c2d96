"""Practice: worked examples, exercises, a drill, and a judge for a `Value` that someone wrote.

    worked      the worked examples with their exact numbers: one table
    exercises   the questions about them, run or answered by name
    generate    random expressions, small and friendly or large and wild
    drill       questions about random expressions
    sheet       questions on paper or a page, and their key
    answers     reads and grades an answer, names a known mistake, explains the right number
    judge       runs a learner's `Value` through checks and explains what failed
    language    the sentences of these in the learner's language

The command line is a thin door to `exercises`, `drill` and `judge`.
"""
