import { isObject, type Place } from '../base/index.js';
import { type CheckedNode, describeType, ExpressionReads, isAssignable, partsOf } from './cel/checked-node.js';
import { Checker } from './cel/checker.js';
import { compileClosures, replacedLater } from './cel/compiler.js';
import { RowText } from './cel/row-text.js';
import { hasFiniteWork, isPlainName, TextNames } from './cel/row-writer.js';
import { type NodeOf, parseCel, type SyntaxNode } from './cel/parse-cel.js';
import { throwMismatch } from './cel/operators.js';
import {
  type BoundExpression,
  CANDIDATE_VARIABLE,
  ExpressionError,
  type ExpressionOrigin,
  type ExpressionScope,
  type VariableBindings,
  type ExpressionProblem,
  type ExpressionWarning,
  type VariableBinding,
  type VariableType,
} from './scope.js';
import { currentFieldNames, generatedOrPlain, withFieldNames, type FieldNames } from './compile-path.js';
import { parsePath, type PathStep, KeyedMap } from './path.js';

/** The type that an expression's result must have. The result may always be absent. */
export type ResultType = 'bool' | 'number' | 'any';

/** A parsed and type-checked expression. */
export interface Expression {
  readonly source: string;
  /** Its place in a file, if known. */
  readonly place: Place | undefined;
  /** The number of its operations and operands. */
  readonly size: number;
  /** Whether it reads nothing, so that its value is constant. */
  readonly constant: boolean;
  readonly readsCandidate: boolean;
  /** Whether it reads the candidate as a whole, such as `size(candidate)` or a field with a computed name. */
  readonly readsWholeCandidate: boolean;
  /** The candidate's paths that it reads: `a.b`, `metadata["cupel:trust"]`. Excludes reads in the elements of macros. */
  readonly candidatePaths: readonly string[];
  /** The candidate's paths that may be absent without making the result absent: in `has`, `.?`, `orValue` or `== null`. */
  readonly optionalPaths: readonly string[];
  /**
   * The variables that it reads, their known fields and paths into the context: `now`, `measures.tools`,
   * `context.user`.
   */
  readonly reads: readonly string[];
  /** The `reads` that may be absent without making the result absent. */
  readonly optionalReads: readonly string[];
  /** Where the same text means something else in standard CEL: `7 / 2`. */
  readonly warnings: readonly ExpressionWarning[];
  /** The named expressions that it reads. The paths and reads above include theirs. */
  readonly lets: readonly string[];
  /** The paths and variables that it reads itself, not through a named expression. */
  readonly own: { readonly candidatePaths: readonly string[]; readonly reads: readonly string[] };
  /**
   * The problems that it has if these fields of the candidate are dates according to the schema of a table, such as a
   * date that is compared with a text.
   */
  problemsWithDates(dates: ReadonlySet<string>): readonly ExpressionProblem[];
  /** Its syntax tree, with resolved names and folded constants. `bind` makes closures from this tree. */
  readonly tree: CheckedNode;
  /**
   * Compiles it to a function. Each function has its own readers, so bind once for each entry. `candidate` needs no
   * binding.
   *
   * @param steps the maximum number of steps of one evaluation, a million by default: one for each element that a macro
   *   visits, and for the elements of its lists, maps and texts. Exceeding it throws an ExpressionStepsError
   * @throws TypeError if a variable that it reads has no binding
   */
  bind(bindings: VariableBindings, steps?: number): BoundExpression;
  /** Like `bind`, without a check of the result's type: for a caller that checks it in a hot loop. */
  bindUnchecked(bindings: VariableBindings, steps?: number): BoundExpression;
}

/** Whether a value is an `Expression`. */
export const isExpression = (value: unknown): value is Expression =>
  typeof value === 'object' && value !== null && 'candidatePaths' in value && 'bindUnchecked' in value;

/**
 * Parses and type-checks a CEL expression. Every number is a double, and `/` divides. An absent or null field makes the
 * operation that reads it absent. `has(x)` and a comparison with the literal `null` test for absence, and
 * `x.?y.orValue(v)` replaces it. If the profile renames fields (`fields`), the result reads the candidate's own names.
 *
 * @param want the type of its result. A result of another type is a problem if it is known now, and otherwise a failure
 *   of the evaluation
 * @param place its place, for the error of an evaluation that takes too many steps
 * @throws ExpressionError with all of its problems
 */
export function parseExpression(
  source: string,
  scope: ExpressionScope,
  want: ResultType = 'any',
  place?: Place,
): Expression {
  const syntax = parseCel(source);
  const checker = new Checker(scope);
  const tree = checker.check(syntax);
  if (want !== 'any' && checker.problems.length === 0 && !isAssignable(tree.type, want)) {
    const hint =
      want === 'number' && tree.type === 'bool'
        ? 'to convert a condition to a number, write condition ? 1 : 0'
        : undefined;
    checker.addProblem(syntax, `${scope.name} needs ${describeType(want)}, found ${describeType(tree.type)}`, hint);
  }
  if (checker.problems.length > 0) throw new ExpressionError(source, checker.problems);
  const names = currentFieldNames();
  const renamed = names ? renameFields(source, syntax, names) : source;
  // Check the expression as the user wrote it, so that problems have places in the original text.
  if (renamed !== source) return withFieldNames(undefined, () => parseExpression(renamed, scope, want, place));
  const all = new ExpressionReads();
  all.add(checker);
  all.add(checker.inherited);
  const reads = [...all.reads];
  return {
    source,
    place,
    size: countNodes(tree),
    constant: reads.length === 0,
    readsCandidate: all.reads.has('candidate'),
    readsWholeCandidate: readsWhole(tree),
    candidatePaths: [...all.candidatePaths],
    optionalPaths: [...all.optionalPaths],
    reads,
    optionalReads: [...all.optionalReads],
    warnings: checker.warnings,
    lets: [...all.lets],
    own: { candidatePaths: [...checker.candidatePaths], reads: [...checker.reads] },
    problemsWithDates: (dates) => {
      if (![...all.candidatePaths].some((path) => dates.has(firstKey(path) ?? ''))) return [];
      const typed = new Checker({ ...scope, dates });
      typed.check(parseCel(source));
      return typed.problems;
    },
    tree,
    bind: (bindings, steps) => withResultCheck(want, tree, compile(tree, bindings, { source, place }, steps)),
    bindUnchecked: (bindings, steps) => compile(tree, bindings, { source, place }, steps),
  };
}

/**
 * Compiles a checked expression to a function over the bindings of its variables.
 *
 * @param origin the expression and its place, for errors
 * @param steps  the maximum number of steps of one evaluation
 */
function compile(
  tree: CheckedNode,
  bindings: VariableBindings,
  origin: ExpressionOrigin,
  steps?: number,
): BoundExpression {
  const closures = compileClosures(tree, bindings, origin, steps);
  if (!isWorthText(tree)) return closures;
  const generate = () => generatedFunction(tree, bindings, closures);
  return replacedLater(closures, () => generatedOrPlain(generate, () => closures));
}

/** Whether an expression computes with numbers, or tests values. */
const isWorthText = (tree: CheckedNode): boolean =>
  (tree.type === 'number' || tree.type === 'bool' || tree.op === 'chain') &&
  ['chain', 'binary', 'negate', 'not', 'has', 'choose', 'default', 'call'].includes(tree.op) &&
  hasFiniteWork(tree);

let functionCount = 0;

/**
 * A function with the text of an expression; its closures if it has no text.
 *
 * @throws EvalError if code generation is forbidden
 */
function generatedFunction(tree: CheckedNode, bindings: VariableBindings, closures: BoundExpression): BoundExpression {
  const names = new TextNames();
  const field = (key: string) => (isPlainName(key) ? { value: `c.${key}`, isNumber: false } : undefined);
  const row = new RowText(names, { field, candidate: 'c', index: 'i' });
  const formula = { tree, bindings, finite: false, children: new Map() };
  const otherwise = `return ${names.slot(closures)}(c,i);`;
  let text: string | undefined;
  if (tree.type === 'bool') text = row.test(formula, 'return true;', 'return false;', 'break unsure;');
  else {
    const number = row.number(formula);
    text = number && `const x=${number};if(x===x)return x;`;
  }
  if (text === undefined) return closures;
  functionCount += 1;
  const slots = names.slots.map((_, n) => `const _${n}=S[${n}];`).join('');
  // A candidate that is not an object has no fields. The text may read a value that throws and that the closures do not read.
  const body = `"use strict";${slots}return (c,i)=>{if(typeof c==='object'&&c!==null)unsure:try{${row.before}${row.take()}${text}}catch{}${otherwise}} // expression ${functionCount}`;
  // oxlint-disable-next-line no-implied-eval, typescript/no-unsafe-type-assertion -- the text comes from a closed grammar: see RowText
  return (new Function('S', body) as (slots: readonly unknown[]) => BoundExpression)(names.slots);
}

function firstKey(path: string): string | undefined {
  const [first] = parsePath(path);
  return first?.kind === 'key' ? first.key : undefined;
}

/** Counts the nodes of a tree or of a part of one. */
const countNodes = (part: unknown): number =>
  isObject(part)
    ? Object.values(part).reduce<number>((sum, inner) => sum + countNodes(inner), 'op' in part ? 1 : 0)
    : 0;

/** Whether a tree contains the candidate itself other than at the start of a path. */
function readsWhole(tree: CheckedNode): boolean {
  if (tree.op === 'variable') return tree.name === CANDIDATE_VARIABLE;
  if (tree.op === 'path' && tree.of.op === 'variable') return false;
  return partsOf(tree).some(readsWhole);
}

/** Checks the type of each result, unless the expression's own type ensures it. */
function withResultCheck(want: ResultType, { type, op }: CheckedNode, evaluate: BoundExpression): BoundExpression {
  const neverNull = (type !== 'dyn' && type !== 'null') || op === 'path' || op === 'variable';
  if (type === want || (want === 'any' && neverNull)) return evaluate;
  if (want === 'any') return (c, i) => evaluate(c, i) ?? undefined;
  const wanted = want === 'bool' ? 'boolean' : 'number';
  const needs = describeType(want);
  return (c, i) => {
    const value = evaluate(c, i) ?? undefined;
    return value === undefined || typeof value === wanted ? value : throwMismatch('the expression', needs, value);
  };
}

/**
 * Renames the candidate's fields in the text of an expression. It does not rename computed fields, or expressions that
 * read the candidate as a whole.
 */
export function renameFields(source: string, syntax: SyntaxNode, names: FieldNames): string {
  const edits: Edit[] = [];
  visit(syntax, names, source, edits);
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: by }) => text.slice(0, start) + by + text.slice(end), source);
}

type Access = NodeOf<'.' | '.?' | '[]' | '[?]'>;

/** A part of the source, and its replacement. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const isAccess = (node: SyntaxNode): node is Access => ['.', '.?', '[]', '[?]'].includes(node.op);

const isNode = (part: unknown): part is SyntaxNode => typeof part === 'object' && part !== null && 'op' in part;

function visit(part: unknown, names: FieldNames, source: string, edits: Edit[]): void {
  if (Array.isArray(part)) for (const inner of part) visit(inner, names, source, edits);
  if (!isNode(part)) return;
  const chain = isAccess(part) ? chainOf(part) : undefined;
  if (chain) {
    edits.push(...editsOf(chain, names, source));
    for (const { args } of chain.accesses) visit(args[1], names, source, edits); // computed keys
  } else if (part.op === 'rcall' && hidesCandidate(part)) {
    const [name, receiver, [, value]] = part.args;
    visit(name === 'bind' ? value : receiver, names, source, edits);
  } else visit(part.args, names, source, edits);
}

/** Whether a variable of a macro has the name `candidate`. Its last argument is never a variable. */
const hidesCandidate = ({ args: [, , args] }: NodeOf<'rcall'>): boolean =>
  args
    .slice(0, -1)
    .slice(0, 2)
    .some(({ op, args: name }) => op === 'id' && name === CANDIDATE_VARIABLE);

/** A field of the candidate, and the accesses after it. */
interface Chain {
  readonly base: SyntaxNode;
  /** The accesses in the order of the source. */
  readonly accesses: readonly Access[];
}

/** The edit of a chain that begins with a renamed field. */
function editsOf({ base, accesses }: Chain, names: FieldNames, source: string): readonly Edit[] {
  const keys = accesses.map(keyOf);
  const computed = keys.indexOf(undefined);
  const steps = (computed < 0 ? keys : keys.slice(0, computed)).filter((step) => step !== undefined);
  const found = names.find(steps);
  if (!found) return [];
  const replaced = accesses.slice(0, found.length);
  const optional = replaced.some(({ op }) => op === '.?' || op === '[?]');
  const closing = [base, ...replaced.slice(0, -1)].map(({ end }) => closers(source, end)).join('');
  return [{ start: base.end, end: replaced.at(-1)!.end, text: closing + accessText(found.target, optional) }];
}

/** The accesses to the candidate; undefined if the chain reads something else. */
function chainOf(node: Access): Chain | undefined {
  const accesses: Access[] = [];
  let at: SyntaxNode = node;
  while (isAccess(at)) {
    accesses.push(at);
    at = at.args[0];
  }
  return at.op === 'id' && at.args === CANDIDATE_VARIABLE ? { base: at, accesses: accesses.toReversed() } : undefined;
}

function keyOf({ args: [, field] }: Access): PathStep | undefined {
  const key: unknown = typeof field === 'string' ? field : field.op === 'value' ? field.args : undefined;
  return typeof key === 'string' ? { kind: 'key', key } : undefined;
}

/** The number of parentheses that are closed at an offset. */
const closers = (source: string, at: number): string => /^[\s)]*/.exec(source.slice(at))?.[0].replace(/\s/g, '') ?? '';

/** Names that CEL allows after a dot. */
const NAME =
  /^(?!(?:true|false|null|in|as|break|const|continue|else|for|function|if|import|let|loop|package|namespace|return|var|void|while)$)[A-Za-z_]\w*$/;

function accessText(steps: readonly PathStep[], optional: boolean): string {
  return steps
    .map((step, k) => {
      const mark = optional && k === 0 ? '?' : '';
      if (step.kind === 'key' && NAME.test(step.key)) return `.${mark}${step.key}`;
      return `[${mark}${step.kind === 'key' ? JSON.stringify(step.key) : step.kind === 'index' ? step.index : ''}]`;
    })
    .join('');
}

/**
 * Evaluates an expression (CEL) on variables, as a profile does: numbers are doubles, and a Date reads as milliseconds
 * since 1970. To evaluate one expression on many rows, use it in a profile, which compiles it once.
 *
 * @returns undefined if the result is null, or absent because the expression reads a missing field
 * @throws ExpressionError if the expression does not compile, with all of its problems
 * @throws ExpressionEvaluationError if it cannot be evaluated on these values
 */
export function evaluateExpression(text: string, variables: Readonly<Record<string, unknown>> = {}): unknown {
  const types: Record<string, VariableType> = Object.create(null);
  const bindings: Record<string, VariableBinding> = Object.create(null);
  for (const [name, value] of Object.entries(variables)) {
    types[name] = 'dyn';
    bindings[name] = () => value;
  }
  return plain(parseExpression(text, { name: 'the expression', variables: types }).bind(bindings)(undefined, 0));
}

/** A value without the maps of expressions: one whose keys are not only texts becomes a Map. */
function plain(value: unknown, done = new Map<unknown, unknown>()): unknown {
  if (!isObject(value) || done.has(value)) return done.get(value) ?? value;
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    done.set(value, copy);
    for (const part of value) copy.push(plain(part, done));
    return copy;
  }
  if (value instanceof KeyedMap) {
    const copy = new Map<unknown, unknown>();
    done.set(value, copy);
    for (const [key, part] of value.entries) copy.set(key, plain(part, done));
    return copy;
  }
  if (Object.getPrototypeOf(value) !== null) return value;
  const copy: Record<string, unknown> = Object.create(null);
  done.set(value, copy);
  for (const [key, part] of Object.entries(value)) copy[key] = plain(part, done);
  return copy;
}

/**
 * Checks an expression (CEL) without evaluating it: its syntax, the names of functions, and the types of literals.
 *
 * @param variables the names that it may read; any name if omitted
 * @returns its problems, and warnings about a text that means something else in standard CEL
 */
export function checkExpression(
  text: string,
  variables?: readonly string[],
): readonly (ExpressionProblem | ExpressionWarning)[] {
  const types: Record<string, VariableType> = Object.create(null);
  for (const name of variables ?? []) types[name] = 'dyn';
  try {
    const checker = new Checker({ name: 'the expression', variables: types, ...(variables ? {} : { open: true }) });
    checker.check(parseCel(text));
    return [...checker.problems, ...checker.warnings];
  } catch (error) {
    if (error instanceof ExpressionError) return error.problems;
    throw error;
  }
}
