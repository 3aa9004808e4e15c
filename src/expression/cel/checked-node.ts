import type { SourceRange, SyntaxNode } from './parse-cel.js';
import type { PathStep } from '../path.js';
import type { MapEntry } from './operators.js';
import { CANDIDATE_VARIABLE, type ExpressionProblem, type ExpressionScope, type ExpressionWarning } from '../scope.js';

/** An operator of two values, both of which must be present. */
export type BinaryOp = '==' | '!=' | '<' | '<=' | '>' | '>=' | '%' | 'in';
/** An operator that chains: `a + b + c` is one node. */
export type ChainOp = '+' | '-' | '*' | '/' | '&&' | '||';

/**
 * An expression after checking: names resolved, chains flattened, constants folded. Chains are flat because V8 does not
 * inline a function text directly into itself.
 */
export type CheckedNode = {
  readonly type: CelType;
  readonly kind?: NumberKind | undefined;
  /** The kind of the elements of a list. */
  readonly elements?: NumberKind | undefined;
} & (
  | { readonly op: 'constant'; readonly value: unknown }
  | { readonly op: 'variable'; readonly name: string; readonly field?: string }
  | { readonly op: 'local'; readonly local: Local }
  | { readonly op: 'let'; readonly name: string; readonly of: CheckedNode }
  | { readonly op: 'path'; readonly of: CheckedNode; readonly steps: readonly PathStep[] }
  | { readonly op: 'index'; readonly of: CheckedNode; readonly key: CheckedNode }
  | { readonly op: 'chain'; readonly by: ChainOp; readonly parts: readonly CheckedNode[] }
  | { readonly op: 'binary'; readonly by: BinaryOp; readonly left: CheckedNode; readonly right: CheckedNode }
  | { readonly op: 'not' | 'negate' | 'has'; readonly of: CheckedNode }
  | {
      readonly op: 'choose';
      readonly cases: readonly (readonly [test: CheckedNode, then: CheckedNode])[];
      readonly otherwise: CheckedNode;
    }
  | { readonly op: 'default'; readonly of: CheckedNode; readonly otherwise: CheckedNode }
  /** The list does not have an absent part at the positions of `optional`. */
  | { readonly op: 'list'; readonly parts: readonly CheckedNode[]; readonly optional?: ReadonlySet<number> }
  | { readonly op: 'map'; readonly entries: readonly MapEntry<CheckedNode>[] }
  | { readonly op: 'call'; readonly name: string; readonly args: readonly CheckedNode[] }
  | {
      readonly op: 'macro';
      readonly name: MacroName;
      readonly list: CheckedNode;
      readonly local: Local;
      /** In a macro with two variables, the first one: the position in a list, the key of a map. */
      readonly index?: Local;
      readonly body: MacroBody;
    }
);

/** `bind` has a value of any type instead of a list, and `optMap` an optional one. */
export type MacroName =
  | 'all'
  | 'exists'
  | 'exists_one'
  | 'filter'
  | 'map'
  | 'transformList'
  | 'transformMap'
  | 'transformMapEntry'
  | 'bind'
  | 'optMap';

/** What a macro evaluates for each element: a test in `filter` and the quantifiers; in others a value, after an optional test. */
interface MacroBody {
  readonly test?: CheckedNode;
  readonly value?: CheckedNode;
}

/**
 * The variable of a macro, such as its current element. One slot is enough, as evaluation is synchronous and no macro
 * recurses.
 */
export interface Local {
  readonly name: string;
  /** The type if it is known. */
  readonly type: CelType;
  readonly kind?: NumberKind | undefined;
}

/** The direct operands of a node. */
export function partsOf(tree: CheckedNode): readonly CheckedNode[] {
  switch (tree.op) {
    case 'path':
    case 'let':
    case 'not':
    case 'negate':
    case 'has':
      return [tree.of];
    case 'index':
      return [tree.of, tree.key];
    case 'chain':
    case 'list':
      return tree.parts;
    case 'binary':
      return [tree.left, tree.right];
    case 'choose':
      return [...tree.cases.flat(), tree.otherwise];
    case 'default':
      return [tree.of, tree.otherwise];
    case 'map':
      return tree.entries.flatMap(({ key, value }) => [key, value]);
    case 'call':
      return tree.args;
    case 'macro':
      return [tree.list, tree.body.test, tree.body.value].filter((part) => part !== undefined);
    default:
      return [];
  }
}

/**
 * The static type of a value. Absence is not a type: any read of data may be absent. A `date` is a field that the schema
 * of the data declares as a date. In arithmetic it is a number of milliseconds.
 */
export type CelType = 'number' | 'string' | 'bool' | 'null' | 'list' | 'map' | 'date' | 'dyn';

/** What a number stands for, if the text of the expression shows it: an integer, a time, a length of time. */
export type NumberKind = 'int' | 'uint' | 'timestamp' | 'duration';

/** The type in a message, with its article. */
export const describeType = (type: CelType): string => {
  if (type === 'dyn') return 'anything';
  if (type === 'null') return 'null';
  return `a ${type}`;
};

/** The type of a value that has one of two types. */
export const joinTypes = (a: CelType, b: CelType): CelType => (a === b ? a : 'dyn');

/** Whether a value of a type may have one of the wanted types. */
export const isAssignable = (type: CelType, ...wanted: readonly CelType[]): boolean =>
  type === 'dyn' ||
  wanted.includes('dyn') ||
  wanted.includes(type) ||
  (type === 'date' && wanted.includes('number')) ||
  (type === 'number' && wanted.includes('date'));

/** Replaces a node that has a problem, so that the checks continue and find further problems. */
const ERROR_NODE: CheckedNode = { op: 'constant', value: undefined, type: 'dyn' };

/** What an expression reads. */
export class ExpressionReads {
  /** Variables and record fields. */
  readonly reads = new Set<string>();
  readonly candidatePaths = new Set<string>();
  /** The candidate's paths that may be absent without making the result absent, such as the operand of `has`. */
  readonly optionalPaths = new Set<string>();
  /** The `reads` that may be absent without making the result absent. */
  readonly optionalReads = new Set<string>();
  /** The named expressions. */
  readonly lets = new Set<string>();

  add(other: ExpressionReads): void {
    for (const key of ['reads', 'candidatePaths', 'optionalPaths', 'optionalReads', 'lets'] as const)
      for (const name of other[key]) this[key].add(name);
  }
}

/** The shared state of the checks of one expression: its scope and their findings so far. */
export abstract class CheckContext extends ExpressionReads {
  readonly problems: ExpressionProblem[] = [];
  /** What the same text means in standard CEL, if it is something else. */
  readonly warnings: ExpressionWarning[] = [];
  /** What it reads through named expressions. */
  readonly inherited = new ExpressionReads();
  /** The elements of the macros around the node being checked, innermost last. */
  readonly locals: Local[] = [];
  /** The number of characters of the named expressions that it reads, each as often as it is read. */
  named = { characters: 0 };
  /** Above zero inside an operand that may be absent. */
  optionalDepth = 0;

  constructor(readonly scope: ExpressionScope) {
    super();
  }

  /** Checks a node and its operands. */
  abstract check(node: SyntaxNode): CheckedNode;

  /** Checks a node that may be absent. */
  checkOptional(node: SyntaxNode): CheckedNode {
    this.optionalDepth += 1;
    const checked = this.check(node);
    this.optionalDepth -= 1;
    return checked;
  }

  /** Adds a problem and returns the replacement of the node. */
  addProblem(range: SourceRange, message: string, hint?: string): CheckedNode {
    const length = Math.max(range.end - range.start, 1);
    const problem = { message, offset: range.start, length, kind: 'type' as const };
    this.problems.push(hint === undefined ? problem : { ...problem, hint });
    return ERROR_NODE;
  }

  addWarning({ start, end }: SourceRange, message: string, hint: string): void {
    this.warnings.push({ message, offset: start, length: Math.max(end - start, 1), kind: 'warning', hint });
  }

  /** Adds a problem unless the value may have one of the types that the operation needs. */
  expectType(node: SyntaxNode, found: CheckedNode, operation: string, ...wanted: readonly CelType[]): void {
    if (isAssignable(found.type, ...wanted)) return;
    const needs = wanted.map(describeType).join(' or ');
    this.addProblem(node, `${operation} needs ${needs}, found ${describeType(found.type)}`);
  }
}

/** Whether a node compares by order. */
export const isComparison = (tree: CheckedNode): boolean =>
  tree.op === 'binary' && tree.by !== 'in' && tree.by !== '%' && tree.by !== '==' && tree.by !== '!=';

export type CandidatePath = Extract<CheckedNode, { op: 'path' }>;

export const isCandidatePath = (tree: CheckedNode): tree is CandidatePath =>
  tree.op === 'path' && tree.of.op === 'variable' && tree.of.name === CANDIDATE_VARIABLE;

/** The path that an expression reads, if it reads no other one and no variable. */
export function onlyPath(tree: CheckedNode): CandidatePath | undefined {
  const paths = new Map<string, CandidatePath>();
  const isKnown = (node: CheckedNode): boolean => {
    if (node.op !== 'path') return node.op !== 'variable' && partsOf(node).every(isKnown);
    paths.set(JSON.stringify(node.steps), node);
    return isCandidatePath(node);
  };
  return isKnown(tree) && paths.size === 1 ? [...paths.values()][0] : undefined;
}

export const isTextConstant = (tree: CheckedNode): tree is CheckedNode & { readonly value: string } =>
  tree.op === 'constant' && typeof tree.value === 'string';

/** Whether a node surely computes a number if it computes anything. */
export const isNumeric = (tree: CheckedNode): boolean =>
  tree.op === 'let'
    ? isNumeric(tree.of)
    : tree.type === 'number' && tree.op !== 'path' && tree.op !== 'variable' && tree.op !== 'default';

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

/** Whether a node reads one of these variables. */
export const readsAny = (tree: CheckedNode, names: ReadonlyMap<string, unknown>): boolean =>
  (tree.op === 'variable' && names.has(tree.name)) || partsOf(tree).some((part) => readsAny(part, names));
