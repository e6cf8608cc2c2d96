/** Where one looks: a translation and a scale, kept within reason. Pure; the scene draws it. */

import type { Camera } from "../app/state.ts";

export interface Size {
  width: number;
  height: number;
}

export interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const LEAST = 0.004;
export const MOST = 3;
/** A small picture does not fill the stage: letters of this size are large enough. */
export const FIT_MOST = 1.6;
const PAD = 8;

/** The scale at which the whole of a picture is seen. */
export function fitScale(picture: Size, view: Size): number {
  return Math.min((view.width - PAD) / picture.width, (view.height - PAD) / picture.height);
}

/** The whole picture if its scale is then at least `least`, else as much of it as can be read. */
export function fit(picture: Size, view: Size, least = LEAST): Camera {
  const k = clamp(fitScale(picture, view), Math.min(least, FIT_MOST), FIT_MOST);
  const spareX = view.width - picture.width * k;
  const spareY = view.height - picture.height * k;
  return {
    k,
    x: spareX >= 0 ? spareX / 2 : 0,
    y: spareY >= 0 ? spareY / 2 : Math.max(spareY / 2, spareY),
  };
}

export function zoomed(
  camera: Camera,
  factor: number,
  x: number,
  y: number,
  [least, most]: readonly [number, number] = [LEAST, MOST],
): Camera {
  const k = clamp(camera.k * factor, least, most);
  const ratio = k / camera.k;
  return { k, x: x - (x - camera.x) * ratio, y: y - (y - camera.y) * ratio };
}

/** The camera moved no more than needed for `target` to be in view. */
export function following(camera: Camera, target: Rect, view: Size): Camera {
  const margin = 12;
  const shift = (low: number, high: number, size: number): number => {
    if (high - low > size - 2 * margin) return margin - low;
    if (low < margin) return margin - low;
    return high > size - margin ? size - margin - high : 0;
  };
  const { x, y, k } = camera;
  return {
    k,
    x: x + shift(target.left * k + x, target.right * k + x, view.width),
    y: y + shift(target.top * k + y, target.bottom * k + y, view.height),
  };
}

/** Keep at least a corner of the picture in view: nobody gets lost by dragging. */
export function held(camera: Camera, picture: Size, view: Size): Camera {
  const keep = 80;
  return {
    k: camera.k,
    x: clamp(camera.x, keep - picture.width * camera.k, view.width - keep),
    y: clamp(camera.y, keep - picture.height * camera.k, view.height - keep),
  };
}

function clamp(x: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, x));
}
