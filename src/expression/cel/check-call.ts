import type { NodeOf, SourceRange, SyntaxNode } from './parse-cel.js';
import { counted, didYouMean } from '../../base/index.js';
import type { Builtin } from './text-builtins.js';
import { BUILTINS, LIST_BUILTINS } from './builtins.js';
import { checkBinding, checkHas, checkMacro, checkOptionalFunction, MACROS } from './check-macro.js';
import { type CheckContext, type CheckedNode } from './checked-node.js';

/** The names before the dot of functions that are not called on a value: `math.round(x)`. */
export const NAMESPACES: ReadonlySet<string> = new Set(['math', 'strings', 'base64', 'optional', 'cel']);

/** Functions of CEL that have another name here. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['math.abs', 'abs'],
  ['math.ceil', 'ceil'],
  ['math.floor', 'floor'],
  ['math.sqrt', 'sqrt'],
]);

const FOREIGN_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ['matches', 'a regular expression can take exponential time: use contains, startsWith, endsWith or =='],
  ['strptime', 'did you mean date? date("31/01/2026", "dd/MM/yyyy")'],
  ['length', 'did you mean size?'],
  ['len', 'did you mean size?'],
  ['count', 'did you mean size? To count some: xs.filter(x, test).size()'],
  ['log', 'did you mean ln or log2?'],
  ['avg', 'write sum(xs) / size(xs)'],
  ['mean', 'write sum(xs) / size(xs)'],
  ['round', 'write math.round(x)'],
  ['includes', 'did you mean contains? For a list write: value in list'],
  ['toLowerCase', 'did you mean lower?'],
  ['substr', 'did you mean substring? It takes a start and an end'],
  ['slice', 'did you mean substring? It takes a start and an end'],
  ['replaceAll', 'did you mean replace? It replaces all occurrences'],
  ['strip', 'did you mean trim?'],
  ['any', 'did you mean exists?'],
  ['some', 'did you mean exists?'],
  ['every', 'did you mean all?'],
]);

/** The functions that an expression can call; others are forms of them. */
export const FUNCTIONS = [...BUILTINS.keys()].filter((name) => !name.includes('('));

/** A call of a function: `f(x)`. */
export function checkCall(context: CheckContext, node: NodeOf<'call'>): CheckedNode {
  const [name, args] = node.args;
  if (name === 'has') return checkHas(context, node, args);
  const place = { start: node.start, end: node.start + name.length };
  if (MACROS.includes(name))
    return context.addProblem(place, `${name} must be called on a value`, `write x.${name}(…)`);
  return checkBuiltin(context, node, place, name, args);
}

/** A call of a function in either notation; the receiver of `x.f(y)` is its first argument. */
function checkBuiltin(
  context: CheckContext,
  node: SyntaxNode,
  place: SourceRange,
  written: string,
  nodes: readonly SyntaxNode[],
): CheckedNode {
  const name = nameOf(written, nodes.length);
  const builtin = (nodes.length === 1 ? LIST_BUILTINS.get(name) : undefined) ?? BUILTINS.get(name);
  const args = nodes.map((arg, n) =>
    name === 'format' && n === 1 ? checkFormatArgument(context, arg) : context.check(arg),
  );
  if (name === 'dyn' && args.length === 1) return { ...args[0]!, type: 'dyn' };
  if (builtin === undefined) return context.addProblem(place, `unknown function "${written}"`, hintFor(written));
  const most = builtin.params.length;
  const least = most - (builtin.optional ?? 0);
  if (args.length < least || (args.length > most && builtin.variadic !== true)) {
    return context.addProblem(node, `${written}() takes ${argumentCount(least, most, builtin)}, found ${args.length}`);
  }
  for (const [n, arg] of nodes.entries()) {
    const tree = args[n];
    const wanted = builtin.params[n] ?? builtin.params.at(-1);
    if (tree !== undefined && wanted !== undefined) context.expectType(arg, tree, `${written}()`, ...wanted);
    const mistake = tree?.op === 'constant' ? mistakeOf(builtin.constants?.[n], tree.value) : undefined;
    if (mistake !== undefined) context.addProblem(arg, `${written}(): ${mistake}`);
  }
  const [first] = args;
  if (
    name === 'int' &&
    first?.op === 'constant' &&
    typeof first.value === 'number' &&
    !(Math.abs(first.value) <= 2 ** 63)
  )
    context.addWarning(
      node,
      `int(${first.value}) is ${Math.trunc(first.value)}; in standard CEL, it is an error`,
      'write the number',
    );
  const form = first?.kind && `${name}(${first.kind})`;
  if (form !== undefined && BUILTINS.has(form))
    return { op: 'call', name: form, args, type: BUILTINS.get(form)!.result };
  if (form === 'int(duration)')
    return context.addProblem(node, 'int() needs a number, found a duration', 'write d.getSeconds()');
  const kind = name === 'timestamp' || name === 'duration' ? name : undefined;
  return { ...foldVariadic(name, builtin, args), kind };
}

/** The name of the function that a call means. `math.greatest(x, y)` is `max(x, y)`; of one argument, it may be a list. */
function nameOf(written: string, count: number): string {
  if (count > 1 && written === 'math.greatest') return 'max';
  if (count > 1 && written === 'math.least') return 'min';
  return ALIASES.get(written) ?? written;
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
  const [space] = name.split('.', 1);
  const known = FUNCTIONS.filter((one) =>
    name.includes('.') ? one.startsWith(`${space}.`) : !one.includes('.') && one !== 'dyn',
  );
  return didYouMean(name, [...known, ...MACROS], `there are ${known.join(', ')}`);
}

/** A call after a dot: `x.f(y)`, a macro, a test for absence, or a function with a dot in its name. */
export function checkMethod(context: CheckContext, node: NodeOf<'rcall'>): CheckedNode {
  const [name, receiver, args] = node.args;
  const place = { start: node.pos, end: node.pos + name.length };
  if (isNamespace(context, receiver)) {
    if (receiver.args === 'cel' && name === 'bind') {
      return checkBinding(
        context,
        node,
        'bind',
        [args[1], args[0], ...args.slice(2)].filter((arg) => arg !== undefined),
      );
    }
    const optional = receiver.args === 'optional' ? checkOptionalFunction(context, node) : undefined;
    return optional ?? checkBuiltin(context, node, place, `${receiver.args}.${name}`, args);
  }
  return checkMacro(context, node) ?? checkBuiltin(context, node, place, name, [receiver, ...args]);
}

/** Whether a name is the first part of the names of functions, and not a variable. */
function isNamespace({ scope, locals }: CheckContext, node: SyntaxNode): node is NodeOf<'id'> {
  if (node.op !== 'id' || !NAMESPACES.has(node.args)) return false;
  return !Object.hasOwn(scope.variables, node.args) && !locals.some((local) => local.name === node.args);
}

/** The arguments of `format`: times in its lists become texts, as only their text is known to be a time. */
function checkFormatArgument(context: CheckContext, node: SyntaxNode): CheckedNode {
  if (node.op === 'list') {
    return { op: 'list', type: 'list', parts: node.args.map((part) => checkFormatArgument(context, part)) };
  }
  if (node.op === 'map') {
    const entries = node.args.map(([key, value]) => ({
      key: context.check(key),
      value: checkFormatArgument(context, value),
    }));
    return { op: 'map', type: 'map', entries };
  }
  const checked = context.check(node);
  const name = `string(${checked.kind})`;
  return BUILTINS.has(name) ? { op: 'call', name, args: [checked], type: 'string' } : checked;
}
