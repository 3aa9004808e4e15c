import {
  type CelType,
  type CheckContext,
  type CheckedNode,
  joinTypes,
  type Local,
  type MacroName,
} from './checked-node.js';
import { isMap } from '../path.js';
import type { NodeOf, SyntaxNode } from './parse-cel.js';

/*
 * Macros, and the functions of optional values. An optional value has no type of its own: one without a value is absent.
 */

type MethodCall = NodeOf<'rcall'>;

/** The forms of the macros, as messages show them. */
export const FORMS: Readonly<Record<string, string>> = {
  all: 'xs.all(x, test) or xs.all(i, x, test)',
  exists: 'xs.exists(x, test)',
  exists_one: 'xs.exists_one(x, test) or xs.exists_one(i, x, test)',
  existsOne: 'xs.existsOne(x, test) or xs.existsOne(i, x, test)',
  filter: 'xs.filter(x, test)',
  map: 'xs.map(x, value) or xs.map(x, test, value)',
  transformList: 'xs.transformList(i, x, value) or xs.transformList(i, x, test, value)',
  transformMap: 'xs.transformMap(k, x, value) or xs.transformMap(k, x, test, value)',
  transformMapEntry: 'xs.transformMapEntry(k, x, {key: value}) or xs.transformMapEntry(k, x, test, {key: value})',
  optMap: 'x.optMap(y, value)',
  optFlatMap: 'x.optFlatMap(y, value)',
};

/** The names that are called on a value and are not functions. */
export const MACROS: readonly string[] = ['has', 'orValue', 'hasValue', 'or', 'value', ...Object.keys(FORMS)];

/** `has(x.y)`. */
export function checkHas(context: CheckContext, node: SyntaxNode, args: readonly SyntaxNode[]): CheckedNode {
  const [operand] = args;
  if (args.length !== 1 || operand === undefined || !['.', '.?', '[]', '[?]', 'id'].includes(operand.op)) {
    return context.addProblem(node, 'has() takes one field', 'write has(candidate.field)');
  }
  return hasOf(context, operand);
}

/** A macro or a function of an optional value; undefined if the call is neither. */
export function checkMacro(context: CheckContext, node: MethodCall): CheckedNode | undefined {
  const [name, receiver, args] = node.args;
  switch (name) {
    case 'orValue':
    case 'or':
      return checkOr(context, node);
    case 'value':
    case 'hasValue': {
      if (args.length > 0) {
        return context.addProblem(node, `${name}() takes no arguments, found ${args.length} arguments`);
      }
      if (name === 'value') return context.check(receiver);
      return hasOf(context, receiver);
    }
    case 'optMap':
    case 'optFlatMap':
      return checkBinding(context, node, 'optMap', [receiver, ...args]);
    case 'existsOne':
      return checkComprehension(context, node, 'exists_one');
    case 'all':
    case 'exists':
    case 'exists_one':
    case 'filter':
    case 'map':
    case 'transformList':
    case 'transformMap':
    case 'transformMapEntry':
      return checkComprehension(context, node, name);
    default:
      return undefined;
  }
}

function checkOr(context: CheckContext, node: MethodCall): CheckedNode {
  const [name, receiver, [fallback, ...more]] = node.args;
  if (fallback === undefined || more.length > 0) {
    return context.addProblem(node, `${name}() takes one argument: the value to use if the receiver is absent`);
  }
  const of = context.checkOptional(receiver);
  const otherwise = name === 'or' ? context.checkOptional(fallback) : context.check(fallback);
  return { op: 'default', of, otherwise, type: joinTypes(of.type, otherwise.type) };
}

/** How many variables, and whether a test, the arguments of a macro have; undefined if they are wrong. */
function shapeOf(
  name: MacroName,
  count: number,
): { readonly variables: 1 | 2; readonly isFiltered: boolean } | undefined {
  switch (name) {
    case 'all':
    case 'exists':
    case 'exists_one':
      return count === 2 || count === 3 ? { variables: count === 2 ? 1 : 2, isFiltered: true } : undefined;
    case 'filter':
      return count === 2 ? { variables: 1, isFiltered: true } : undefined;
    case 'map':
      return count === 2 || count === 3 ? { variables: 1, isFiltered: count === 3 } : undefined;
    default:
      return count === 3 || count === 4 ? { variables: 2, isFiltered: count === 4 } : undefined;
  }
}

const RESULTS: Partial<Record<MacroName, CelType>> = {
  filter: 'list',
  map: 'list',
  transformList: 'list',
  transformMap: 'map',
  transformMapEntry: 'map',
};

function checkComprehension(context: CheckContext, node: MethodCall, name: MacroName): CheckedNode {
  const [written, receiver, args] = node.args;
  const list = context.check(receiver);
  context.expectType(receiver, list, `${written}()`, 'list', 'map');
  const shape = shapeOf(name, args.length);
  const names = args.slice(0, shape?.variables).map((arg) => (arg.op === 'id' ? arg.args : undefined));
  const [first, second] = names;
  if (!shape || first === undefined || (shape.variables === 2 && second === undefined)) {
    return context.addProblem(node, `${written}() has the wrong arguments`, `write ${FORMS[written]}`);
  }
  const local: Local = { name: second ?? first, type: 'dyn', kind: list.elements };
  const index: Local | undefined = second === undefined ? undefined : { name: first, type: 'dyn' };
  context.locals.push(...(index ? [index] : []), local);
  const rest = args.slice(shape.variables);
  const testNode = shape.isFiltered ? rest[0] : undefined;
  const valueNode = name in RESULTS && name !== 'filter' ? rest.at(-1) : undefined;
  const test = testNode && context.check(testNode);
  if (test) context.expectType(testNode, test, `the test of ${written}()`, 'bool');
  const value = valueNode && context.check(valueNode);
  if (name === 'transformMapEntry' && value) context.expectType(valueNode, value, `the value of ${written}()`, 'map');
  context.locals.length -= shape.variables;
  const body = { ...(test && { test }), ...(value && { value }) };
  const type = RESULTS[name] ?? 'bool';
  const elements = name === 'filter' ? list.elements : type === 'list' ? value?.kind : undefined;
  return { op: 'macro', name, list, local, ...(index && { index }), body, type, elements };
}

/** `cel.bind(name, value, body)`, and `value.optMap(name, body)`. */
export function checkBinding(
  context: CheckContext,
  node: MethodCall,
  name: 'bind' | 'optMap',
  [valueNode, variable, body, ...more]: readonly SyntaxNode[],
): CheckedNode {
  if (!valueNode || variable?.op !== 'id' || !body || more.length > 0) {
    const form = name === 'bind' ? 'cel.bind(name, value, expression)' : FORMS[node.args[0]];
    return context.addProblem(node, `${node.args[0]}() has the wrong arguments`, `write ${form}`);
  }
  const of = context.checkOptional(valueNode);
  const local: Local = { name: variable.args, type: of.type, kind: of.kind };
  context.locals.push(local);
  const value = context.check(body);
  context.locals.pop();
  return { op: 'macro', name, list: of, local, body: { value }, type: value.type, kind: value.kind };
}

/** `optional.of(x)`, `optional.ofNonZeroValue(x)` and `optional.none()`. */
export function checkOptionalFunction(context: CheckContext, node: MethodCall): CheckedNode | undefined {
  const [name, , args] = node.args;
  const [operand, ...more] = args;
  const none: CheckedNode = { op: 'constant', value: undefined, type: 'dyn' };
  if (name === 'none' && operand === undefined) return none;
  if (!['of', 'ofNonZeroValue', 'none'].includes(name)) return undefined;
  if (operand === undefined || more.length > 0 || name === 'none') {
    const needs = name === 'none' ? 'no arguments' : '1 argument';
    return context.addProblem(node, `optional.${name}() takes ${needs}, found ${args.length}`);
  }
  const of = context.checkOptional(operand);
  if (name === 'ofNonZeroValue') return { op: 'call', name: 'optional.ofNonZeroValue', args: [of], type: of.type };
  if (of.type !== 'null') return of;
  return context.addProblem(node, 'null is absent, so it has no optional', 'write optional.none()');
}

/** Whether the text of an expression shows that its value is optional. */
export function isOptional(node: SyntaxNode): boolean {
  switch (node.op) {
    case '.?':
    case '[?]':
      return true;
    case '.':
    case '[]':
      return isOptional(node.args[0]);
    case '?:':
      return isOptional(node.args[1]) && isOptional(node.args[2]);
    case 'rcall': {
      const [name, receiver] = node.args;
      if (receiver.op === 'id' && receiver.args === 'optional') return true;
      return name === 'or' || name === 'optMap' || name === 'optFlatMap' ? isOptional(receiver) : false;
    }
    default:
      return false;
  }
}

/** A list or a map of CEL may contain an optional value. Here the whole would be absent, so it is a problem. */
export function refuseOptionalPart(context: CheckContext, node: SyntaxNode, form: string): void {
  if (node.op !== 'rcall' || !isOptional(node)) return;
  context.addProblem(node, 'an optional value cannot be part of a list or a map', `write ${form}`);
}

/** `has` of a value that may be absent. A null in a map that is written out would be present in CEL. */
function hasOf(context: CheckContext, operand: SyntaxNode): CheckedNode {
  const before = context.problems.length;
  const of = context.checkOptional(operand);
  const isField = operand.op === '.' || operand.op === '.?';
  if (isField && of.op === 'constant' && of.value === undefined && context.problems.length === before) {
    const [holderNode, name] = operand.args;
    const holder = context.checkOptional(holderNode);
    if (holder.op === 'constant' && isMap(holder.value) && holder.value[name] === null)
      return context.addProblem(operand, 'null is absent', 'compare the value with null');
  }
  return { op: 'has', of, type: 'bool' };
}

/** Equality of two optional values: two without a value are equal. */
export function equalOptionals(by: '==' | '!=', left: CheckedNode, right: CheckedNode): CheckedNode {
  const has = (of: CheckedNode): CheckedNode => ({ op: 'has', of, type: 'bool' });
  const isEqual: CheckedNode = { op: 'binary', by: '==', left, right, type: 'bool' };
  const no: CheckedNode = { op: 'constant', value: false, type: 'bool' };
  const both: CheckedNode = { op: 'choose', cases: [[has(right), isEqual]], otherwise: no, type: 'bool' };
  const neither: CheckedNode = { op: 'not', of: has(right), type: 'bool' };
  const equal: CheckedNode = { op: 'choose', cases: [[has(left), both]], otherwise: neither, type: 'bool' };
  return by === '==' ? equal : { op: 'not', of: equal, type: 'bool' };
}
