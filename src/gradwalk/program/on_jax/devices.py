"""Which of JAX's devices scenarios run on, and how arrays get there."""

# JAX has types of its own, which are not there when it is not installed.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false
# pyright: reportMissingImports=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from gradwalk.errors import OperandError
from gradwalk.program.on_jax.lowering import jax_modules

__all__ = ["compiled", "mesh_of", "spread"]


def mesh_of(devices: Any) -> Any:
    """Return the devices as a mesh with one axis.

    `devices` is a count, a list or a mesh; None is all of them.
    """
    jax, _ = jax_modules()
    there = jax.devices()
    devices = there if devices is None else devices
    if isinstance(devices, int) and not isinstance(devices, bool):
        if not 1 <= devices <= len(there):
            raise OperandError(
                f"devices={devices}: JAX has {len(there)} here ({there[0].platform}); of a CPU, "
                f"XLA_FLAGS=--xla_force_host_platform_device_count={max(devices, 1)} in the "
                "environment makes so many"
            )
        chosen: list[Any] = there[:devices]
    else:
        try:
            chosen = [*getattr(devices, "devices", np.asarray(devices, object)).flat]
        except TypeError:
            chosen = [devices]
    strangers = [device for device in chosen if not isinstance(device, jax.Device)]
    if strangers or not chosen or len({*chosen}) < len(chosen):
        what = f"{strangers[0]!r:.40} among them" if strangers else f"{len(chosen)}, not all new"
        raise OperandError(
            f"devices is a count, a list of JAX's devices, each once, or a mesh of them ({what}); "
            "jax.devices() is all"
        )
    if not any(device.process_index == jax.process_index() for device in chosen):
        raise OperandError(
            "none of the devices belongs to this process; jax.devices() has those of all processes"
        )
    return jax.sharding.Mesh(np.array(chosen), ("scenarios",))


def spread(same: Sequence[Any], across: Sequence[Any], devices: Any) -> tuple[list[Any], list[Any]]:
    """Put `same` on every device, and the rows of `across` in equal shares on them."""
    if devices is None:
        return [*same], [*across]
    jax, _ = jax_modules()
    mesh = mesh_of(devices)
    here = sum([device.process_index == jax.process_index() for device in mesh.devices.flat])
    count = across[0].shape[0] if across else 0
    if count % here:
        raise OperandError(
            f"{count:,} scenarios do not divide into {here} equal shares, one per device of this "
            f"process; give a multiple of {here}, or fewer devices"
        )

    def put(array: Any, *axes: str) -> Any:
        sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec(*axes))
        if isinstance(array, jax.Array) and array.sharding == sharding:
            return array
        return jax.make_array_from_process_local_data(sharding, np.asarray(array))

    return [put(x) for x in same], [put(x, "scenarios") for x in across]


def compiled(function: Callable[..., Any], devices: Any, rows: bool = False) -> Any:
    """Return `function(total, same, across)` compiled, without its first argument.

    On several devices it runs on each with that one's rows, and `total` adds up over all of them.
    What it returns is the same on each, but with `rows` its first result has a row per scenario.
    """
    jax, _ = jax_modules()
    if devices is None:
        return jax.jit(partial(function, lambda x: x))
    each, same = jax.sharding.PartitionSpec("scenarios"), jax.sharding.PartitionSpec()
    mapped = jax.shard_map(
        partial(function, lambda x: jax.lax.psum(x, "scenarios")),
        mesh=mesh_of(devices),
        in_specs=(same, each),
        out_specs=(each if rows else same, same),
        check_vma=False,  # else JAX adds up gradients a second time
    )
    return jax.jit(mapped)
