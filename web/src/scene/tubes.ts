/** Wires with a body: a tube for forward, a row of short tubes for backward. */

import {
  BufferGeometry,
  type CatmullRomCurve3,
  type Curve,
  LineCurve3,
  Mesh,
  MeshBasicMaterial,
  TubeGeometry,
  type Vector3,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";

export function tube(curve: CatmullRomCurve3, radius: number, color: string): Mesh {
  return new Mesh(new TubeGeometry(curve, 48, radius, 6), new MeshBasicMaterial({ color }));
}

const DASH = 9;
const GAP = 8;

export function dashes(curve: CatmullRomCurve3, radius: number, color: string): Mesh {
  const length = curve.getLength();
  const pieces: BufferGeometry[] = [];
  for (let at = 0; at + DASH < length; at += DASH + GAP) {
    const piece: Curve<Vector3> = new LineCurve3(
      curve.getPointAt(at / length),
      curve.getPointAt((at + DASH) / length),
    );
    pieces.push(new TubeGeometry(piece, 1, radius, 6));
  }
  const whole = pieces.length ? mergeGeometries(pieces) : new BufferGeometry();
  return new Mesh(whole, new MeshBasicMaterial({ color }));
}
