import { BUILTINS } from './cel/builtins.js';
import { FUNCTIONS, NAMESPACES } from './cel/check-call.js';
import { FORMS } from './cel/check-macro.js';
import type { CelType, CheckedNode } from './cel/checked-node.js';
import { Checker } from './cel/checker.js';
import { type NodeOf, parseCel, type SyntaxNode } from './cel/parse-cel.js';
import { ExpressionError, type ExpressionScope } from './scope.js';

/** A function of expressions, for editors. */
export interface ExpressionFunction {
  readonly name: string;
  /** `clamp(number, number, number) → number`, or the forms of a macro: `xs.filter(x, test)`. */
  readonly signature: string;
  /** Whether it can be called on a value, after a dot. */
  readonly onValue: boolean;
  /** Whether it can be called by its name alone. */
  readonly alone: boolean;
  /** The types of the value that it can be called on. */
  readonly receiver: readonly string[];
}

/** A part of an expression at an offset, with its static type. */
export interface ExpressionPart {
  readonly kind: 'variable' | 'field' | 'function' | 'literal';
  /** The name of a variable or a function, or the path of a field from its variable: `candidate.owner.login`. */
  readonly name: string;
  /** Offsets in the expression. */
  readonly start: number;
  readonly end: number;
  /** The type: `number`, `bool`, `dyn` for any. Undefined if the expression has a problem here. */
  readonly type: string | undefined;
}

const typeText = (types: readonly CelType[]): string =>
  types.map((type) => (type === 'dyn' ? 'any' : type)).join(' | ');

/** Macros that test for a field, which is not a value. */
const TESTS: readonly ExpressionFunction[] = [
  { name: 'has', signature: 'has(x.field) → bool', onValue: false, alone: true, receiver: [] },
  { name: 'orValue', signature: 'x.?field.orValue(otherwise)', onValue: true, alone: false, receiver: ['dyn'] },
  { name: 'hasValue', signature: 'x.?field.hasValue() → bool', onValue: true, alone: false, receiver: ['dyn'] },
];

function builtinFunction(name: string): ExpressionFunction[] {
  const builtin = BUILTINS.get(name);
  if (!builtin) return [];
  const { params, optional = 0, variadic, result } = builtin;
  const texts = params.map((types, n) => (n >= params.length - optional ? `${typeText(types)}?` : typeText(types)));
  const signature = `${name}(${texts.join(', ')}${variadic ? ', …' : ''}) → ${typeText([result])}`;
  const [space] = name.split('.');
  const isSpaced = name.includes('.') && NAMESPACES.has(space ?? '');
  return [{ name, signature, onValue: !isSpaced && params.length > 0, alone: true, receiver: params[0] ?? [] }];
}

/** Every function and macro that an expression can call. */
export const expressionFunctions = (): readonly ExpressionFunction[] => [
  ...TESTS,
  ...FUNCTIONS.flatMap(builtinFunction),
  ...Object.entries(FORMS).map(([name, signature]) => ({
    name,
    signature,
    onValue: true,
    alone: false,
    receiver: name.startsWith('opt') ? ['dyn'] : ['list', 'map'],
  })),
];

/** Checks an expression and keeps the result of each node. */
class NodeTypes extends Checker {
  readonly types = new Map<SyntaxNode, CheckedNode>();

  override check(node: SyntaxNode): CheckedNode {
    const before = this.problems.length;
    const checked = super.check(node);
    if (this.problems.length === before) this.types.set(node, checked);
    return checked;
  }
}

const isNode = (part: unknown): part is SyntaxNode => typeof part === 'object' && part !== null && 'op' in part;

/** The nodes that contain an offset, outermost first. */
function nodesAt(part: unknown, offset: number, found: SyntaxNode[] = []): SyntaxNode[] {
  if (Array.isArray(part)) for (const inner of part) nodesAt(inner, offset, found);
  if (!isNode(part) || offset < part.start || offset > part.end) return found;
  found.push(part);
  return nodesAt(part.args, offset, found);
}

/**
 * The name or literal at an offset of an expression. Undefined if there is none, or if the expression does not parse.
 *
 * @param offset in UTF-16 units of the expression, from 0
 */
export function expressionPartAt(source: string, scope: ExpressionScope, offset: number): ExpressionPart | undefined {
  try {
    const syntax = parseCel(source);
    const checker = new NodeTypes(scope);
    checker.check(syntax);
    const nodes = nodesAt(syntax, offset);
    for (const node of nodes.toReversed()) {
      const part = partOf(node, offset, source, checker, nodes);
      if (part) return part;
    }
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

function partOf(
  node: SyntaxNode,
  offset: number,
  source: string,
  checker: NodeTypes,
  around: readonly SyntaxNode[],
): ExpressionPart | undefined {
  const checked = checker.types.get(node);
  switch (node.op) {
    case 'id': {
      const outer = checked ?? around.map((one) => checker.types.get(one)).find((one) => one?.op === 'macro');
      const type = checked ? kindOrType(checked) : outer?.op === 'macro' ? outer.local.type : undefined;
      return { kind: 'variable', name: node.args, start: node.start, end: node.end, type };
    }
    case '.':
    case '.?': {
      const end = node.pos + node.args[1].length;
      if (offset < node.pos || offset > end) return undefined;
      const name = pathText(node);
      const type = checked ? kindOrType(checked) : fieldType(name, checker.scope);
      return { kind: 'field', name, start: node.pos, end, type };
    }
    case 'call':
      return called(node.args[0], node.start, offset, checked);
    case 'rcall': {
      const [name, receiver] = node.args;
      const isSpaced = receiver.op === 'id' && NAMESPACES.has(receiver.args);
      return called(isSpaced ? `${receiver.args}.${name}` : name, node.pos, offset, checked, name.length);
    }
    case 'value':
      return {
        kind: 'literal',
        name: source.slice(node.start, node.end),
        start: node.start,
        end: node.end,
        type: checked && kindOrType(checked),
      };
    default:
      return undefined;
  }
}

function called(
  name: string,
  start: number,
  offset: number,
  checked: CheckedNode | undefined,
  length = name.length,
): ExpressionPart | undefined {
  if (offset < start || offset > start + length) return undefined;
  return { kind: 'function', name, start, end: start + length, type: checked && kindOrType(checked) };
}

const kindOrType = ({ kind, type }: CheckedNode): string =>
  kind === 'timestamp' || kind === 'duration' ? `${type} (${kind})` : type;

/** The path of a field: `candidate.owner.login`, with `[]` for an element. */
function pathText(node: SyntaxNode): string {
  if (node.op === 'id') return node.args;
  if (node.op === '.' || node.op === '.?') return `${pathText(node.args[0])}.${node.args[1]}`;
  if (node.op === '[]' || node.op === '[?]') return `${pathText(node.args[0])}${keyText(node)}`;
  return '…';
}

const keyText = ({ args: [, key] }: NodeOf<'[]' | '[?]'>): string =>
  key.op === 'value' && typeof key.args === 'string' ? `.${key.args}` : '[]';

/** The type of a declared field, such as `measures.tools`, inside a longer path. */
function fieldType(path: string, { variables }: ExpressionScope): string | undefined {
  const at = path.lastIndexOf('.');
  const [variable, field] = [path.slice(0, at), path.slice(at + 1)];
  const type = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
  if (typeof type !== 'object') return path.startsWith('candidate.') ? 'dyn' : undefined;
  const declared = Object.hasOwn(type.fields, field) ? type.fields[field] : undefined;
  return declared === 'fields' ? 'map' : declared;
}
