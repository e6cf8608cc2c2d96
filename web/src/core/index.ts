/**
 * The engine of the browser: twins of the Python modules, same words, same order, same numbers.
 *
 * Fields keep the names that Python and the JSON contract give them (`local_grads`, `_children`);
 * functions are spelt as JavaScript spells them. Everything returned is immutable, and only
 * `Value` is live. Nothing here touches the DOM, recurses over a graph or depends on a package.
 *
 *   text ─parse→ Expression ─bind→ Value ─snapshot→ Graph ─walk→ Walk
 *                                                     ├─paths→ Paths
 *                                                     └─layout→ Layout
 *
 * A slider move is `walk(expression.evaluate(values))`; stacks, equations and formulas of a walk
 * are made when they are read.
 *
 * numbers   number(x): string                    six significant digits, as Python's .6g
 *           repr(x: number | string): string     as Python prints it: 2.0, 1e-05, 'a'
 *           codePoints(text): number             Python's len
 *           utf16Index(text, column): number     a column of an error as an index into a JS string
 *
 * errors    GradwalkError > OperandError, BackwardError, GraphError > OrderError,
 *           ExpressionError {text, column, index (into the JS string)}
 *           GradwalkError {said: {code, args}}   `strings/messages.ts` puts it into words
 *
 * ops       TABLE: readonly Op[]; BY_NAME, BY_SYMBOL: ReadonlyMap<string, Op>
 *           Op {name, symbol, operands, value(...numbers), partials[i](out, ...numbers), formulas,
 *               reason, probes, edges, infix, derived, stands_for, aliases, defaults,
 *               arity, isFunction, isMethod, least, complete(operands)}
 *
 * engine    Value(data, _children?, _op?, label?) {data, grad, label, _children, _local_grads, _op,
 *               _prev, _backward, backward(buffers?), detach(), add(x), mul(x) … exp(), tanh() …}
 *           Buffers; constant(number): Value; topologicalOrder(root): Value[]; zeroGrad(root | list)
 *           apply(op, ...operands: (Value | number)[]): Value
 *
 * graph     snapshot(root: Value, {fold = true}?): Graph
 *           Graph {nodes, root, leaves, name(id), find(id | name | node), consumers(),
 *                  withGrads(grads), fold(), unfold()}
 *           Node {id, op, label, data, grad, operands, local_grads, tags, line, scope}; isConst(node)
 *
 * walk      walk(root: Value | Graph, {order?, bug?}?): Walk;  BUGS: readonly Bug[]
 *           Walk {graph, forward, sort, order, backward, grads, expected, lost, bug, wrong}
 *           ForwardStep {node, data, equation}
 *           SortStep {pop: [id, index], note, visited, placed, stack: [id, index][], sorted: id[]}
 *           BackwardStep {node, grad, pushes, note}
 *           Push {to, operand, incoming, local, contribution, before, after, formula}
 *           Lost {source, to, contribution, path}
 *           equation(graph, node), formula(graph, node, operand): string
 *
 * statements  relation(op, operands, result): "=" | "≈"   of numbers as they are shown
 *           stated(x, text): "=" | "≈"                    whether a text has all of a number's digits
 *
 * paths     paths(root: Value | Graph, to: Value | id | name | node, most = 100): Paths
 *           Paths {graph, to, count: bigint, total, largest: Path[], complete, rest}
 *           Path {nodes, locals, product}
 *
 * expr      parse(text, {strict = false}?): Expression          throws ExpressionError
 *           Expression {text, nodes, names, bind(values): {root, leaves: Map}, evaluate(values): Value,
 *                       toString(): normalised text}
 *           ExprNode {op, operands, number, name, start, end}   columns count code points
 *           FUNCTIONS: ReadonlyMap<string, Op>; MAX_BYTES; MAX_DEPTH
 *
 * layout    layout(graph, LayoutOptions?): Layout
 *           Layout {width, height, cards: Box[], edges: Edge[]}; Box {x, y, width, height}
 *           Edge {source, target, operand, points: Point[], pill: Box | null}; Point {x, y, spread}
 *
 * json      graphJson(graph): GraphJson                          the contract's form, for JSON.stringify
 *           graphFromJson(json): Graph                           a graph that Python made and sent
 *
 * tape      readTape(bytes): Tape                                a graph in binary columns, checked
 *           tapeOf(graph): Tape; graphOfTape(tape): Graph
 */

export * from "./engine.ts";
export * from "./errors.ts";
export * from "./expr.ts";
export * from "./graph.ts";
export * from "./json.ts";
export * from "./layout.ts";
export * from "./numbers.ts";
export { BY_NAME, BY_SYMBOL, NARY_REASONS, Op, type OpName, real, TABLE } from "./ops.ts";
export * from "./paths.ts";
export { type Relation, relation, stated } from "./statements.ts";
export * from "./tape.ts";
export * from "./walk.ts";
