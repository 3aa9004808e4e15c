import type { ASTNode } from '@marcbachmann/cel-js';
import { didYouMean } from '../suggest.js';
import type { Checker } from './checker.js';
import { BUILTINS, type Builtin, OF_LIST } from './functions.js';
import type { Tree } from './tree.js';

type NodeOf<Op extends ASTNode['op']> = Extract<ASTNode, { op: Op }>;

const MACROS = ['has', 'orValue', 'hasValue', 'all', 'exists', 'exists_one', 'filter', 'map'];
const FOREIGN: ReadonlyMap<string, string> = new Map([
  ['matches', 'a pattern may take for ever on some text: use contains, startsWith, endsWith or =='],
  ['length', 'did you mean size?'],
  ['len', 'did you mean size?'],
  ['count', 'did you mean size? To count some: xs.filter(x, test).size()'],
  ['log', 'did you mean ln or log2?'],
  ['avg', 'write sum(xs) / size(xs)'],
  ['mean', 'write sum(xs) / size(xs)'],
  ['round', 'write floor(x + 0.5)'],
  ['includes', 'did you mean contains? For a list write: value in list'],
  ['toLowerCase', 'did you mean lower?'],
  ['lowerAscii', 'did you mean lower?'],
  ['any', 'did you mean exists?'],
  ['some', 'did you mean exists?'],
  ['every', 'did you mean all?'],
]);

/** A call of a function: `f(x)`. */
export function checkCall(checker: Checker, node: NodeOf<'call'>): Tree {
  const [name, args] = node.args;
  if (name === 'has') return checkHas(checker, node, args);
  const place = { start: node.start, end: node.start + name.length };
  if (MACROS.includes(name)) return checker.problem(place, `${name} follows what it is about`, `write x.${name}(…)`);
  return checkBuiltin(checker, node, place, name, args);
}

function checkHas(checker: Checker, node: ASTNode, args: readonly ASTNode[]): Tree {
  const [asked] = args;
  if (args.length !== 1 || asked === undefined || !['.', '.?', '[]', '[?]', 'id'].includes(asked.op)) {
    return checker.problem(node, 'has() asks about one field', 'write has(candidate.field)');
  }
  return { op: 'has', of: checker.ask(asked), type: 'bool' };
}

/** A call of a function by either way of writing it; the receiver of `x.f(y)` is its first argument. */
export function checkBuiltin(
  checker: Checker,
  node: ASTNode,
  place: { readonly start: number; readonly end: number },
  name: string,
  nodes: readonly ASTNode[],
): Tree {
  const builtin = (nodes.length === 1 ? OF_LIST.get(name) : undefined) ?? BUILTINS.get(name);
  const args = nodes.map((arg) => checker.check(arg));
  if (builtin === undefined) return checker.problem(place, `unknown function "${name}"`, hintFor(name));
  if (args.length < builtin.params.length || (args.length > builtin.params.length && builtin.more !== true)) {
    const most = builtin.params.length;
    const wanted = `${most}${builtin.more === true ? ' or more' : ''} argument${most === 1 ? '' : 's'}`;
    return checker.problem(node, `${name}() takes ${wanted}, found ${args.length}`);
  }
  for (const [n, arg] of nodes.entries()) {
    const tree = args[n];
    const wanted = builtin.params[n] ?? builtin.params.at(-1);
    if (tree !== undefined && wanted !== undefined) checker.expect(arg, tree, `${name}()`, ...wanted);
  }
  return callOf(name, builtin, args);
}

/** `min(a, b, c)` is `min(min(a, b), c)`. */
function callOf(name: string, { params, result: type }: Builtin, args: readonly Tree[]): Tree {
  const call: Tree = { op: 'call', name, args: args.slice(0, params.length), type };
  return args
    .slice(params.length)
    .reduce<Tree>((left, right) => ({ op: 'call', name, args: [left, right], type }), call);
}

function hintFor(name: string): string {
  const foreign = FOREIGN.get(name);
  if (foreign !== undefined) return foreign;
  return didYouMean(name, [...BUILTINS.keys(), ...MACROS], `there are ${[...BUILTINS.keys()].join(', ')}`);
}
