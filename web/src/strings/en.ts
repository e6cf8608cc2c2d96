/**
 * Every word of the lab, in English. Another language is another file of this shape.
 *
 * Short, concrete, second person. Buttons are verbs. "inputs" and "consumers", never children.
 */

import { gpt } from "./en-gpt.ts";
import { messages } from "./en-messages.ts";
import { moons } from "./en-moons.ts";
import { plan } from "./en-plan.ts";
import { pluralIn } from "./plural.ts";

const LANG = "en";
const plural = pluralIn(LANG);
const number = (x: number): string => x.toLocaleString(LANG);

export const en = {
  lang: LANG,
  messages,
  plan,
  gpt,
  moons,
  /** The rule of an operation. English has it in the table of operations, one row per operation. */
  rule: (op: string, reason: string | undefined) =>
    reason ??
    (op ? `${op} brings its own local derivative` : "this node brings its own local derivative"),
  product: "gradwalk",
  doors: { play: "Play", learn: "Learn", puzzles: "Puzzles", models: "Models" },
  pages: {
    sandbox: "Pulse",
    learn: "Lessons",
    walk: "Tables",
    order: "Order",
    bugs: "Bugs",
    descend: "Descend",
    checks: "Checks",
    traces: "Traces",
    write: "Write",
    program: "Compiled",
    plan: "Floor plan",
    gpt: "GPT",
    moons: "Moons",
  },
  titles: {
    sandbox: "Pulse: type an expression, watch its gradients flow",
    learn: "Lessons: from a + b to a GPT, one small step at a time",
    walk: "Tables: the sort and its stack, then backward, one event a click",
    order: "Order puzzle: who has to be visited first?",
    bugs: "Bug lab: the classic mistakes, wrong beside right",
    descend: "Descend: step against the gradient, and watch the output fall",
    checks: "Checks: work it out, then ask",
    traces: "Traces: fill in both tables by hand",
    write: "Write it yourself, and have it judged",
    program: "Compiled: what the expression becomes",
    plan: "Floor plan: a model as boxes that open into its graph",
    gpt: "GPT: watch a model learn, then break it",
    moons: "Moons: a network learns to tell points apart",
  },
  tool: { undo: "Undo", redo: "Redo", theme: "Theme", help: "Help" },
  now: "Now",
  skip: "Skip to the graph",
  navigation: "Pages",
  theme: { auto: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" },
  language: "Language",
  help: "Keys and help",
  copyPython: "Copy Python",
  copied: "Copied",
  undo: "Undo",
  redo: "Redo",
  close: "Close",
  missing: "This part of the page did not load.",
  again: "Load it again",

  expression: "Expression",
  expressionHint: "Use + − * / **, relu, exp, log, tanh …  Name a part: d = a*b; d + a",
  lastGood: "The graph shows the last expression that worked.",
  presets: "Examples",
  presetOwn: "your own",
  presetNames: {
    x1: "(a + b) · c",
    x2: "one neuron",
    x3: "a · a",
    x4: "a + a",
    x5: "two shared inputs",
    x6: "the diamond",
    x7: "long way, short way",
    x8: "closed relu",
    x9: "dead neuron",
    learn: "a neuron learns",
    bowl: "a bowl",
    x9s: "sigmoid, from parts",
  } as Record<string, string>,
  strict: "Strict powers",
  variables: "Values",
  slider: (name: string) => `${name}, slider`,
  box: (name: string) => `${name}, value`,
  notNumber: "Type a number, such as 3, −0.5 or 1/3",

  grad: "grad",
  notYet: "not yet known",
  tags: { const: "const", derived: "derived" },
  cardConst: (value: string) => `constant ${value}`,
  cardLabel: (name: string, value: string, grad: string, equation: string) =>
    `${name}: ${equation ? `${equation}, ` : ""}value ${value}, gradient ${grad}`,
  edgePlain: (source: string, target: string) => `edge from ${source} to ${target}`,
  edgeAsked: (source: string, target: string) =>
    `edge from ${source} to ${target}, local derivative asked`,
  edgeLabel: (source: string, target: string, local: string) =>
    `edge from ${source} to ${target}, local derivative ${local}`,
  graphLabel: (count: number) =>
    plural(count, { one: "Computation graph of # node", other: "Computation graph of # nodes" }),
  pillLost: (amount: string) => `✗ ${amount} lost`,
  pillLocal: (is: string) => `local ${is}`,
  pillMany: (arrived: number, count: number) =>
    plural(count, { one: `${arrived} of # arrow`, other: `${arrived} of # arrows` }),

  group: {
    sign: { scope: "▣", sum: "Σ", product: "Π", run: "⋯", repeat: "×", unit: "▣", block: "▦" },
    title: {
      scope: (name: string, _count: number) => name,
      sum: (_name: string, count: number) => plural(count + 1, { one: "# term", other: "# terms" }),
      product: (_name: string, count: number) =>
        plural(count + 1, { one: "# factor", other: "# factors" }),
      run: (_name: string, count: number) => plural(count, { one: "# step", other: "# steps" }),
      repeat: (name: string, _count: number) => name || "leaves",
      unit: (name: string, _count: number) => name,
      block: (_name: string, count: number) => plural(count, { one: "# node", other: "# nodes" }),
    },
    /** The same, where there is room for a number only. */
    few: (count: number) => number(count + 1),
    label: (title: string, count: number, value: string, grad: string) =>
      `${title}: a group of ${plural(count, { one: "# node", other: "# nodes" })}, value ${value}, gradient ${grad}. Press Enter to open it.`,
    range: (low: string, high: string) => `${low} … ${high}`,
    open: "open",
    close: (title: string) => `Close ${title}`,
    closeAll: "Close all boxes",
  },
  find: {
    label: "Find a node",
    found: (place: number, count: number) => `${place} of ${count.toLocaleString("en")}`,
    none: "not found",
  },
  map: "Overview. Click to look there.",

  phases: { forward: "Forward", sort: "Sort", backward: "Backward" },
  phaseSwitch: "Phase",
  play: "Play",
  pause: "Pause",
  step: "Step",
  stepBack: "Step back",
  toStart: "To the start",
  toEnd: "To the end",
  time: "Time",
  speed: "Speed",
  speeds: (speed: number) => `${number(speed)}×`,

  final: "Final gradients",
  unfold: "Unfold derived",
  predict: "Predict first",
  view2d: "2D",
  view3d: "3D",
  viewSwitch: "View",
  fit: "Fit",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  flat3d: {
    many: (count: number, most: number) =>
      `3D shows up to ${most} cards, and this picture has ${count}. Close some boxes, or switch to 2D.`,
    narrow:
      "3D needs a wider stage: turn the phone, or widen the window. This is the picture in 2D.",
    webgl: "This browser does not offer WebGL 2, which 3D needs. This is the picture in 2D.",
  },
  turn3d: "Turn the picture: arrow keys, or drag it",
  hint3d: "The higher a card stands, the larger its gradient. Drag to turn.",

  narration: {
    rule: (rule: string) => `By its rule, ${rule}.`,
    idle: "Press Play, or step with →",
    idleWhy: "First values flow forward, then gradients walk back.",
    compute: (name: string, equation: string) => `${name} computes ${equation}`,
    computeWhy: (count: number) =>
      plural(count, {
        one: "Its input is known, so its value can be computed.",
        other: "All its inputs are known, so its value can be computed.",
      }),
    gradOf: (name: string) => `${name}.grad`,
    seed: (output: string) => `${output}.grad = 1`,
    seedWhy: (output: string) =>
      `Backward starts at the output: if ${output} moves by 1, ${output} moves by 1.`,
    push: (from: string, to: string, product: string) => `${from} → ${to}   ${product}`,
    sum: (to: string, sum: string) => `${to}.grad: ${sum}. += adds to what was there.`,
    set: (to: string, before: string, is: string) => `${to}.grad ${is}, and ${before} is gone`,
    skip: (name: string) => `${name} has gradient 0`,
    skipWhy: "0 times anything is 0: nothing to pass on, so the walk skips it.",
    leaf: (name: string, grad: string) => `${name} is a leaf: its gradient ${grad} is final`,
    leafWhy: "It has no inputs to pass anything to.",
    lost: (from: string, to: string, amount: string) => `${from} → ${to}   ${amount} is lost`,
    lostWhy: (to: string, from: string) =>
      `${to} was visited before ${from}, and a visited node accepts nothing more.`,
    sortPop: (name: string, index: number) => `pop (${name}, ${index})`,
    sortPush: (name: string) => `push ${name}: not seen before`,
    sortVisited: (name: string) => `${name} is already visited: go on`,
    sortDone: (name: string) => `inputs placed: place ${name}`,
    sortLeaf: (name: string) => `${name} has no inputs: place it`,
  },

  /** For ears: sentences, no arrows. */
  said: {
    idle: "Ready. Play, or step on.",
    operation: (op: string, numbers: readonly string[]) => {
      const between = {
        "+": "plus",
        "-": "minus",
        "*": "times",
        "/": "divided by",
        "**": "to the power of",
      }[op];
      if (between && numbers.length === 2) return `${numbers[0]} ${between} ${numbers[1]}`;
      if (op === "neg") return `minus ${numbers[0]}`;
      return `${op} of ${numbers.join(", ")}`;
    },
    /** A number that is rounded. */
    about: (x: string) => `about ${x}`,
    compute: (name: string, operation: string, value: string) =>
      `${name} is ${operation}, which is ${value}.`,
    seed: (name: string) => `Backward starts. The gradient of ${name}, the output, is 1.`,
    push: (from: string, to: string, incoming: string, local: string, contribution: string) =>
      `${from} passes ${incoming} times ${local}, which is ${contribution}, to ${to}.`,
    first: (to: string, after: string) => `The gradient of ${to} is ${after} so far.`,
    sum: (to: string, before: string, after: string) =>
      `The gradient of ${to} goes from ${before} to ${after}.`,
    set: (to: string, before: string, after: string) =>
      `The gradient of ${to} was ${before}; it is replaced by ${after}.`,
    skip: (name: string) => `The gradient of ${name} is 0.`,
    leaf: (name: string, grad: string) => `${name} is a leaf. Its gradient is ${grad}.`,
    lost: (from: string, to: string, amount: string) =>
      `${from} would pass ${amount} to ${to}, which was visited already. It is lost.`,
    sortPush: (name: string, input: string) =>
      `The sort is at ${name}. Its input ${input} is new and goes on the stack.`,
    sortVisited: (name: string, input: string) =>
      `The sort is at ${name}. Its input ${input} was seen before.`,
    sortDone: (name: string) => `All inputs of ${name} are placed, so ${name} is placed.`,
    sortLeaf: (name: string) => `${name} has no inputs, so it is placed.`,
    edge: (source: string, target: string, local: string) =>
      `Arrow from ${source} to ${target}. Its local derivative is ${local}.`,
  },
  strangeOutput: (output: string, value: string) =>
    `${output} is ${value}, not a finite number: there is nothing to nudge.`,
  strange: {
    nan: "nan means “not a number”: there is no value here, as for log(−1) or inf − inf. Everything computed from it is nan, too.",
    inf: "inf means that the number is too large for a double (above 1.8e308), or that something was divided by 0.",
  },

  events: {
    title: "Events",
    caption: "Every event of the walk, in order. Choose one to go there.",
    number: "#",
    what: "event",
    how: "arithmetic",
    result: "result",
    /** A row for all of forward. */
    folded: (count: number, result: string) => `1 to ${count}, forward: ${result}`,
    goto: (index: number, what: string) => `Go to event ${index}: ${what}`,
  },
  equation: {
    title: "Chain rule",
    idle: "Each backward arrow multiplies what comes in by a local derivative.",
    stepOn: "Step on to see it here.",
    sorting:
      "No derivative yet. The sort finds an order in which every node comes after its inputs; backward then walks it in reverse.",
    keeps: "It keeps its local derivatives for the way back, one per arrow:",
    local: (arrow: number) => (arrow ? `local, arrow ${arrow}` : "local"),
    path: (place: number, count: number, complete: boolean) =>
      `path ${place} of ${count}${complete ? ": the sum is complete" : ""}`,
    contribution: (place: number, count: number, complete: boolean) =>
      `contribution ${place} of ${count}${complete ? ": the sum is complete" : ""}`,
  },
  code: { title: "Engine, line by line", caption: "The line that runs now" },
  numbers: {
    title: "Numbers",
    caption: "Every node: value and gradient",
    node: "node",
    value: "value",
    grad: "gradient",
    select: (name: string) => `Select ${name}`,
  },
  proof: {
    title: "Check with Python",
    button: "Check with Python",
    how: "Python moves each variable a little up and down, measures how the result moves, and compares.",
    begins: "Asking Python …",
    progress: "Variables checked",
    checked: (done: number, total: number) => `${done} of ${total} variables`,
    agree: "Every gradient agrees with the slope that Python measured.",
    differ: "A gradient and its measured slope disagree.",
    failed: "Python could not check this.",
    variable: "variable",
    here: "this page",
    python: "Python",
    measured: "measured slope",
    verdict: "agrees",
    kink: "a kink: any slope between both sides is fair",
  },
  trace: {
    sort: "Stage 1: sort",
    backward: "Stage 2: backward",
    pop: "pop",
    stack: "stack after",
    visited: "visited",
    sorted: "sorted",
    node: "node (grad)",
    pushes: "adds to its inputs",
    skipped: "leaf: skipped",
    skippedZero: "gradient 0: skipped",
    leaf: "leaf",
    done: "done",
    already: (name: string) => `${name} already visited`,
    empty: "empty",
  },
  inspect: {
    edge: (source: string, target: string) => `Edge ${source} → ${target}`,
    node: (name: string) => `Node ${name}`,
    wiggle: (source: string, target: string, local: string) =>
      `Along this arrow alone, ${target} changes ${local} times as much as ${source}.`,
    paths: (count: bigint, name: string, output: string) =>
      plural(count, {
        one: `One path from ${output} to ${name}`,
        other: `# paths from ${output} to ${name}, and they add up`,
      }),
    noPath: "A constant: nothing flows into it.",
    scope: (name: string) => `Made in ${name}`,
  },

  predictBox: {
    ask: (from: string, to: string, incoming: string) =>
      `${from} holds ${incoming}. What does it pass to ${to}?`,
    input: "your prediction",
    rule: (incoming: string) => `Multiply ${incoming} by the local derivative of this arrow.`,
    check: "Check",
    hint: "Hint",
    show: "Show me",
    notIt: (typed: string) => `${typed} is not it.`,
    hintText: (reason: string) => `Hint: ${reason}.`,
    right: "Right.",
    wrong: (typed: string, product: string) => `You said ${typed}; it is ${product}.`,
    was: (product: string) => `It is ${product}.`,
    score: (right: number, all: number, hinted: number) =>
      `${right} of ${all} right${hinted ? `, ${hinted} with a hint` : ""}`,
    again: "Try again",
    all: "You predicted every contribution.",
    some: "Try again, and see how many you get without a hint.",
    hidden: "Hidden while you predict.",
    start: "Step, and you will be asked for each contribution before you see it.",
  },

  tries: {
    title: "Try this",
    done: "done",
    well: "Done.",
    rows: {
      predict: [
        "Predict, then check",
        "Say what each arrow of (a + b) · c passes back, all four right.",
      ],
      dead: ["Kill the relu", "Slide b of relu(x·w + b) down until every gradient is 0."],
      square: ["Meet a · a", "One input, two arrows. Watch its gradient become 3 + 3 = 6."],
      negative: ["Find a negative gradient", "Move the sliders until a leaf's gradient turns ▼."],
    } as Record<string, [string, string]>,
  },

  order: {
    rule: "The rule: a visited node accepts nothing more. Constants need no place in the order.",
    task: "Put the nodes in the order in which backward should visit them, then run it.",
    tray: "Visit order",
    run: "Run this order",
    again: "Change the order",
    shuffle: "Shuffle",
    right: "Show a right one",
    place: (name: string, place: number, count: number) =>
      `${name}, place ${place} of ${count}. Arrow keys move it.`,
    earlier: (name: string) => `Visit ${name} earlier`,
    later: (name: string) => `Visit ${name} later`,
    moved: (name: string, place: number) => `${name} is now at place ${place}`,
    won: "Every contribution arrived. This order is right.",
    lost: (count: number) =>
      plural(count, { one: "One contribution was lost.", other: "# contributions were lost." }),
    starved:
      "Nothing was lost on the way, yet some nodes were visited before anything had reached them, so they passed nothing on.",
    lostRow: (amount: string, path: string) => `${amount} along ${path}`,
    starvedRow: (name: string) =>
      `${name} was visited before its gradient had arrived, and passed 0 on`,
    got: "got",
    verdict: "right or wrong",
    should: "right",
    showPath: "Show the path",
    insight:
      "Visit every consumer before its inputs: then a gradient is complete when its turn comes.",
    count: (count: number) =>
      plural(count, {
        other: "This graph has # nodes. Up to 24 make a good puzzle; take a smaller expression.",
      }),
  },

  bugs: {
    choose: "Switch a bug on",
    names: {
      overwrite: "= instead of +=",
      "wrong-order": "wrong order",
      "no-reset": "no reset",
      "no-visited": "no visited set",
      recursion: "recursion",
    } as Record<string, string>,
    what: {
      overwrite: "A second contribution replaces the first. Harmless until a node is used twice.",
      "wrong-order": "The list is not reversed: inputs push before their own gradient has arrived.",
      "no-reset": "backward() runs a second time on gradients that were not set back to 0.",
      "no-visited":
        "The sort forgets what it has seen: a shared node is placed, and pushes, again.",
      recursion:
        "The sort calls itself once for each level. Python stops it at about 1,000 frames.",
    } as Record<string, string>,
    code: {
      overwrite: ["child.grad += local * v.grad", "child.grad = local * v.grad"],
      "wrong-order": ["for v in reversed(topo):", "for v in topo:"],
      "no-reset": ["for v in topo: v.grad = 0.0", ""],
      "no-visited": ["if child not in visited:", "if True:"],
      recursion: ["while stack:", "def build(v): build(child)"],
    } as Record<string, [string, string]>,
    rightLine: "right",
    wrongLine: "with the bug",
    missing: "(the line is missing)",
    table: "Wrong beside right",
    node: "node",
    wrong: "with the bug",
    right: "right",
    same: "This graph hides the bug: every gradient comes out right.",
    showcase: "Take one that shows it",
    tooMany: "Without the visited set this graph would take too many visits. Take a smaller one.",
    differs: (count: number) =>
      plural(count, { one: "One gradient is wrong.", other: "# gradients are wrong." }),
    depth: "Chain length",
    count: number,
    depthText: (n: number) =>
      plural(n, { one: "x + 1, # operation deep", other: "x + 1 + 1 + …, # operations deep" }),
    recursive: "Recursive sort",
    iterative: "Explicit stack",
    frames: (n: number) =>
      plural(n, {
        one: "# frame on Python's call stack",
        other: "# frames on Python's call stack",
      }),
    entries: (n: number) => plural(n, { one: "# entry on a list", other: "# entries on a list" }),
    overflow: "RecursionError: maximum recursion depth exceeded",
    fine: "finishes: x.grad = 1",
    limit: "limit: 1,000",
    between: (n: number) => plural(n, { other: "… # more …" }),
    mode: "Mode",
    explore: "Explore",
    diagnose: "Diagnose",
    game: "One of the bugs made these numbers. Which one?",
    next: "Next case",
    correct: (name: string) => `Yes: ${name}.`,
    was: (name: string) => `It was: ${name}.`,
    incorrect: (name: string) => `No. With “${name}” the numbers would be:`,
    evidence: "What gives it away:",
    clues: {
      overwrite: "A node that is used twice has only the contribution that came last.",
      "wrong-order":
        "The gradient never gets past the first step: everything further from the output is 0.",
      "no-reset": "Numbers are too large, as if backward had run twice.",
      "no-visited": "Nodes below a shared one push more than once, so they are counted again.",
    } as Record<string, string>,
    score: (right: number, all: number) => `${right} of ${all} right`,
  },

  checks: {
    intro:
      "Work it out on paper, type a number, check it. The first miss gets a hint, the second shows the paths.",
    ask: (output: string, leaf: string) => `∂${output}/∂${leaf} = ?`,
    question: (output: string, leaf: string) =>
      `What is the gradient of ${output} with respect to ${leaf}?`,
    answer: "your answer",
    check: "Check",
    hint: "Hint",
    hintText: (count: bigint, leaf: string, output: string) =>
      plural(count, {
        one: `Hint: one path leads from ${output} to ${leaf}. Multiply the local derivatives along it.`,
        other: `Hint: # paths lead from ${output} to ${leaf}. Multiply the local derivatives along each path, then add.`,
      }),
    reveal: "Show the paths",
    next: "Next question",
    right: "Right.",
    done: "solved",
    wrong: (typed: string) => `${typed} is not it.`,
    onePath: "There is only one path, so the gradient is its product.",
    manyPaths: (count: bigint, leaf: string) =>
      plural(count, {
        one: `${leaf} reaches the output by one path. Multiply along it.`,
        other: `${leaf} reaches the output by # paths. Multiply along each, then add.`,
      }),
    generate: "Make me one",
    own: "From my own expression",
    easy: "easy",
    medium: "medium",
    hard: "hard",
    level: "Level",
    solved: (right: number, all: number) => `${right} of ${all} solved`,
    list: "Questions",
    where: (values: string) => `at ${values}`,
    diagnosis: {
      onePath: (path: string) => `That is the path ${path} alone. The paths add up.`,
      overwrite: "That is the last contribution alone, as = instead of += would give.",
      flipped: "The size is right, the sign is not. Follow the minus signs along each path.",
      value: (name: string) => `That is the value of ${name}, not its gradient.`,
      product: "You multiplied the paths. Multiply along a path, add across paths.",
      local: "That is one local derivative. Multiply it by what comes in from the right.",
    },
  },

  learn: {
    loading: "The lessons are loading …",
    title: "Lessons",
    tabs: { lessons: "Lessons", glossary: "Glossary" },
    head: "From a + b to a GPT",
    intro:
      "Fifteen short lessons. Each one asks before it tells: predict, check, then see why. The picture beside the text is the lab itself, so you can play with every step.",
    progress: (done: number, all: number) => `${done} of ${all} lessons complete`,
    start: "Start",
    resume: "Go on",
    all: "All lessons complete",
    complete: "complete",
    completed: "Lesson complete.",
    minutes: (count: number) => plural(count, { one: "# minute", other: "# minutes" }),
    solved: (right: number, all: number) =>
      plural(all, { one: `${right} of # question`, other: `${right} of # questions` }),
    save: "Save my progress",
    load: "Load progress",
    unreadable: "This is not a file of progress from the lab.",
    text: "Lesson",
    back: "All lessons",
    before: "Back",
    next: "Next",
    finish: "Finish",
    steps: "Steps of this lesson",
    step: (place: number, count: number) => `Step ${place} of ${count}`,
    teach: "Teach",
    unteach: "Stop teaching",
    notes: "For the teacher",
    waits: "The walk waits for your answer.",
    held: "The walk goes on when you have answered.",
    question: "Question",
    choices: "Choices",
    show: "Show the answer",
    answer: "The answer is",
    nudge: (name: string, output: string) =>
      `Hint: if ${name} were larger by 1, how much larger would ${output} be?`,
    compute:
      "Hint: start at the cards that have a number. Each other card is computed from those whose wires lead to it.",
    look: "The last event says what comes in. Find the local derivative of this arrow, and multiply.",
    own: "You changed the numbers, so here is a question about yours.",
    paths: (count: bigint, leaf: string) =>
      plural(count, {
        one: `One path leads to ${leaf}: multiply along it.`,
        other: `# paths lead to ${leaf}: multiply along each, then add.`,
      }),
    source: (name: string) => `The engine's own source: ${name}`,
    rules: {
      "+": ["Add copies", "Each input gets the gradient unchanged."],
      "*": ["Multiply swaps and scales", "Each input gets the gradient times the other input."],
    } as Record<"+" | "*", [string, string]>,
  },

  write: {
    title: "Write Value yourself",
    intro:
      "A class with data and grad, with + and *, and with backward(). The judge runs it on your own machine, in a sandbox, against the engine and against measured slopes. It says which rule, order or += went wrong.",
    editor: "Your class, in Python",
    judge: "Judge it",
    running: "Judging …",
    save: "Save as a file",
    restart: "Start over",
    verdict: "Verdict",
    nothing: "The verdict comes here.",
    unloaded: "This could not be run.",
    right: "All gradients are right.",
    wrong: "Some gradients are wrong.",
    score: (passed: number, all: number) =>
      plural(all, { one: `${passed} of # check passed`, other: `${passed} of # checks passed` }),
    sturdy: "Not yet sturdy: a deep graph, or a second backward(), goes wrong.",
    more: (count: number) => plural(count, { one: "# more failed.", other: "# more failed." }),
    missing: "Not tried, because it is not there yet:",
    alone:
      "The judge is Python's. Start gradwalk lab and open the address that it prints; or save the file and run gradwalk judge my_value.py.",
    starter: `class Value:
    def __init__(self, data, inputs=(), local_grads=()):
        self.data = data
        self.grad = 0.0
        self.inputs = inputs
        self.local_grads = local_grads

    def __add__(self, other):
        # What are the two local derivatives of a sum?
        return Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other):
        # And those of a product?
        return Value(self.data * other.data, (self, other), (0.0, 0.0))

    def backward(self):
        # Sort the graph, seed with 1, walk it in reverse.
        self.grad = 1.0
`,
  },
  traces: {
    title: "Fill in a trace by hand",
    intro:
      "Be the engine. First the sort: what is popped, what lies on the stack after it, what is placed. Write pairs as in the first row, with spaces between them; leave the cell empty when nothing is there. Then backward, arrow by arrow.",
    choose: "Graph",
    arrow: "arrow",
    contribution: "contribution",
    after: "grad after",
    grade: "Grade it",
    show: "Fill in the answers",
    right: "right",
    wrong: "not right yet",
    score: (right: number, all: number) => `${right} of ${all} cells are right`,
  },

  program: {
    title: "Compiled",
    how: "Choose an instruction or a node: the other follows.",
    stages: "Stages of the compiler",
    names: {
      recorded: "recorded",
      tidy: "tidy",
      chains: "chains",
      adjoint: "adjoint",
      blocks: "blocks",
    } as Record<string, string>,
    explained: {
      recorded: "What the expression does, one line for each operation.",
      tidy: "Constants are computed, equal instructions merged, unused ones dropped.",
      chains: "Chains of products and sums become one sum or one dot product.",
      adjoint: "The gradient is added: instructions behind those of the value.",
      blocks: "What runs: instructions of one kind, side by side, as one loop.",
    } as Record<string, string>,
    lines: (count: number) => plural(count, { one: "line", other: "lines" }),
    caption: "The program at this stage. Choose an instruction to pick its node.",
    id: "id",
    instruction: "instruction",
    select: (id: number, text: string) => `Pick the node of %${id}, ${text}`,
    result: "result",
    gradient: (name: string) => `gradient of ${name}`,
    loop: (count: number, first: number, last: number) =>
      `${plural(count, { one: "# time", other: "# times" })}, %${first} … %${last}`,
    branches: (count: number) => plural(count, { one: "# branch", other: "# branches" }),
    branchesWhy:
      "Both sides of a choice are computed, and one is selected. Move a number: the counts say how often each side was taken.",
    now: "now",
    yes: (count: number) => `yes ${count}`,
    no: (count: number) => `no ${count}`,
    ifYes: "yes →",
    ifNo: "no →",
    cost: (value: number, both: number) =>
      `The program takes ${plural(value, { one: "# byte", other: "# bytes" })} for the value, ${plural(both, { one: "# byte", other: "# bytes" })} with every gradient.`,
    asking: "Compiling …",
    inPage:
      "Python in this page has no C, and with it none of the later stages. Installed, gradwalk lab shows them all.",
    failed: "This could not be compiled.",
    alone:
      "The compiler is Python's own, and this page runs without it. Start gradwalk lab and open the address that it prints.",
    given: "This file has a graph and no expression. To see one compiled, start gradwalk lab.",
  },

  /** The title of the window. */
  title: (page: string, expression: string) =>
    `${expression ? `${page}: ${expression}` : page} – gradwalk`,
  tools: "Tools",
  lettersOn: "Single-letter keys: on",
  lettersOff: "Single-letter keys: off",
  lettersWhy: "Keys of one character, such as g, can be switched off. Space, arrows and Esc stay.",
  about: {
    title: "About",
    text: "gradwalk shows how a gradient is computed: scalar by scalar, in this browser. It is free software under the MIT licence.",
    uses: "It is built with Lit (BSD-3-Clause, © Google LLC) and CodeMirror (MIT, © Marijn Haverbeke and others).",
    licences: "Licence texts",
  },
  server: {
    gone: "The lab's server does not answer. Start gradwalk lab again, and open the address that it prints.",
    broke:
      "The lab's server stopped before it was done. Start gradwalk lab again, and open the address that it prints.",
    status: (status: number) => `The lab's server answered with status ${status}.`,
    unloaded: "Python did not load into this page. Reload it to try again.",
    slow: (seconds: number) =>
      `Python was stopped in this page, because it took longer than ${seconds} s. Installed on a machine, gradwalk is many times faster.`,
    ended: "Python was stopped in this page. Ask again, and it starts anew.",
    loading: "Python is loading into this page. Everything else works meanwhile.",
  },

  helpRows: [
    [["Space"], "play or pause"],
    [["→", "←"], "one event on, one back"],
    [["Shift →", "Shift ←"], "next phase, phase before"],
    [["Home", "End"], "to the start, to the end"],
    [["/"], "to the expression"],
    [["f"], "fit the picture"],
    [["+", "−"], "zoom"],
    [["3"], "2D or 3D"],
    [["g"], "final gradients"],
    [["d"], "unfold derived operations"],
    [["p"], "predict first"],
    [["Ctrl Z"], "undo"],
    [["Tab, then arrows"], "in the graph: along the edges"],
    [["Page Down", "Page Up"], "on a card: its arrows, one by one"],
    [["Enter"], "on a card: edit the leaf, or open its numbers"],
    [["?"], "this list"],
    [["Esc"], "back"],
  ] as [string[], string][],
  progress: "Your progress stays in this browser.",
  forget: "Forget my progress",
  forgotten: "Forgotten",
  helpTitle: "Keys",
  helpRead: "How to read the picture",
  legend: {
    forward: "values forward",
    backward: "gradients back, thicker if larger",
    pos: "▲ raises the output",
    neg: "▼ lowers it",
    zero: "0 neither",
    unfilled: "not yet known",
    unnamed: "unnamed step",
  },
  descend: {
    controls: "Descent",
    run: "Descend",
    step: "One step",
    reset: "Back to the start",
    rate: "Step size",
    start: (output: string, is: string) => `${output} ${is}`,
    fell: (output: string, before: string, after: string, steps: number) =>
      plural(steps, {
        one: `${output}: ${before} → ${after} after # step`,
        other: `${output}: ${before} → ${after} after # steps`,
      }),
    rule: "Each step moves every leaf that learns against its gradient: value −= step size × gradient.",
    strange: "The numbers ran away. Go back to the start and take a smaller step.",
    still: "Nothing moves any more: every gradient is as good as 0. This is a valley, or a plain.",
    up: "It only climbs: the step is too large. Go back to the start and take a smaller one.",
    curve: (output: string) => `${output}, step by step`,
    noCurve: "Take a step: the output is drawn here, step by step.",
    curveSaid: (output: string, before: string, after: string, steps: number) =>
      plural(steps, {
        one: `${output} goes from ${before} to ${after} in # step`,
        other: `${output} goes from ${before} to ${after} in # steps`,
      }),
    steps: (count: number) => plural(count, { one: "# step", other: "# steps" }),
    surface: "Seen from above",
    noSurface: "Let two leaves learn: the output over both is drawn here, as seen from above.",
    surfaceSaid: (first: string, second: string, low: string, high: string) =>
      `The output over ${first} and ${second}, from ${low} to ${high}, and the way down`,
    axes: (first: string, x0: string, x1: string, second: string, y0: string, y1: string) =>
      `→ ${first} from ${x0} to ${x1}, ↑ ${second} from ${y0} to ${y1}; the bluer, the higher`,
    leaves: "Leaves",
    learns: "learns",
  },
  share: {
    title: "Share",
    save: "Save",
    html: "One HTML file",
    svg: "SVG picture",
    png: "PNG picture",
    saveWhy: "The HTML file is this lab as you see it. It opens anywhere, without a network.",
    link: "Link",
    copy: "Copy",
    copyFailed: "The browser did not let us copy. Select the text and copy it.",
    local:
      "This address is your own machine's. For others, put a copy of the lab online (gradwalk site DIR) and type its address here:",
    home: "Address of your copy",
    embed: "Embed in a web page",
    saved: (name: string) => `Saved as ${name}`,
    failed: "This could not be saved here.",
  },
  welcome: {
    label: "What this is",
    text: "The lab computes a formula, then walks back through it to find how much each input moves the result: its gradient.",
    close: "Close this sentence",
    nudge: (name: string, by: string, output: string, moves: string) =>
      `Nudge ${name} by ${by}, and ${output} moves by about ${moves}.`,
    tryIt: "Try it",
    moved: (output: string, before: string, after: string, by: string) =>
      `${output} went from ${before} to ${after}: it moved by ${by}.`,
    said: (product: string) => `The gradient said ${product}.`,
    bend: "The rest is the bend of the curve.",
    back: "Put it back",
  },
};

export type Strings = typeof en;
