import { type NodeOf, parseCel, type SourceRange, type SyntaxNode } from './parse-cel.js';
import { didYouMean, nameList } from '../../base/index.js';
import { CANDIDATE_VARIABLE, ExpressionEvaluationError, VARIABLE_READERS } from '../scope.js';
import { formatPath, type PathStep } from '../path.js';
import { BUILTINS } from './builtins.js';
import { checkCall, checkMethod } from './check-call.js';
import { refuseOptionalPart } from './check-macro.js';
import { checkBinary, checkChain, checkConditional, checkNegate, checkNot } from './check-operator.js';
import { CheckContext, type CheckedNode, describeType, isAssignable, partsOf } from './checked-node.js';
import { compileClosures } from './compiler.js';
import type { MapEntry } from './operators.js';

/** Checks one expression: resolves names, reports problems, folds constants. */
export class Checker extends CheckContext {
  override check(node: SyntaxNode): CheckedNode {
    const before = this.problems.length;
    const tree = this.#resolve(node);
    return this.problems.length === before ? this.#fold(node, tree) : tree;
  }

  #resolve(node: SyntaxNode): CheckedNode {
    switch (node.op) {
      case 'value':
        return this.#literal(node);
      case 'id':
        return checkName(this, node);
      case '.':
      case '.?':
      case '[]':
      case '[?]':
        return checkAccess(this, node);
      case 'call':
        return checkCall(this, node);
      case 'rcall':
        return checkMethod(this, node);
      case 'list':
        return this.#list(node);
      case 'map':
        return { op: 'map', type: 'map', entries: node.args.map(([key, value]) => this.#entry(key, value)) };
      case '?:':
        return checkConditional(this, node);
      case '!_':
        return checkNot(this, node);
      case '-_':
        return checkNegate(this, node);
      case '+':
      case '-':
      case '*':
      case '/':
      case '&&':
      case '||':
        return checkChain(this, node);
      case '?_':
        return this.checkOptional(node.args);
      default:
        return checkBinary(this, node);
    }
  }

  #literal(node: NodeOf<'value'>): CheckedNode {
    const value = node.args;
    if (value === null) return { op: 'constant', value, type: 'null' };
    if (node.type === 'bytes') return this.addProblem(node, 'bytes are not supported', 'write a string, without the b');
    if (typeof value === 'string') return { op: 'constant', value, type: 'string' };
    if (typeof value === 'boolean') return { op: 'constant', value, type: 'bool' };
    const kind = node.type === 'int' || node.type === 'uint' ? node.type : undefined;
    return { op: 'constant', value, type: 'number', kind };
  }

  #list({ args }: NodeOf<'list'>): CheckedNode {
    const optional = new Set([...args.keys()].filter((n) => args[n]?.op === '?_'));
    for (const part of args) refuseOptionalPart(this, part, '?value');
    const parts = args.map((part) => this.check(part));
    const kinds = new Set(parts.map(({ kind }) => kind));
    const [elements] = kinds.size === 1 ? kinds : [];
    return { op: 'list', type: 'list', elements, parts, ...(optional.size > 0 && { optional }) };
  }

  #entry(keyNode: SyntaxNode, valueNode: SyntaxNode): MapEntry<CheckedNode> {
    const key = this.check(keyNode);
    this.expectType(keyNode, key, 'the key of a map', 'string', 'number', 'bool');
    if (keyNode.op === 'value' && keyNode.type === 'double')
      this.addProblem(keyNode, 'the key of a map needs a whole number', 'write it without a fraction, or as a string');
    refuseOptionalPart(this, valueNode, '?key: value');
    const value = this.check(valueNode);
    return valueNode.op === '?_' ? { key, value, optional: true } : { key, value };
  }

  /** Evaluates a constant node when the profile is loaded, so that its errors are found early and a run does not repeat it. */
  #fold(node: SyntaxNode, tree: CheckedNode): CheckedNode {
    if (tree.op === 'constant' || !isConstant(tree)) return tree;
    const { type, kind, elements } = tree;
    try {
      const value = compileClosures(tree, {}, { source: '', place: undefined })(undefined, 0);
      const range = tree.op === 'chain' ? RANGES.get(kind) : undefined;
      if (range && typeof value === 'number' && !(value >= range.least && value <= range.most))
        return this.addProblem(node, `${kind}s are ${range.text}`);
      return { op: 'constant', type, kind, elements, value };
    } catch (error) {
      if (error instanceof ExpressionEvaluationError) return this.addProblem(node, error.message);
      throw error;
    }
  }
}

/** The times and durations of CEL, in milliseconds. */
const RANGES: ReadonlyMap<unknown, { readonly least: number; readonly most: number; readonly text: string }> = new Map([
  ['timestamp', { least: -62_135_596_800_000, most: 253_402_300_799_999, text: 'in the years 1 to 9999' }],
  ['duration', { least: -315_576_000_000_000, most: 315_576_000_000_000, text: 'at most 10000 years' }],
]);

/** Whether all operands of a node are constants. Excludes macros and calls whose texts grow: the step budget bounds those. */
function isConstant(tree: CheckedNode): boolean {
  if (tree.op === 'call' && BUILTINS.get(tree.name)?.grows) return false;
  if (['variable', 'local', 'macro', 'has', 'default'].includes(tree.op)) return false;
  return partsOf(tree).every(({ op }) => op === 'constant');
}

type AccessNode = NodeOf<'.' | '.?' | '[]' | '[?]'>;

const LITERALS = ['true', 'false', 'null'];

/** A variable on its own, or the element of a macro. */
function checkName(context: CheckContext, node: NodeOf<'id'>): CheckedNode {
  const variable = checkVariable(context, node);
  if (variable.op !== 'variable') return variable;
  const fields = fieldsOf(context, node.args);
  if (fields !== undefined)
    return context.addProblem(node, `${node.args} cannot be read as a whole`, fieldsHint(node.args, fields));
  return variable;
}

function checkVariable(context: CheckContext, node: NodeOf<'id'>): CheckedNode {
  const name = node.args;
  const local = context.locals.findLast((one) => one.name === name);
  if (local !== undefined) return { op: 'local', local, type: local.type, kind: local.kind };
  const { variables, open } = context.scope;
  const type = Object.hasOwn(variables, name) ? variables[name] : open === true ? 'dyn' : undefined;
  if (type === undefined) {
    if (context.scope.lets?.names.includes(name)) return checkNamed(context, node);
    return context.addProblem(node, `unknown name "${name}" in ${context.scope.name}`, hintFor(context, name));
  }
  if (typeof type === 'object') return { op: 'variable', name, type: 'map' };
  context.reads.add(name);
  return { op: 'variable', name, type };
}

/**
 * Checks the expression that has a name, as if it were written in place of the name. It has the macros' variables of its
 * own only.
 */
function checkNamed(context: CheckContext, node: NodeOf<'id'>): CheckedNode {
  const { scope } = context;
  const name = node.args;
  const text = scope.lets?.textOf(name);
  if (text === undefined) return INVALID_NAMED;
  context.named.characters += text.length;
  if (context.named.characters > MOST_NAMED)
    return context.addProblem(node, `the names in it stand for more than ${MOST_NAMED} characters`);
  const inner = new Checker(scope);
  inner.optionalDepth = context.optionalDepth;
  inner.named = context.named;
  const of = inner.check(parseCel(text));
  const [problem] = inner.problems;
  if (problem) {
    // Through several names, the reason is that of the last.
    const reason = problem.message.replace(/^\w+ cannot be read in [^:]+: /, '').replace(` in ${scope.name}`, '');
    const message = `${name} cannot be read in ${scope.name}: ${reason}`;
    return context.addProblem(node, message, problem.hint);
  }
  context.lets.add(name);
  context.inherited.add(inner);
  context.inherited.add(inner.inherited);
  return ['path', 'variable', 'constant'].includes(of.op)
    ? of
    : { op: 'let', name, of, type: of.type, kind: of.kind, elements: of.elements };
}

/** Larger than any expression that a person writes. Without a limit, names that read names twice could stand for any size. */
const MOST_NAMED = 100_000;

/** A named expression whose own problems are reported at its place. */
const INVALID_NAMED: CheckedNode = { op: 'constant', value: undefined, type: 'dyn' };

function hintFor(context: CheckContext, name: string): string {
  const { variables, lets } = context.scope;
  if (Object.hasOwn(VARIABLE_READERS, name)) return `${name} is available in ${VARIABLE_READERS[name]}`;
  const locals = context.locals.map((local) => local.name);
  const near = didYouMean(name, [...Object.keys(variables), ...(lets?.names ?? []), ...locals, ...LITERALS]);
  if (near !== undefined) return near;
  const holder = Object.keys(variables).find((one) => Object.hasOwn(fieldsOf(context, one) ?? {}, name));
  if (holder !== undefined) return `did you mean ${holder}.${name}?`;
  if (Object.hasOwn(variables, CANDIDATE_VARIABLE)) return `a field of the candidate is ${CANDIDATE_VARIABLE}.${name}`;
  return `there ${Object.keys(variables).length === 1 ? 'is' : 'are'} ${nameList(Object.keys(variables), 'no names')}`;
}

function fieldsOf(context: CheckContext, name: string): Readonly<Record<string, string>> | undefined {
  if (context.locals.some((local) => local.name === name)) return undefined;
  const type = Object.hasOwn(context.scope.variables, name) ? context.scope.variables[name] : undefined;
  return typeof type === 'object' ? type.fields : undefined;
}

const fieldsHint = (name: string, fields: Readonly<Record<string, string>>): string => {
  const known = Object.keys(fields);
  return known.length === 0
    ? `${name} has no known fields`
    : `there are ${known
        .slice(0, 12)
        .map((field) => `${name}.${field}`)
        .join(', ')}${name === 'context' ? '; declare others in the profile under context' : ''}`;
};

/** Compiles a chain of accesses. `candidate.a["b"][0]` becomes one path; a computed key becomes an index. */
function checkAccess(context: CheckContext, node: AccessNode): CheckedNode {
  const [chain, base] = unchain(node);
  if (chain.some(({ op }) => op === '.?' || op === '[?]')) context.optionalDepth += 1;
  const optional = context.optionalDepth > 0;
  let tree = base.op === 'id' ? checkVariable(context, base) : context.check(base);
  for (const access of chain) tree = checkStep(context, tree, access);
  const nested = tree.op === 'variable' && tree.field === undefined ? fieldsOf(context, tree.name) : undefined;
  if (nested && tree.op === 'variable')
    tree = context.addProblem(node, `${tree.name} cannot be read as a whole`, fieldsHint(tree.name, nested));
  if (isDateField(context, tree)) tree = { ...tree, type: 'date' };
  if (chain.some(({ op }) => op === '.?' || op === '[?]')) context.optionalDepth -= 1;
  recordPathRead(context, tree, optional);
  return tree;
}

/** Whether a node reads a field that the schema of the data declares as a date. */
function isDateField({ scope }: CheckContext, tree: CheckedNode): boolean {
  if (!scope.dates || tree.op !== 'path' || tree.steps.length !== 1) return false;
  const { of, steps } = tree;
  const [first] = steps;
  return of.op === 'variable' && of.name === CANDIDATE_VARIABLE && first?.kind === 'key' && scope.dates.has(first.key);
}

function unchain(node: AccessNode): [AccessNode[], SyntaxNode] {
  const chain: AccessNode[] = [];
  let at: SyntaxNode = node;
  while (at.op === '.' || at.op === '.?' || at.op === '[]' || at.op === '[?]') {
    chain.push(at);
    at = at.args[0];
  }
  return [chain.toReversed(), at];
}

function checkStep(context: CheckContext, of: CheckedNode, node: AccessNode): CheckedNode {
  const [, field] = node.args;
  const key = typeof field === 'string' ? constantKey(field) : checkKey(context, field);
  const start = 'pos' in node ? node.pos : node.args[1].start;
  const place = { start, end: typeof field === 'string' ? node.end : field.end };
  if (of.op === 'variable' && of.field === undefined) {
    const fields = fieldsOf(context, of.name);
    if (fields !== undefined) return checkDeclaredField(context, of.name, fields, key, place);
  }
  if (!isAssignable(of.type, 'map', 'list')) {
    return context.addProblem(place, `${describeType(of.type)} has no fields or elements`);
  }
  const kind = of.type === 'list' ? of.elements : undefined;
  const isLiteralMap = of.type === 'map' && (of.op === 'map' || of.op === 'constant');
  if (key.op !== 'constant' || (isLiteralMap && typeof key.value !== 'string'))
    return { op: 'index', of, key, type: 'dyn', kind };
  if (typeof key.value === 'number' && (!Number.isSafeInteger(key.value) || key.value < 0)) {
    return context.addProblem(
      place,
      `elements are counted from 0, found ${key.value}`,
      'for the last element write xs[size(xs) - 1]',
    );
  }
  if (typeof key.value !== 'string' && typeof key.value !== 'number') return { op: 'index', of, key, type: 'dyn' };
  const next: PathStep =
    typeof key.value === 'string' ? { kind: 'key', key: key.value } : { kind: 'index', index: key.value };
  return of.op === 'path'
    ? { op: 'path', of: of.of, steps: [...of.steps, next], type: 'dyn' }
    : { op: 'path', of, steps: [next], type: 'dyn', kind };
}

const constantKey = (value: string): CheckedNode => ({ op: 'constant', value, type: 'string' });

function checkKey(context: CheckContext, node: SyntaxNode): CheckedNode {
  const key = context.check(node);
  context.expectType(node, key, '[ ]', 'number', 'string', 'bool');
  return key;
}

function checkDeclaredField(
  context: CheckContext,
  name: string,
  fields: Readonly<Record<string, string>>,
  key: CheckedNode,
  place: SourceRange,
): CheckedNode {
  if (key.op !== 'constant' || typeof key.value !== 'string') {
    return context.addProblem(place, `the field of ${name} must be a literal`, fieldsHint(name, fields));
  }
  const field = key.value;
  const type = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (type === 'fields') return { op: 'variable', name: `${name}.${field}`, type: 'map' };
  if (type === 'number' || type === 'string' || type === 'bool' || type === 'dyn') {
    context.reads.add(`${name}.${field}`);
    if (context.optionalDepth > 0) context.optionalReads.add(`${name}.${field}`);
    return { op: 'variable', name, field, type };
  }
  const hint = didYouMean(field, Object.keys(fields), fieldsHint(name, fields));
  return context.addProblem(place, `unknown field "${field}" of ${name}`, hint);
}

function recordPathRead(context: CheckContext, tree: CheckedNode, optional: boolean): void {
  let at = tree;
  while (at.op === 'index') at = at.of;
  if (at.op !== 'path' || at.of.op !== 'variable') return;
  const text = formatPath(at.steps);
  if (at.of.name === 'context' && at.of.field === undefined) {
    const read = text.startsWith('[') ? `context${text}` : `context.${text}`;
    context.reads.add(read);
    if (optional) context.optionalReads.add(read);
  }
  if (at.of.name !== CANDIDATE_VARIABLE) return;
  context.candidatePaths.add(text);
  if (optional) context.optionalPaths.add(text);
}
