import type { ASTNode } from '@marcbachmann/cel-js';
import { didYouMean, nameList } from '../../diagnostics/index.js';
import { formatPath, type PathStep } from '../path/path-syntax.js';
import { CANDIDATE_VARIABLE, VARIABLE_READERS } from '../scope.js';
import type { CheckContext, NodeOf, SourceRange } from './check-context.js';
import type { CheckedNode } from './checked-node.js';
import { describeType, isAssignable } from './types.js';
type AccessNode = NodeOf<'.' | '.?' | '[]' | '[?]'>;

const LITERALS = ['true', 'false', 'null'];

/** A variable on its own, or the element of a macro. */
export function checkName(context: CheckContext, node: NodeOf<'id'>): CheckedNode {
  const variable = checkVariable(context, node);
  if (variable.op !== 'variable') return variable;
  const fields = fieldsOf(context, node.args);
  if (fields !== undefined)
    return context.addProblem(node, `${node.args} is read field by field`, fieldsHint(node.args, fields));
  return variable;
}

function checkVariable(context: CheckContext, node: NodeOf<'id'>): CheckedNode {
  const name = node.args;
  const local = context.locals.findLast((one) => one.name === name);
  if (local !== undefined) return { op: 'local', local, type: 'dyn' };
  const { variables } = context.scope;
  const type = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (type === undefined)
    return context.addProblem(node, `unknown name "${name}" in ${context.scope.name}`, hintFor(context, name));
  if (typeof type === 'object') return { op: 'variable', name, type: 'map' };
  context.reads.add(name);
  return { op: 'variable', name, type };
}

function hintFor(context: CheckContext, name: string): string {
  const { variables } = context.scope;
  if (Object.hasOwn(VARIABLE_READERS, name)) return `${name} can be read by ${VARIABLE_READERS[name]}`;
  const locals = context.locals.map((local) => local.name);
  const near = didYouMean(name, [...Object.keys(variables), ...locals, ...LITERALS]);
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
    ? `${name} has no fields here`
    : `there are ${known
        .slice(0, 12)
        .map((field) => `${name}.${field}`)
        .join(', ')}${name === 'context' ? '; what else it has, the profile declares under context' : ''}`;
};

/** A chain of fields and elements: `candidate.a["b"][0]` becomes one path, and a computed key an index. */
export function checkAccess(context: CheckContext, node: AccessNode): CheckedNode {
  const [chain, base] = unchain(node);
  if (chain.some(({ op }) => op === '.?' || op === '[?]')) context.optionalDepth += 1;
  const optional = context.optionalDepth > 0;
  let tree = base.op === 'id' ? checkVariable(context, base) : context.check(base);
  for (const access of chain) tree = checkStep(context, tree, access);
  if (isDateField(context, tree)) tree = { ...tree, type: 'date' };
  if (chain.some(({ op }) => op === '.?' || op === '[?]')) context.optionalDepth -= 1;
  recordPathRead(context, tree, optional);
  return tree;
}

/** Whether a read is one of a field that the data says is a date. */
function isDateField({ scope }: CheckContext, tree: CheckedNode): boolean {
  if (!scope.dates || tree.op !== 'path' || tree.steps.length !== 1) return false;
  const { of, steps } = tree;
  const [first] = steps;
  return of.op === 'variable' && of.name === CANDIDATE_VARIABLE && first?.kind === 'key' && scope.dates.has(first.key);
}

function unchain(node: AccessNode): [AccessNode[], ASTNode] {
  const chain: AccessNode[] = [];
  let at: ASTNode = node;
  while (at.op === '.' || at.op === '.?' || at.op === '[]' || at.op === '[?]') {
    chain.push(at);
    at = at.args[0];
  }
  return [chain.toReversed(), at];
}

function checkStep(context: CheckContext, of: CheckedNode, node: AccessNode): CheckedNode {
  const [, field] = node.args;
  const key = typeof field === 'string' ? constantKey(field) : checkKey(context, field);
  const place = {
    start: typeof field === 'string' ? node.pos : field.start,
    end: typeof field === 'string' ? node.end : field.end,
  };
  if (of.op === 'variable' && of.field === undefined) {
    const fields = fieldsOf(context, of.name);
    if (fields !== undefined) return checkDeclaredField(context, of.name, fields, key, place);
  }
  if (!isAssignable(of.type, 'map', 'list')) {
    return context.addProblem(place, `${describeType(of.type)} has no fields or elements`);
  }
  if (key.op !== 'constant') return { op: 'index', of, key, type: 'dyn' };
  if (typeof key.value === 'number' && (!Number.isSafeInteger(key.value) || key.value < 0)) {
    return context.addProblem(
      place,
      `elements are counted from 0, found ${key.value}`,
      'the last of a list is xs[size(xs) - 1]',
    );
  }
  if (typeof key.value !== 'string' && typeof key.value !== 'number') return of;
  const next: PathStep =
    typeof key.value === 'string' ? { kind: 'key', key: key.value } : { kind: 'index', index: key.value };
  return of.op === 'path'
    ? { op: 'path', of: of.of, steps: [...of.steps, next], type: 'dyn' }
    : { op: 'path', of, steps: [next], type: 'dyn' };
}

const constantKey = (value: string): CheckedNode => ({ op: 'constant', value, type: 'string' });

function checkKey(context: CheckContext, node: ASTNode): CheckedNode {
  const key = context.check(node);
  context.expectType(node, key, '[ ]', 'number', 'string');
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
    return context.addProblem(place, `the field of ${name} must be written out`, fieldsHint(name, fields));
  }
  const field = key.value;
  const type = Object.hasOwn(fields, field) ? fields[field] : undefined;
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
