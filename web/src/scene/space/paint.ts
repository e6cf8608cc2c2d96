/**
 * Draws slabs, tubes, beads and their shadows by three.js, on a canvas of its own.
 *
 * It draws when it is told to and never by itself. The same drawing gives the same pixels.
 */

import {
  AmbientLight,
  BufferGeometry,
  Color,
  DirectionalLight,
  DoubleSide,
  ExtrudeGeometry,
  Float32BufferAttribute,
  FrontSide,
  Mesh,
  MeshLambertMaterial,
  PlaneGeometry,
  Points,
  Scene,
  ShaderMaterial,
  Shape,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { type Eye, onSlab, type Slab, THICK } from "./geometry.ts";

/** A tube along a line: its radius at each point of it. */
export interface Tube {
  readonly line: readonly Vector3[];
  readonly radii: readonly number[];
  readonly color: string;
}

export interface Block {
  readonly slab: Slab;
  readonly lift: number;
  readonly color: string;
}

export interface Drawing {
  readonly eye: Eye;
  readonly blocks: readonly Block[];
  readonly tubes: readonly Tube[];
  readonly beads: readonly { at: Vector3; color: string }[];
  readonly line: string;
  readonly glow: string;
  readonly isDark: boolean;
}

const SIDES = 8;
/** Cosines and sines around a tube. */
const CIRCLE = Array.from({ length: SIDES }, (_, k) => {
  const angle = (2 * Math.PI * k) / SIDES;
  return [Math.cos(angle), Math.sin(angle)] as const;
});
const [ROUND, EDGE] = [0.13, 0.03];
const BEAD = 1.1;
/** Where the floor ends, behind the last card. */
const BEYOND = 4;
/** How far a shadow falls to the right and to the viewer, by height. */
const FALL = "vec3(0.32, 0.0, 0.1)";

export class Painter {
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #uniforms = {
    reach: { value: new Vector2() },
    line: { value: new Color() },
    glow: { value: new Color() },
    light: { value: 0 },
    shade: { value: 0 },
    size: { value: 0 },
  };
  readonly #ground = new Mesh(new PlaneGeometry(2, 2), this.#shader(GROUND));
  readonly #shadows = new Mesh(new BufferGeometry(), this.#shader(SHADOW));
  readonly #fallen = new Mesh(new BufferGeometry(), this.#shader(FALLEN));
  readonly #tubes = new Mesh(new BufferGeometry(), new MeshLambertMaterial({ vertexColors: true }));
  readonly #beads = new Points(new BufferGeometry(), this.#shader(GLOW));
  readonly #ambient = new AmbientLight();
  readonly #sun = new DirectionalLight();
  readonly #blocks: Mesh<ExtrudeGeometry, MeshLambertMaterial>[] = [];
  readonly #shapes = new Map<string, ExtrudeGeometry>();

  constructor(canvas: HTMLCanvasElement) {
    const options = { alpha: true, antialias: true, preserveDrawingBuffer: true };
    this.#renderer = new WebGLRenderer({ canvas, ...options });
    this.#sun.position.set(-0.55, 1, 0.4);
    this.#ground.rotation.x = -Math.PI / 2;
    // Of what is flat on the ground each side of a tube would darken it once.
    this.#fallen.material.side = FrontSide;
    this.#beads.material.depthTest = false;
    [this.#ground, this.#shadows, this.#fallen, this.#tubes, this.#beads].forEach((thing, i) => {
      thing.frustumCulled = false;
      thing.renderOrder = i;
      this.#scene.add(thing);
    });
    this.#scene.add(this.#ambient, this.#sun);
  }

  #shader([vertexShader, fragmentShader]: readonly [string, string]): ShaderMaterial {
    const looks = { transparent: true, depthWrite: false, side: DoubleSide } as const;
    return new ShaderMaterial({ vertexShader, fragmentShader, uniforms: this.#uniforms, ...looks });
  }

  dispose(): void {
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
  }

  paint({ eye, blocks, tubes, beads, line, glow, isDark }: Drawing): void {
    const { camera, stage } = eye;
    const [{ x, y }, ratio] = [
      this.#renderer.getSize(new Vector2()),
      Math.min(2, devicePixelRatio),
    ];
    // A canvas that is given its size is made anew.
    if (x !== stage.width || y !== stage.height || this.#renderer.getPixelRatio() !== ratio) {
      this.#renderer.setPixelRatio(ratio);
      this.#renderer.setSize(stage.width, stage.height, false);
    }
    this.#ambient.intensity = isDark ? 1.9 : 2.3;
    this.#sun.intensity = isDark ? 1.6 : 1.1;
    const { reach, size, ...colors } = this.#uniforms;
    reach.value.set(
      BEYOND + Math.max(...blocks.map(({ slab }) => Math.abs(slab.x) + slab.width / 2)),
      BEYOND + Math.max(...blocks.map(({ slab }) => Math.abs(slab.z) + slab.height / 2)),
    );
    this.#ground.scale.set(reach.value.x, reach.value.y, 1);
    colors.line.value.set(line);
    colors.glow.value.set(glow);
    colors.light.value = isDark ? 0.5 : 0.3;
    colors.shade.value = isDark ? 0.55 : 0.16;
    const focus = camera.projectionMatrix.elements[5] * (stage.height / 2);
    size.value = BEAD * focus * this.#renderer.getPixelRatio();
    this.#setBlocks(blocks);
    for (const thing of [this.#tubes, this.#shadows, this.#beads]) thing.geometry.dispose();
    this.#tubes.geometry = this.#fallen.geometry = pipes(tubes);
    this.#shadows.geometry = shadows(blocks);
    this.#beads.geometry = geometry({
      position: [3, beads.flatMap(({ at }) => at.toArray())],
      color: [3, beads.flatMap(({ color }) => new Color(color).toArray())],
    });
    this.#renderer.render(this.#scene, camera);
  }

  #setBlocks(blocks: readonly Block[]): void {
    while (this.#blocks.length < blocks.length) {
      const block = new Mesh(new ExtrudeGeometry(), new MeshLambertMaterial());
      block.rotation.x = -Math.PI / 3;
      this.#blocks.push(block);
      this.#scene.add(block);
    }
    this.#blocks.forEach((block, i) => {
      block.visible = i < blocks.length;
      if (!block.visible) return;
      const { slab, lift, color } = blocks[i];
      const key = `${slab.width} ${slab.height}`;
      if (!this.#shapes.has(key)) this.#shapes.set(key, rounded(slab));
      block.geometry = this.#shapes.get(key)!;
      block.material.color.set(color);
      block.position.copy(onSlab(slab, lift, 0, 0, -THICK / 2));
    });
  }
}

/** A slab that lies on its back: round corners, a bevel, its upper face at THICK. */
function rounded({ width, height }: Slab): ExtrudeGeometry {
  const [x, y, r] = [width / 2 - EDGE, height / 2 - EDGE, ROUND - EDGE];
  const shape = new Shape();
  [
    [x - r, y - r],
    [r - x, y - r],
    [r - x, r - y],
    [x - r, r - y],
  ].forEach(([x, y], i) => {
    shape.absarc(x, y, r, (i * Math.PI) / 2, ((i + 1) * Math.PI) / 2, false);
  });
  const bevel = { bevelThickness: EDGE, bevelSize: EDGE, bevelSegments: 3, curveSegments: 6 };
  const solid = new ExtrudeGeometry(shape, { depth: THICK - 2 * EDGE, ...bevel });
  return solid.translate(0, 0, EDGE);
}

function geometry(parts: Record<string, [number, number[]]>, index: number[] = []): BufferGeometry {
  const made = new BufferGeometry();
  for (const [name, [size, numbers]] of Object.entries(parts))
    made.setAttribute(name, new Float32BufferAttribute(numbers, size));
  return index.length ? made.setIndex(index) : made;
}

/** All tubes as one mesh. */
function pipes(tubes: readonly Tube[]): BufferGeometry {
  const [places, normals, colors, index]: number[][] = [[], [], [], []];
  for (const { line, radii, color } of tubes) {
    const tint = new Color(color).toArray();
    line.forEach((p, i) => {
      const ahead = line[Math.min(i + 1, line.length - 1)].clone();
      ahead.sub(line[Math.max(0, i - 1)]).normalize();
      const level = new Vector3(0, 1, 0);
      const side = Math.abs(ahead.y) > 0.9 ? level.set(1, 0, 0) : level;
      side.cross(ahead).normalize();
      const up = ahead.clone().cross(side);
      CIRCLE.forEach(([cos, sin], k) => {
        const [x, y, z] = [0, 1, 2].map(
          (n) => side.getComponent(n) * cos + up.getComponent(n) * sin,
        );
        normals.push(x, y, z);
        places.push(p.x + x * radii[i], p.y + y * radii[i], p.z + z * radii[i]);
        colors.push(...tint);
        if (i === 0) return;
        const here = places.length / 3 - 1;
        const next = here + ((k + 1) % SIDES) - k;
        index.push(here - SIDES, next - SIDES, here, here, next - SIDES, next);
      });
    });
  }
  const parts = { position: [3, places], normal: [3, normals], color: [3, colors] } as const;
  return geometry(parts as unknown as Record<string, [number, number[]]>, index);
}

/** A soft shadow under each slab: softer and fainter the higher it stands. */
function shadows(blocks: readonly Block[]): BufferGeometry {
  const [places, inside, soft, index]: number[][] = [[], [], [], []];
  blocks.forEach(({ slab, lift }, i) => {
    const { x, y, z } = onSlab(slab, lift, 0, 0);
    const blur = 0.14 + 0.3 * lift;
    const [wide, deep] = [slab.width / 2, 0.45 * slab.height];
    for (const [right, down] of [
      [-1, -1],
      [1, -1],
      [-1, 1],
      [1, 1],
    ]) {
      const [dx, dz] = [right * (wide + blur), down * (deep + blur)];
      places.push(x + dx, y, z + dz);
      inside.push(dx, dz, wide, deep);
      soft.push(blur, 1 / (1 + 0.35 * lift));
    }
    index.push(...[0, 1, 2, 2, 1, 3].map((corner) => 4 * i + corner));
  });
  return geometry({ position: [3, places], inside: [4, inside], soft: [2, soft] }, index);
}

// ── Shaders ────────────────────────────────────────────────────────────────────────────────────

const SEEN = "gl_Position = projectionMatrix * modelViewMatrix *";
/** Where the shadow of a place falls, a hair above the ground. */
const SHADED = `vec4((position + position.y * ${FALL}) * vec3(1.0, 0.0, 1.0) + vec3(0.0, 0.004, 0.0), 1.0);`;

/** Squares of one unit that fade, on a faint light. */
const GROUND = [
  `varying vec2 place; uniform vec2 reach;
  void main() { place = position.xy * reach; ${SEEN} vec4(position, 1.0); }`,
  `varying vec2 place; uniform vec2 reach; uniform vec3 line, glow; uniform float light;
  void main() {
    vec2 far = abs(fract(place - 0.5) - 0.5) / fwidth(place);
    float near = 1.0 - smoothstep(0.25, 0.95, length(place / reach));
    float ink = 0.8 * near * (1.0 - min(min(far.x, far.y) / 1.1, 1.0));
    float lit = light * near * near * (1.0 - ink);
    gl_FragColor = vec4((line * ink + glow * lit) / max(ink + lit, 0.001), ink + lit);
    #include <colorspace_fragment>
  }`,
] as const;

const SHADOW = [
  `attribute vec4 inside; attribute vec2 soft; varying vec4 place; varying vec2 blur;
  void main() { place = inside; blur = soft; ${SEEN} ${SHADED} }`,
  `varying vec4 place; varying vec2 blur; uniform float shade;
  void main() {
    vec2 over = abs(place.xy) - place.zw + ${ROUND};
    float far = length(max(over, 0.0)) + min(max(over.x, over.y), 0.0) - ${ROUND};
    gl_FragColor = vec4(vec3(0.0), shade * blur.y * (1.0 - smoothstep(-blur.x, blur.x, far)));
  }`,
] as const;

/** Tubes, flat on the ground: fainter the higher they run. */
const FALLEN = [
  `varying float high; void main() { high = position.y; ${SEEN} ${SHADED} }`,
  `varying float high; uniform float shade;
  void main() { gl_FragColor = vec4(vec3(0.0), 0.5 * shade / (1.0 + 0.5 * high)); }`,
] as const;

/** A white bead with a ring and a halo of its colour. */
const GLOW = [
  `attribute vec3 color; varying vec3 tint; uniform float size;
  void main() { tint = color; ${SEEN} vec4(position, 1.0); gl_PointSize = size / gl_Position.w; }`,
  `varying vec3 tint;
  void main() {
    float far = 2.0 * length(gl_PointCoord - 0.5);
    float core = 1.0 - smoothstep(0.2, 0.23, far);
    float ring = 1.0 - smoothstep(0.3, 0.33, far);
    gl_FragColor = vec4(mix(tint, vec3(1.0), core), max(ring, 0.85 * pow(max(0.0, 1.0 - far), 2.2)));
    #include <colorspace_fragment>
  }`,
] as const;
