"""Problems of computer vision: bundle adjustment, hand tracking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gradwalk import engine, ops

Vector = Sequence[Any]
Matrix = list[list[Any]]


def reprojection_error(camera: Vector, point: Vector, weight: Any, feature: Vector) -> list[Any]:
    """How far a point is from where a camera saw it, in two coordinates, times a weight.

    A camera is a rotation (3), a centre (3), a focal length, a principal point (2) and two
    coefficients of radial distortion.
    """
    x, y, z = _rotated(camera[0:3], [a - b for a, b in zip(point, camera[3:6], strict=True)])
    u, v = x / z, y / z
    squared = u * u + v * v
    scale = camera[6] * (1.0 + camera[9] * squared + camera[10] * squared * squared)
    return [
        weight * (u * scale + camera[7] - feature[0]),
        weight * (v * scale + camera[8] - feature[1]),
    ]


def weight_error(weight: Any) -> Any:
    return 1.0 - weight * weight


def _rotated(axis: Vector, x: Vector) -> list[Any]:
    """Return x, turned around an axis by the axis's length: Rodrigues' formula."""
    squared = engine.dot(axis, axis)
    # At 0 the formula is 0/0. There x turns by the cross product alone.
    still = squared == 0.0
    angle = ops.sqrt(ops.where(still, 1.0, squared))
    cosine, sine = ops.cos(angle), ops.sin(angle)
    unit = [a / angle for a in axis]
    across = _cross(unit, x)
    along = engine.dot(unit, x) * (1.0 - cosine)
    turned = [a * cosine + b * sine + c * along for a, b, c in zip(x, across, unit, strict=True)]
    nearly = [a + b for a, b in zip(x, _cross(axis, x), strict=True)]
    return [ops.where(still, a, b) for a, b in zip(nearly, turned, strict=True)]


def _cross(a: Vector, b: Vector) -> list[Any]:
    return [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]


# ── Hand tracking ────────────────────────────────────────────────────────────────────────────


def hand_errors(theta: Vector, us: Vector, data: dict[str, Any]) -> list[Any]:
    """How far each measured point is from the posed hand, in three coordinates.

    `theta` is the pose: a global rotation and translation, then four angles a finger. With `us`, a
    point lies in a triangle of the hand's surface, at these two coordinates; without, on a vertex.
    """
    model = data["model"]
    turns = _turns(theta, model["bone_count"])
    bones: list[Matrix] = []
    for i, parent in enumerate(model["parents"]):
        own, turn = model["base_relatives"][i], turns[i]
        if turn is not None:
            own = _times(own, _turn(turn))
        bones.append(own if parent == -1 else _times(bones[parent], own))
    moves = [
        _times(bone, inverse)
        for bone, inverse in zip(bones, model["inverse_base_absolutes"], strict=True)
    ]
    turn = _rotation(theta[0:3])
    if model.get("is_mirrored"):
        turn = [[-row[0], *row[1:]] for row in turn]
    known: dict[int, list[Any]] = {}

    def vertex(i: int) -> list[Any]:
        if i not in known:
            skinned = _skinned(model["base_positions"][i], model["weights"][i], moves)
            known[i] = [
                engine.dot(row, skinned) + t for row, t in zip(turn, theta[3:6], strict=True)
            ]
        return known[i]

    errors: list[Any] = []
    for i, (point, at) in enumerate(zip(data["points"], data["correspondences"], strict=True)):
        if us:
            a, b, c = [vertex(corner) for corner in model["triangles"][at]]
            u, v = us[2 * i], us[2 * i + 1]
            place = [u * p + v * q + (1.0 - u - v) * r for p, q, r in zip(a, b, c, strict=True)]
        else:
            place = vertex(at)
        errors += [p - q for p, q in zip(point, place, strict=True)]
    return errors


def _turns(theta: Vector, bones: int) -> list[list[Any] | None]:
    """Return three angles per bone that turns: of a finger's, the first has two, two have one."""
    turns: list[list[Any] | None] = [None] * bones
    for finger in range(5):
        at = 6 + 4 * finger
        first = 2 + 4 * finger
        turns[first] = [theta[at], theta[at + 1], 0.0]
        turns[first + 1] = [theta[at + 2], 0.0, 0.0]
        turns[first + 2] = [theta[at + 3], 0.0, 0.0]
    return turns


def _turn(angles: Vector) -> Matrix:
    """Return the 4 × 4 matrix that turns by angles about x, z and y."""
    x, z, y = angles
    cx, sx, cy, sy, cz, sz = [f(a) for a in (x, y, z) for f in (ops.cos, ops.sin)]
    by_x = [[1.0, 0.0, 0.0], [0.0, cx, -sx], [0.0, sx, cx]]
    by_y = [[cy, 0.0, -sy], [0.0, 1.0, 0.0], [sy, 0.0, cy]]
    by_z = [[cz, -sz, 0.0], [sz, cz, 0.0], [0.0, 0.0, 1.0]]
    turned = _times(_times(by_z, by_y), by_x)
    return [*[[*row, 0.0] for row in turned], [0.0, 0.0, 0.0, 1.0]]


def _rotation(axis: Vector) -> Matrix:
    """Return the matrix that turns around an axis by the axis's length."""
    columns = [_rotated(axis, [1.0 if i == j else 0.0 for j in range(3)]) for i in range(3)]
    return [[columns[j][i] for j in range(3)] for i in range(3)]


def _skinned(position: Vector, weights: Sequence[float], moves: list[Matrix]) -> list[Any]:
    """Return where a vertex goes: the mean of where each bone takes it, by its weights."""
    place: list[Any] = [0.0, 0.0, 0.0]
    for weight, move in zip(weights, moves, strict=True):
        if weight:
            for i in range(3):
                place[i] = place[i] + weight * engine.dot(move[i], position)
    return place


def _times(a: Sequence[Vector], b: Sequence[Vector]) -> Matrix:
    return [[engine.dot(row, [line[j] for line in b]) for j in range(len(b[0]))] for row in a]
