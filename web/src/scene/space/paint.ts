/**
 * Draws a floor with slabs, tubes, beads and shadows by three.js, on a canvas of its own.
 *
 * It draws when it is told to and never by itself. The same drawing gives the same pixels.
 */

import {
  AmbientLight,
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  DoubleSide,
  ExtrudeGeometry,
  Mesh,
  MeshLambertMaterial,
  PerspectiveCamera,
  PlaneGeometry,
  Points,
  Scene,
  ShaderMaterial,
  Shape,
  Vector2,
  WebGLRenderer,
} from "three";
import { type Eye, FOV, onSlab, type Slab, THICK, type Vec } from "./geometry.ts";

/** A tube along a line: its radius at each point of it. */
export interface Tube {
  readonly line: readonly Vec[];
  readonly radii: readonly number[];
  readonly color: string;
}

export interface Block {
  readonly slab: Slab;
  readonly lift: number;
  readonly color: string;
}

export interface Bead {
  readonly at: Vec;
  readonly color: string;
}

export interface Drawing {
  readonly eye: Eye;
  readonly blocks: readonly Block[];
  readonly tubes: readonly Tube[];
  readonly beads: readonly Bead[];
  readonly line: string;
  readonly glow: string;
  readonly isDark: boolean;
}

const SIDES = 8;
const ROUND = 0.13;
const EDGE = 0.03;
/** Where the light comes from: so much to the right and to the viewer a shadow falls, by height. */
const FALL: Vec = [0.32, 0, 0.1];
const BEAD = 1.1;

export class Painter {
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(FOV);
  readonly #ground = new Mesh(new PlaneGeometry(2, 2), shader(GROUND));
  readonly #shadows = new Mesh(new BufferGeometry(), shader(SHADOW));
  readonly #tubes = new Mesh(new BufferGeometry(), new MeshLambertMaterial({ vertexColors: true }));
  readonly #beads = new Points(new BufferGeometry(), shader(GLOW));
  readonly #ambient = new AmbientLight();
  readonly #sun = new DirectionalLight();
  readonly #blocks: Mesh<ExtrudeGeometry, MeshLambertMaterial>[] = [];
  readonly #shapes = new Map<string, ExtrudeGeometry>();

  constructor(canvas: HTMLCanvasElement) {
    this.#renderer = new WebGLRenderer({
      canvas,
      alpha: true,
      antialias: true,
      preserveDrawingBuffer: true,
    });
    this.#sun.position.set(-0.55, 1, 0.4);
    this.#ground.rotation.x = -Math.PI / 2;
    const things = [this.#ground, this.#shadows, this.#tubes, this.#beads];
    things.forEach((thing, i) => {
      thing.frustumCulled = false;
      thing.renderOrder = i;
    });
    this.#beads.material.depthTest = false;
    this.#scene.add(...things, this.#ambient, this.#sun);
  }

  dispose(): void {
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
  }

  paint(drawing: Drawing): void {
    const { eye, isDark } = drawing;
    const { width, height } = eye.stage;
    this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.#renderer.setSize(width, height, false);
    this.#look(eye);
    this.#ambient.intensity = isDark ? 1.9 : 2.3;
    this.#sun.intensity = isDark ? 1.6 : 1.1;
    this.#layGround(drawing);
    this.#setBlocks(drawing.blocks);
    const shadows = new Sheets();
    for (const { slab, lift } of drawing.blocks) castSlab(shadows, slab, lift);
    const pipes = new Pipes();
    for (const tube of drawing.tubes) {
      pipes.add(tube);
      castTube(shadows, tube);
    }
    put(this.#tubes, pipes.parts());
    put(this.#shadows, shadows.parts());
    this.#shadows.material.uniforms.strength.value = isDark ? 0.55 : 0.16;
    this.#light(drawing);
    this.#renderer.render(this.#scene, this.#camera);
  }

  #look({ at, ahead, stage, orbit }: Eye): void {
    const camera = this.#camera;
    camera.aspect = stage.width / stage.height;
    camera.position.set(...at);
    camera.lookAt(at[0] + ahead[0], at[1] + ahead[1], at[2] + ahead[2]);
    camera.zoom = orbit.near;
    camera.setViewOffset(stage.width, stage.height, -orbit.x, -orbit.y, stage.width, stage.height);
  }

  #layGround({ blocks, line, glow, isDark }: Drawing): void {
    const wide = Math.max(...blocks.map(({ slab }) => Math.abs(slab.x) + slab.width / 2));
    const deep = Math.max(...blocks.map(({ slab }) => Math.abs(slab.z) + slab.height / 2));
    this.#ground.scale.set(wide + 4, deep + 4, 1);
    const { uniforms } = this.#ground.material;
    uniforms.reach.value.set(wide + 4, deep + 4);
    uniforms.line.value.set(line);
    uniforms.glow.value.set(glow);
    uniforms.strength.value = isDark ? 0.5 : 0.3;
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
      block.geometry = this.#shape(slab.width, slab.height);
      block.material.color.set(color);
      block.position.set(...onSlab(slab, lift, 0, 0, -THICK / 2));
    });
  }

  #shape(width: number, height: number): ExtrudeGeometry {
    const key = `${width} ${height}`;
    let found = this.#shapes.get(key);
    if (!found) this.#shapes.set(key, (found = rounded(width, height)));
    return found;
  }

  #light({ beads, eye, isDark }: Drawing): void {
    const { material } = this.#beads;
    const color = new Color();
    put(this.#beads, {
      position: attribute(beads.flatMap(({ at }) => [...at])),
      color: attribute(beads.flatMap((bead) => color.set(bead.color).toArray())),
    });
    material.uniforms.size.value = BEAD * eye.focus * this.#renderer.getPixelRatio();
    material.uniforms.halo.value = isDark ? 0.95 : 0.75;
  }
}

/** A slab that lies on its back: round corners, a bevel, its upper face at THICK. */
function rounded(width: number, height: number): ExtrudeGeometry {
  const [x, y, r] = [width / 2 - EDGE, height / 2 - EDGE, ROUND - EDGE];
  const shape = new Shape();
  shape.absarc(x - r, y - r, r, 0, Math.PI / 2, false);
  shape.absarc(r - x, y - r, r, Math.PI / 2, Math.PI, false);
  shape.absarc(r - x, r - y, r, Math.PI, 1.5 * Math.PI, false);
  shape.absarc(x - r, r - y, r, 1.5 * Math.PI, 2 * Math.PI, false);
  const bevel = { bevelThickness: EDGE, bevelSize: EDGE, bevelSegments: 3, curveSegments: 6 };
  const solid = new ExtrudeGeometry(shape, { depth: THICK - 2 * EDGE, ...bevel });
  return solid.translate(0, 0, EDGE);
}

// ── Geometry by hand ───────────────────────────────────────────────────────────────────────────

type Parts = Record<string, BufferAttribute>;

const attribute = (numbers: readonly number[], size = 3): BufferAttribute =>
  new BufferAttribute(new Float32Array(numbers), size);

/** Give a mesh new geometry; what the old one had on the graphics card is freed. */
function put(mesh: Mesh | Points, { index, ...parts }: Parts): void {
  mesh.geometry.dispose();
  const geometry = new BufferGeometry();
  for (const [name, part] of Object.entries(parts)) geometry.setAttribute(name, part);
  geometry.setIndex(index ?? null);
  mesh.geometry = geometry;
}

const triangles = (index: readonly number[]): BufferAttribute =>
  new BufferAttribute(new Uint32Array(index), 1);

const minus = (p: Vec, q: Vec): Vec => [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
const unit = ([x, y, z]: Vec): Vec => {
  const length = Math.hypot(x, y, z) || 1;
  return [x / length, y / length, z / length];
};
const cross = ([a, b, c]: Vec, [x, y, z]: Vec): Vec => [
  b * z - c * y,
  c * x - a * z,
  a * y - b * x,
];

/** All tubes as one mesh. */
class Pipes {
  readonly #places: number[] = [];
  readonly #normals: number[] = [];
  readonly #colors: number[] = [];
  readonly #index: number[] = [];
  readonly #color = new Color();

  add({ line, radii, color }: Tube): void {
    const [r, g, b] = this.#color.set(color).toArray();
    line.forEach((p, i) => {
      const ahead = unit(minus(line[Math.min(i + 1, line.length - 1)], line[Math.max(0, i - 1)]));
      const side = unit(cross(ahead, Math.abs(ahead[1]) > 0.9 ? [1, 0, 0] : [0, 1, 0]));
      const up = cross(side, ahead);
      const first = this.#places.length / 3;
      for (let k = 0; k < SIDES; k++) {
        const [sin, cos] = [(2 * Math.PI * k) / SIDES].flatMap((a) => [Math.sin(a), Math.cos(a)]);
        const out: Vec = [0, 1, 2].map((n) => side[n] * cos + up[n] * sin) as unknown as Vec;
        this.#normals.push(...out);
        this.#places.push(...out.map((x, n) => p[n] + x * radii[i]));
        this.#colors.push(r, g, b);
        const next = first + ((k + 1) % SIDES);
        if (i < line.length - 1) {
          const here = first + k;
          this.#index.push(here, here + SIDES, next, next, here + SIDES, next + SIDES);
        }
      }
    });
  }

  parts(): Parts {
    return {
      position: attribute(this.#places),
      normal: attribute(this.#normals),
      color: attribute(this.#colors),
      index: triangles(this.#index),
    };
  }
}

/** Shadows as one mesh of flat pieces, each with what its shader asks: how soft, and how far in. */
class Sheets {
  readonly #places: number[] = [];
  readonly #inside: number[] = [];
  readonly #edges: number[] = [];
  readonly #index: number[] = [];

  /** A corner of a piece: where it lies, where in its own shape, and that shape's half size, round corner, softness and strength. */
  corner(
    [x, , z]: Vec,
    inside: readonly [number, number],
    half: readonly [number, number],
    soft: number,
    strength: number,
  ): void {
    this.#places.push(x, 0.004, z);
    this.#inside.push(...inside, ...half);
    this.#edges.push(soft, strength);
  }

  /** The last four corners are a piece. */
  close(): void {
    const last = this.#places.length / 3 - 1;
    this.#index.push(last - 3, last - 2, last - 1, last - 1, last - 2, last);
  }

  parts(): Parts {
    return {
      position: attribute(this.#places),
      inside: attribute(this.#inside, 4),
      edge: attribute(this.#edges, 2),
      index: triangles(this.#index),
    };
  }
}

const fallen = ([x, y, z]: Vec): Vec => [x + FALL[0] * y, 0, z + FALL[2] * y];

function castSlab(sheets: Sheets, slab: Slab, lift: number): void {
  const [x, , z] = fallen(onSlab(slab, lift, 0, 0));
  const soft = 0.14 + 0.3 * lift;
  const half = [slab.width / 2, (slab.height / 2) * 0.9] as const;
  for (const down of [-1, 1])
    for (const right of [-1, 1]) {
      const place = [right * (half[0] + soft), down * (half[1] + soft)] as const;
      sheets.corner([x + place[0], 0, z + place[1]], place, half, soft, 1 / (1 + 0.35 * lift));
    }
  sheets.close();
}

const FAR = 1e3;

function castTube(sheets: Sheets, { line, radii }: Tube): void {
  const ground = line.map(fallen);
  const ends = ground.map((p, i) => {
    const before = ground[Math.max(0, i - 1)];
    const [dx, , dz] = unit(minus(ground[Math.min(i + 1, ground.length - 1)], before));
    const soft = 0.02 + 0.05 * line[i][1];
    const reach = radii[i] + soft;
    const both = [-1, 1].map((side): [Vec, number] => [
      [p[0] - side * dz * reach, 0, p[2] + side * dx * reach],
      side * reach,
    ]);
    return { both, soft, half: [radii[i], FAR] as const };
  });
  for (let i = 1; i < ends.length; i++) {
    for (const { both, soft, half } of [ends[i - 1], ends[i]])
      for (const [place, inside] of both) sheets.corner(place, [inside, 0], half, soft, 0.55);
    sheets.close();
  }
}

// ── Shaders ────────────────────────────────────────────────────────────────────────────────────

interface Source {
  readonly vertex: string;
  readonly fragment: string;
}

/** Squares of one unit that fade, on a faint light. */
const GROUND: Source = {
  vertex: `varying vec2 place; uniform vec2 reach;
    void main() { place = position.xy * reach; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
  fragment: `varying vec2 place; uniform vec2 reach; uniform vec3 line, glow; uniform float strength;
    void main() {
      vec2 far = abs(fract(place - 0.5) - 0.5) / fwidth(place);
      float ink = 1.0 - min(min(far.x, far.y) / 1.1, 1.0);
      float near = 1.0 - smoothstep(0.25, 0.95, length(place / reach));
      float light = strength * near * near;
      float drawn = 0.8 * ink * near;
      float all = drawn + light * (1.0 - drawn);
      gl_FragColor = vec4((line * drawn + glow * light * (1.0 - drawn)) / max(all, 0.001), all);
      #include <colorspace_fragment>
    }`,
};

const SHADOW: Source = {
  vertex: `attribute vec4 inside; attribute vec2 edge; varying vec4 place; varying vec2 soft;
    void main() { place = inside; soft = edge; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
  fragment: `varying vec4 place; varying vec2 soft; uniform float strength;
    void main() {
      float round = min(${ROUND}, place.z);
      vec2 over = abs(place.xy) - place.zw + round;
      float far = length(max(over, 0.0)) + min(max(over.x, over.y), 0.0) - round;
      float dark = 1.0 - smoothstep(-soft.x, soft.x, far);
      gl_FragColor = vec4(0.0, 0.0, 0.0, strength * soft.y * dark);
    }`,
};

/** A white bead with a ring and a halo of its colour. */
const GLOW: Source = {
  vertex: `attribute vec3 color; varying vec3 tint; uniform float size;
    void main() {
      tint = color;
      gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      gl_PointSize = size / gl_Position.w;
    }`,
  fragment: `varying vec3 tint; uniform float halo;
    void main() {
      float far = 2.0 * length(gl_PointCoord - 0.5);
      float core = 1.0 - smoothstep(0.2, 0.23, far);
      float ring = 1.0 - smoothstep(0.3, 0.33, far);
      float glow = halo * pow(max(0.0, 1.0 - far), 2.2);
      gl_FragColor = vec4(mix(tint, vec3(1.0), core), max(ring, glow));
      #include <colorspace_fragment>
    }`,
};

function shader({ vertex, fragment }: Source): ShaderMaterial {
  const uniforms = {
    reach: { value: new Vector2() },
    line: { value: new Color() },
    glow: { value: new Color() },
    strength: { value: 0 },
    size: { value: 0 },
    halo: { value: 0 },
  };
  const looks = { transparent: true, depthWrite: false, side: DoubleSide };
  return new ShaderMaterial({ vertexShader: vertex, fragmentShader: fragment, uniforms, ...looks });
}
