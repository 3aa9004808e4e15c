import type { NodeOf, SourceRange, SyntaxNode } from './parse-cel.js';
import { counted, didYouMean } from '../../base/index.js';
import type { Builtin } from './text-builtins.js';
import { BUILTINS, LIST_BUILTINS } from './builtins.js';
import { type CheckContext, type CheckedNode, joinTypes, type MacroName } from './checked-node.js';

const MACROS = ['has', 'orValue', 'hasValue', 'all', 'exists', 'exists_one', 'filter', 'map'];
const FOREIGN_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ['matches', 'a regular expression can take exponential time: use contains, startsWith, endsWith or =='],
  ['strptime', 'did you mean date? date("31/01/2026", "dd/MM/yyyy")'],
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
  ['substr', 'did you mean substring? It takes a start and an end'],
  ['slice', 'did you mean substring? It takes a start and an end'],
  ['replaceAll', 'did you mean replace? It replaces all occurrences'],
  ['strip', 'did you mean trim?'],
  ['any', 'did you mean exists?'],
  ['some', 'did you mean exists?'],
  ['every', 'did you mean all?'],
]);

/** A call of a function: `f(x)`. */
export function checkCall(context: CheckContext, node: NodeOf<'call'>): CheckedNode {
  const [name, args] = node.args;
  if (name === 'has') return checkHas(context, node, args);
  const place = { start: node.start, end: node.start + name.length };
  if (MACROS.includes(name))
    return context.addProblem(place, `${name} must be called on a value`, `write x.${name}(…)`);
  return checkBuiltin(context, node, place, name, args);
}

function checkHas(context: CheckContext, node: SyntaxNode, args: readonly SyntaxNode[]): CheckedNode {
  const [operand] = args;
  if (args.length !== 1 || operand === undefined || !['.', '.?', '[]', '[?]', 'id'].includes(operand.op)) {
    return context.addProblem(node, 'has() takes one field', 'write has(candidate.field)');
  }
  return { op: 'has', of: context.checkOptional(operand), type: 'bool' };
}

/** A call of a function in either notation; the receiver of `x.f(y)` is its first argument. */
function checkBuiltin(
  context: CheckContext,
  node: SyntaxNode,
  place: SourceRange,
  name: string,
  nodes: readonly SyntaxNode[],
): CheckedNode {
  const builtin = (nodes.length === 1 ? LIST_BUILTINS.get(name) : undefined) ?? BUILTINS.get(name);
  const args = nodes.map((arg) => context.check(arg));
  if (builtin === undefined) return context.addProblem(place, `unknown function "${name}"`, hintFor(name));
  const most = builtin.params.length;
  const least = most - (builtin.optional ?? 0);
  if (args.length < least || (args.length > most && builtin.variadic !== true)) {
    return context.addProblem(node, `${name}() takes ${argumentCount(least, most, builtin)}, found ${args.length}`);
  }
  for (const [n, arg] of nodes.entries()) {
    const tree = args[n];
    const wanted = builtin.params[n] ?? builtin.params.at(-1);
    if (tree !== undefined && wanted !== undefined) context.expectType(arg, tree, `${name}()`, ...wanted);
    const mistake = tree?.op === 'constant' ? mistakeOf(builtin.constants?.[n], tree.value) : undefined;
    if (mistake !== undefined) context.addProblem(arg, `${name}(): ${mistake}`);
  }
  const [first] = args;
  const form = first?.kind && `${name}(${first.kind})`;
  if (form !== undefined && BUILTINS.has(form))
    return { op: 'call', name: form, args, type: BUILTINS.get(form)!.result };
  if (form === 'int(duration)')
    return context.addProblem(node, 'int() needs a number, found a duration', 'write d.getSeconds()');
  const kind = name === 'timestamp' || name === 'duration' ? name : undefined;
  return { ...foldVariadic(name, builtin, args), kind };
}

/** What is wrong with a constant argument. */
function mistakeOf(check: ((value: unknown) => void) | undefined, value: unknown): string | undefined {
  try {
    check?.(value);
    return undefined;
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

function argumentCount(least: number, most: number, { variadic }: Builtin): string {
  if (variadic === true) return `${most} or more arguments`;
  const few = least < most ? `${least} or ` : '';
  return `${few}${counted(most, 'argument')}`;
}

/** `min(a, b, c)` is `min(min(a, b), c)`. */
function foldVariadic(name: string, { params, result: type }: Builtin, args: readonly CheckedNode[]): CheckedNode {
  const call: CheckedNode = { op: 'call', name, args: args.slice(0, params.length), type };
  return args
    .slice(params.length)
    .reduce<CheckedNode>((left, right) => ({ op: 'call', name, args: [left, right], type }), call);
}

function hintFor(name: string): string {
  const foreign = FOREIGN_FUNCTIONS.get(name);
  if (foreign !== undefined) return foreign;
  return didYouMean(name, [...BUILTINS.keys(), ...MACROS], `there are ${[...BUILTINS.keys()].join(', ')}`);
}

type MethodCall = NodeOf<'rcall'>;

/** A call after a dot: `x.f(y)`, a macro, or a test for absence. */
export function checkMethod(context: CheckContext, node: MethodCall): CheckedNode {
  const [name, receiver, args] = node.args;
  switch (name) {
    case 'orValue':
      return checkOrValue(context, node);
    case 'hasValue':
      if (args.length > 0)
        return context.addProblem(node, `hasValue() takes no arguments, found ${args.length} arguments`);
      return { op: 'has', of: context.checkOptional(receiver), type: 'bool' };
    case 'all':
    case 'exists':
    case 'exists_one':
    case 'filter':
    case 'map':
      return checkMacro(context, node, name);
    default:
      return checkBuiltin(context, node, { start: node.pos, end: node.pos + name.length }, name, [receiver, ...args]);
  }
}

function checkOrValue(context: CheckContext, node: MethodCall): CheckedNode {
  const [, receiver, [fallback, ...more]] = node.args;
  if (fallback === undefined || more.length > 0) {
    return context.addProblem(node, 'orValue() takes one argument: the value to use if the receiver is absent');
  }
  const of = context.checkOptional(receiver);
  const otherwise = context.check(fallback);
  return { op: 'default', of, otherwise, type: joinTypes(of.type, otherwise.type) };
}

const MACRO_FORMS: Readonly<Record<MacroName, string>> = {
  all: 'all(x, test)',
  exists: 'exists(x, test)',
  exists_one: 'exists_one(x, test)',
  filter: 'filter(x, test)',
  map: 'map(x, value) or map(x, test, value)',
};

function checkMacro(context: CheckContext, node: MethodCall, name: MacroName): CheckedNode {
  const [, receiver, [variable, first, second, ...more]] = node.args;
  const list = context.check(receiver);
  context.expectType(receiver, list, `${name}()`, 'list', 'map');
  const tooMany = more.length > 0 || (second !== undefined && name !== 'map');
  if (variable === undefined || variable.op !== 'id' || first === undefined || tooMany) {
    return context.addProblem(node, `${name}() has the wrong arguments`, `write xs.${MACRO_FORMS[name]}`);
  }
  const local = { name: variable.args };
  context.locals.push(local);
  const [test, value] =
    name === 'map' ? [second === undefined ? undefined : first, second ?? first] : [first, undefined];
  const body = {
    ...(test === undefined ? {} : { test: checkTest(context, name, test) }),
    ...(value === undefined ? {} : { value: context.check(value) }),
  };
  context.locals.pop();
  return { op: 'macro', name, list, local, body, type: name === 'filter' || name === 'map' ? 'list' : 'bool' };
}

function checkTest(context: CheckContext, name: MacroName, node: SyntaxNode): CheckedNode {
  const test = context.check(node);
  context.expectType(node, test, `the test of ${name}()`, 'bool');
  return test;
}
