"""The switches no_grad, detect_anomaly, source_lines, scope: nested, in threads, in tasks."""

import asyncio
import math
import threading
from collections.abc import Iterator

import pytest
from support import engines
from support.threads import at_once

from gradwalk import detect_anomaly, no_grad, scope, source_lines
from gradwalk.engine import modes
from gradwalk.errors import AnomalyError, OperandError

pytest_generate_tests = engines.on_every_engine

HERE = __file__


@pytest.fixture(autouse=True)
def every_switch_is_off_afterwards() -> Iterator[None]:
    yield
    assert (len(modes.active), modes.current()) == (0, 0)


def records(Value) -> bool:
    """Whether an operation done here, now, remembers its inputs."""
    return bool((Value(2.0) * 3)._children)


# ── no_grad ──────────────────────────────────────────────────────────────────────────────────


def test_operations_under_no_grad_are_plain_leaves_with_the_right_data(Value) -> None:
    a = Value(2.0)
    with no_grad():
        out = (a - 3) / a + -a.exp()
    assert out.data == (2.0 - 3) * 2.0**-1 + -math.exp(2.0)
    assert (out._children, out._local_grads, out._op) == ((), (), "")
    assert records(Value)


def test_a_graph_made_before_no_grad_still_runs_backward_inside(Value) -> None:
    a = Value(2.0)
    out = a * a
    with no_grad():
        out.backward()
    assert a.grad == 4.0


def test_no_grad_decorates_a_coroutine(Value) -> None:
    @no_grad()
    async def evaluated(inside: asyncio.Event, go_on: asyncio.Event) -> list[bool]:
        before = records(Value)
        inside.set()
        await go_on.wait()
        return [before, records(Value)]

    async def main() -> None:
        inside, go_on = asyncio.Event(), asyncio.Event()
        task = asyncio.create_task(evaluated(inside, go_on))
        await inside.wait()
        assert records(Value)  # here, while the other waits
        go_on.set()
        assert await task == [False, False]

    asyncio.run(main())


def test_no_grad_decorates_a_generator_and_is_off_between_its_items(Value) -> None:
    seen = []

    @no_grad()
    def evaluated():
        try:
            seen.append((records(Value), (yield 1)))
            seen.append((records(Value), (yield 2)))
        except KeyError:
            seen.append((records(Value), "thrown"))
            yield 3
        finally:
            seen.append((records(Value), "end"))
        return 4

    generator = evaluated()
    assert next(generator) == 1
    assert records(Value)
    assert generator.send("sent") == 2
    assert generator.throw(KeyError()) == 3
    assert records(Value)
    with pytest.raises(StopIteration) as ended:
        next(generator)
    assert ended.value.value == 4
    next(other := evaluated())
    other.close()
    assert seen == [(False, "sent"), (False, "thrown"), (False, "end"), (False, "end")]


def test_a_switch_refuses_to_decorate_an_asynchronous_generator() -> None:
    async def items():
        yield 1

    with pytest.raises(OperandError, match=r"no_grad cannot decorate items, .*put a `with`"):
        no_grad()(items)


def test_one_no_grad_object_may_be_entered_again_inside_itself(Value) -> None:
    mode = no_grad()
    with mode:
        with mode:
            assert not records(Value)
        assert not records(Value)
    assert records(Value)


def test_switches_of_two_kinds_end_each_on_its_own(Value) -> None:
    with no_grad():
        with detect_anomaly():
            with pytest.raises(AnomalyError):
                Value(0.0).log()
            assert not records(Value)
        assert Value(0.0).log().data == -math.inf


def in_a_thread(function) -> list:
    answers = []
    thread = threading.Thread(target=lambda: answers.append(function()))
    thread.start()
    thread.join()
    return answers


def test_a_switch_entered_by_hand_ends_with_its_object(Value) -> None:
    quiet = no_grad()
    quiet.__enter__()
    assert not records(Value)
    del quiet
    assert records(Value)
    with no_grad():  # counts again
        pass


def test_a_decorated_function_in_two_threads_at_once_leaves_each_its_own_switches(Value) -> None:
    both_inside, first_is_out = threading.Barrier(2), threading.Event()

    @no_grad()
    def evaluate(wait_for_the_other: bool) -> None:
        both_inside.wait()
        if wait_for_the_other:
            first_is_out.wait()

    def first() -> bool:
        evaluate(wait_for_the_other=False)
        first_is_out.set()
        return records(Value)

    def second() -> int:
        with detect_anomaly():
            evaluate(wait_for_the_other=True)
            return modes.current()

    answers = at_once(lambda function: function(), (first, second))
    assert answers == [True, modes.ANOMALY | modes.LINES]


def test_no_grad_in_one_task_is_not_seen_in_another(Value) -> None:
    seen = []

    async def evaluates(inside: asyncio.Event, checked: asyncio.Event) -> None:
        with no_grad():
            inside.set()
            await checked.wait()
            seen.append(records(Value))

    async def trains(inside: asyncio.Event, checked: asyncio.Event) -> None:
        await inside.wait()
        seen.append(records(Value))
        checked.set()

    async def main() -> None:
        events = asyncio.Event(), asyncio.Event()
        await asyncio.gather(evaluates(*events), trains(*events))

    asyncio.run(main())
    assert seen == [True, False]


def test_a_task_started_under_no_grad_is_under_it_just_as_long_as_the_block_lasts(Value) -> None:
    seen = []

    async def main() -> None:
        block_is_over = asyncio.Event()

        async def child() -> None:
            seen.append(records(Value))
            await block_is_over.wait()
            seen.append(records(Value))
            with source_lines():  # another switch must not bring the old one back
                seen.append(records(Value))

        with no_grad():
            task = asyncio.create_task(child())
            await asyncio.sleep(0)
        block_is_over.set()
        await task

    asyncio.run(main())
    assert seen == [False, True, True]


# ── detect_anomaly ───────────────────────────────────────────────────────────────────────────


def test_the_first_nan_forward_names_the_operation_its_operands_and_the_line(Value) -> None:
    x = Value(-1.0)
    with pytest.raises(AnomalyError) as caught, detect_anomaly():
        x.log()
    line = caught.traceback[0].lineno + 1
    assert str(caught.value) == f"log(-1.0) is nan, made at {HERE}:{line}"
    assert (caught.value.op, caught.value.line) == ("log", (HERE, line))


def test_backward_names_the_operation_and_the_line_that_made_it(Value) -> None:
    x = Value(0.0)
    with detect_anomaly():
        root = x.sqrt()
        made = root._line
        with pytest.raises(AnomalyError) as caught:
            root.backward()
    assert str(caught.value) == (
        f"backward through sqrt gives an input the gradient inf, made at {HERE}:{made[1]}"
    )
    assert (caught.value.op, caught.value.line) == ("sqrt", made)


def test_backward_through_a_node_made_outside_names_the_operation_without_a_line(Value) -> None:
    root = Value(0.0).sqrt()
    with pytest.raises(AnomalyError) as caught, detect_anomaly():
        root.backward()
    assert str(caught.value) == "backward through sqrt gives an input the gradient inf"
    assert caught.value.line is None


# ── source_lines ─────────────────────────────────────────────────────────────────────────────


def test_nodes_made_under_source_lines_remember_the_line_of_the_user(Value) -> None:
    a = Value(2.0)
    with source_lines():
        first = a * 3
        second = abs(a) - 1
    assert first._line[0] == HERE
    assert second._line == (HERE, first._line[1] + 1)


def test_outside_source_lines_nodes_remember_no_line(Value) -> None:
    assert getattr(Value(2.0) * 3, "_line", None) is None


# ── scope ────────────────────────────────────────────────────────────────────────────────────


def scope_of(value) -> str:
    return getattr(value, "_scope", "")


def test_a_node_made_in_a_scope_carries_its_name_and_those_around_it(Value) -> None:
    a = Value(2.0)
    with scope("model"):
        b = a * 3
        with scope("head"), scope(), scope("dot"):
            c = a - b
        d = b.exp()
    assert [scope_of(value) for value in (a, b, c, d, d * 2)] == [
        "", "model", "model.head.dot", "model", "",
    ]  # fmt: skip
    assert scope_of(c._children[1]) == "model.head.dot"  # what a derived operation is made of


def test_a_scope_in_one_thread_is_not_seen_in_another(Value) -> None:
    with scope("here"):
        assert in_a_thread(lambda: scope_of(Value(1.0) + 1)) == [""]


def test_a_scope_goes_together_with_the_other_switches(Value) -> None:
    with scope("quiet"), no_grad():
        out = Value(1.0) + 1
    assert (scope_of(out), out._children) == ("quiet", ())
    with source_lines(), scope("told"):
        out = Value(1.0) + 1
    assert (scope_of(out), out._line[0]) == ("told", HERE)


def test_the_name_of_a_scope_is_a_str() -> None:
    with pytest.raises(OperandError, match="the name of a scope is a str, not int: 3"):
        scope(3)  # pyright: ignore[reportArgumentType]
