import { compileSteps } from '../compile-path.js';
import { asRead, mayBeInherited, type PathStep } from '../path.js';
import { CANDIDATE_VARIABLE, type VariableBinding, type VariableBindings } from '../scope.js';
import { toMillis } from '../time.js';
import { BUILTINS } from './builtins.js';
import { type CheckedNode, partsOf } from './checked-node.js';

// What `RowText` needs to know of the nodes of an expression, and the functions that its text calls.

/** Thrown if an expression has no text: its closure is called instead. */
export class NoText extends Error {}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** A path that a formula reads as a number. If `needed`, the formula is absent if the number is absent. */
export interface NumberRead {
  readonly path: CheckedNode;
  readonly needed: boolean;
}

/** The numbers that a formula reads; undefined if it reads anything else, or if an absent number may fail. */
export function numbersNeeded(tree: CheckedNode, needed = true): readonly NumberRead[] | undefined {
  const all = (parts: readonly CheckedNode[], need = needed): readonly NumberRead[] | undefined => {
    const reads = parts.map((part) => numbersNeeded(part, need));
    return reads.every((one) => one !== undefined) ? reads.flat() : undefined;
  };
  switch (tree.op) {
    case 'constant':
      return typeof tree.value === 'number' ? [] : undefined;
    case 'variable':
      return tree.name === 'now' ? [] : undefined;
    case 'path':
      return isCandidatePath(tree) ? [{ path: tree, needed }] : undefined;
    case 'negate':
      return all([tree.of]);
    case 'chain':
      return tree.by === '&&' || tree.by === '||' ? undefined : all(tree.parts);
    case 'binary':
      return tree.by === 'in' || tree.by === '==' || tree.by === '!=' ? undefined : all([tree.left, tree.right]);
    case 'call':
      return callText(tree) ? all(tree.args) : undefined;
    case 'choose': {
      const [first, ...others] = [...tree.cases.flat(), tree.otherwise];
      const reads = [all(first ? [first] : []), all(others, false)];
      const areNumbers = tree.cases.every(([test]) => isComparison(test)) && reads.every((one) => one !== undefined);
      return areNumbers ? reads.flat() : undefined;
    }
    default:
      return undefined;
  }
}

/** Whether a node compares by order. */
export const isComparison = (tree: CheckedNode): boolean =>
  tree.op === 'binary' && tree.by !== 'in' && tree.by !== '%' && tree.by !== '==' && tree.by !== '!=';

export const numberOrNaN = (value: string): string => `(typeof ${value}==='number'?${value}:NaN)`;

export type KeyStep = Extract<PathStep, { kind: 'key' }>;
type CandidatePath = Extract<CheckedNode, { op: 'path' }>;

export const isCandidatePath = (tree: CheckedNode): tree is CandidatePath =>
  tree.op === 'path' && tree.of.op === 'variable' && tree.of.name === CANDIDATE_VARIABLE;

/** Whether a field of an object can be read by its name in the text. */
export const isPlainName = (key: string): boolean => IDENTIFIER.test(key) && !mayBeInherited(key);

export const isPlainKey = (step: PathStep): boolean => step.kind === 'key' && isPlainName(step.key);

/** The most texts of a list that are compared one by one. */
export const MOST_COMPARED = 4;

export const OPPOSITE = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const;

/** The text of each function on bare numbers. */
const CALLS: Readonly<Record<string, (...args: readonly string[]) => string>> = {
  abs: (x) => `Math.abs(${x})`,
  floor: (x) => `Math.floor(${x})`,
  ceil: (x) => `Math.ceil(${x})`,
  sqrt: (x) => `Math.sqrt(${x})`,
  exp: (x) => `Math.exp(${x})`,
  ln: (x) => `Math.log(${x})`,
  log2: (x) => `Math.log2(${x})`,
  pow: (x, y) => `(${x}===${x}?${x}**${y}:NaN)`,
  min: (...args) => `Math.min(${args.join(',')})`,
  max: (...args) => `Math.max(${args.join(',')})`,
  clamp: (x, low, high) => `Math.min(Math.max(${x},${low}),${high})`,
  double: (x) => x!,
  int: (x) => `Math.trunc(${x})`,
};

/** The text of a call; undefined if it is not one on bare numbers. `min` and `max` of one argument take a list. */
export const callText = ({ name, args }: Extract<CheckedNode, { op: 'call' }>) =>
  Object.hasOwn(CALLS, name) && (args.length > 1 || BUILTINS.get(name)?.variadic !== true) ? CALLS[name] : undefined;

export const isTextConstant = (tree: CheckedNode): tree is CheckedNode & { readonly value: string } =>
  tree.op === 'constant' && typeof tree.value === 'string';

/** Whether a node surely computes a number if it computes anything. */
export const isNumeric = (tree: CheckedNode): boolean =>
  tree.type === 'number' && tree.op !== 'path' && tree.op !== 'variable' && tree.op !== 'default';

/** The texts of a list of constants; undefined if it is another list. */
export function textsOf(tree: CheckedNode): readonly string[] | undefined {
  const values: readonly unknown[] | undefined =
    tree.op === 'constant' && Array.isArray(tree.value)
      ? (tree.value as readonly unknown[])
      : tree.op === 'list' && tree.parts.every(({ op }) => op === 'constant')
        ? tree.parts.map((part) => (part.op === 'constant' ? part.value : undefined))
        : undefined;
  return values?.every((value) => typeof value === 'string') ? values : undefined;
}

/** Whether the length of an expression bounds its work, so that its steps are not counted. */
export const hasFiniteWork = (tree: CheckedNode): boolean =>
  tree.op !== 'macro' &&
  tree.op !== 'local' &&
  !(tree.op === 'call' && BUILTINS.get(tree.name)?.grows === true) &&
  partsOf(tree).every(hasFiniteWork);

/** The number of a Date; NaN for any other value that is not a number. */
export function numberOfDate(value: unknown): number {
  const read = value instanceof Date ? asRead(value) : undefined;
  return typeof read === 'number' ? read : Number.NaN;
}

/** The milliseconds of a time; NaN if it is absent or not a time. */
export function millisOf(value: unknown): number {
  if (value === undefined || value === null) return Number.NaN;
  try {
    return toMillis(value);
  } catch {
    return Number.NaN;
  }
}

const readers = new WeakMap<readonly PathStep[], (from: unknown) => unknown>();

export function readerOf(steps: readonly PathStep[]): (from: unknown) => unknown {
  const reader = readers.get(steps) ?? compileSteps(steps);
  readers.set(steps, reader);
  return reader;
}

/** The variables that have one value in a whole run. */
const RUN_VARIABLES: ReadonlySet<string> = new Set(['now', 'context', 'signals']);

/** Reads a variable of the run, or a path into it. */
export function runReader(tree: CheckedNode, bindings: VariableBindings): () => unknown {
  if (tree.op === 'path') {
    const of = runReader(tree.of, bindings);
    const read = compileSteps(tree.steps);
    return () => read(of());
  }
  if (tree.op !== 'variable' || !RUN_VARIABLES.has(tree.name)) throw new NoText();
  const given = Object.hasOwn(bindings, tree.name) ? bindings[tree.name] : undefined;
  const binding = typeof given === 'object' && tree.field !== undefined ? given[tree.field] : given;
  if (typeof binding !== 'function') throw new NoText();
  return valueOf(binding, typeof given === 'object' ? undefined : tree.field);
}

function valueOf(binding: VariableBinding, field: string | undefined): () => unknown {
  if (field === undefined) return () => binding(undefined, 0);
  const read = compileSteps([{ kind: 'key', key: field }]);
  return () => read(binding(undefined, 0));
}
