import { type BoundExpression, type VariableBindings, type VariableBinding } from '../scope.js';
import { compileClosures } from './compiler.js';
import { type CheckedNode, isCandidatePath, isComparison, onlyPath, partsOf, textsOf } from './checked-node.js';
import { compileSteps } from '../compile-path.js';
import { mayBeInherited, type PathStep } from '../path.js';
import { toMillis } from '../time.js';
import { BUILTINS } from './builtins.js';

/** An expression or the formula of a unit, with what its text needs. */
export interface RowFormula {
  readonly tree: CheckedNode;
  readonly bindings: VariableBindings;
  /** Whether it is the formula of a unit, which fails on an infinite number. */
  readonly finite: boolean;
  /** The scores that a unit's formula reads, by the name of the variable. */
  readonly children: ReadonlyMap<string, RowChild>;
  /** The variables of the function that hold a number of the row, by the name in the expression. */
  readonly locals?: ReadonlyMap<string, string> | undefined;
}

/** A score that a formula reads: of a child of a unit, or of another entry. */
export interface RowChild {
  readonly formula: RowFormula;
  /** The number in place of an absent score; undefined if the closure must decide. */
  readonly onAbsent: number | undefined;
  /** The scores for which the closure need not decide. */
  readonly range?: readonly [least: number, most: number] | undefined;
}

/** The answer of a test: 0 for no, 1 for yes, 2 if the closure must decide. */
export type Answer = 0 | 1 | 2;

/** How a function reads the field of a row. */
export interface FieldText {
  /** The value; undefined or null if it is absent. If `isNumber`, any number if it is absent. */
  readonly value: string;
  /** Whether each present value is a number. */
  readonly isNumber: boolean;
  /** A test of absence; undefined if the value is compared with undefined and null. */
  readonly absent?: string | undefined;
  /**
   * For a column with a dictionary: the text of the answer for the current row. Each distinct value is tested once, not
   * each row.
   */
  readonly answer?: ((test: (value: unknown) => Answer) => string) | undefined;
  /** For a column with a dictionary: the text of the number for the current row. It is computed once per distinct value. */
  readonly lookup?: ((compute: (value: unknown) => number) => string) | undefined;
}

/** Where a function has its rows from. */
export interface RowSource {
  /** The text that reads a field of the current row; undefined if only a reader of the candidate can. */
  readonly field: (key: string) => FieldText | undefined;
  /** The text of the candidate, and of the index that closures receive. */
  readonly candidate: string;
  readonly index: string;
}

/** The texts that may stand in a generated function as they are: no quote, backslash or line break. */
const PLAIN_TEXT = /^[\w .,:/@+-]{0,64}$/;

/** The arguments of a generated function by number, and the names of its variables. */
export class TextNames {
  readonly slots: unknown[] = [];
  #count = 0;

  /** A finite number or a plain text as a literal, which V8 compares faster; for any other value, the name of an argument. */
  slot(value: unknown): string {
    if (typeof value === 'number' && Number.isFinite(value)) return numberText(value);
    if (typeof value === 'string' && PLAIN_TEXT.test(value)) return `"${value}"`;
    const known = this.slots.findIndex((slot) => Object.is(slot, value));
    return `_${known >= 0 ? known : this.slots.push(value) - 1}`;
  }

  /** A name that no other variable or label has. */
  fresh(): string {
    return `$${this.#count++}`;
  }
}

function numberText(value: number): string {
  if (Object.is(value, -0)) return '(-0)';
  return value < 0 ? `(${value})` : String(value);
}

/** Writes the statements and variables of a row, and reads its fields. */
export class RowWriter {
  /** The statements of the open block, or of a test. */
  #text = '';
  /** The variables of the row, before any statement that depends on them. */
  #declared = '';
  /** Statements before the loop over rows. */
  #before = '';
  /** The variables in each open block, by the expression that they hold. */
  readonly #blocks: Map<string, string>[] = [new Map()];

  constructor(
    protected readonly names: TextNames,
    protected readonly source: RowSource,
  ) {}

  /** The statements that declare the variables of the formulas since the last call. They come before the formulas. */
  take(): string {
    const text = this.#declared;
    this.#declared = '';
    return text;
  }

  /** The statements that must run before the rows. */
  get before(): string {
    return this.#before;
  }

  protected taken(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  protected orNothing<R>(write: () => R): R | undefined {
    const [declared, before, known] = [this.#declared, this.#before, new Map(this.#blocks[0])];
    try {
      return write();
    } catch (error) {
      if (!(error instanceof NoText)) throw error;
      this.#text = '';
      this.#declared = declared;
      this.#before = before;
      this.#blocks.splice(0, Number.POSITIVE_INFINITY, known);
      return undefined;
    }
  }

  /** Appends statements that compute a value. */
  protected append(text: string): void {
    if (this.#blocks.length === 1) this.#declared += text;
    else this.#text += text;
  }

  /** The variable that holds an expression in this block or around it. */
  protected variable(expression: string, key = expression): string {
    const known = this.known(key);
    if (known !== undefined) return known;
    const name = this.names.fresh();
    this.append(`const ${name}=${expression};`);
    this.#blocks.at(-1)!.set(key, name);
    return name;
  }

  protected known(key: string): string | undefined {
    for (const block of this.#blocks) {
      const known = block.get(key);
      if (known !== undefined) return known;
    }
    return undefined;
  }

  /** A block that statements leave by `break` and its label. */
  protected block(write: (leave: string) => void): void {
    const label = this.names.fresh();
    this.#text += `${label}:{`;
    this.#blocks.push(new Map());
    write(`break ${label};`);
    this.#blocks.pop();
    this.#text += '}';
  }

  protected branch(yes: string, no: string, onYes: string, onNo: string, unsure: string): void {
    this.#text += `if(${yes}){${onYes}}else if(${no}){${onNo}}else{${unsure}}`;
  }

  /** The text of a field that is read without a reader; undefined for anything else. */
  protected field(tree: CheckedNode): FieldText | undefined {
    if (!isCandidatePath(tree)) return undefined;
    const [step, ...others] = tree.steps;
    return others.length === 0 && step?.kind === 'key' ? this.source.field(step.key) : undefined;
  }

  /** A variable with the answer of a test for the distinct values of a field; undefined if the field has no dictionary. */
  protected answer(tree: CheckedNode, test: (value: unknown) => Answer): string | undefined {
    const answer = this.field(tree)?.answer?.(test);
    return answer === undefined ? undefined : this.variable(answer);
  }

  /** A variable with the number that an expression has for each distinct value of the only field that it reads. */
  protected numberPerValue(tree: CheckedNode, { bindings, finite }: RowFormula): string | undefined {
    const path = hasFiniteWork(tree) ? onlyPath(tree) : undefined;
    const lookup = path && this.field(path)?.lookup;
    const [step] = path?.steps ?? [];
    if (!lookup || step?.kind !== 'key') return undefined;
    const key = `number per value ${finite} ${JSON.stringify(tree)}`;
    const known = this.known(key);
    if (known !== undefined) return known;
    const evaluate = compileClosures(tree, bindings, { source: '', place: undefined });
    return this.variable(lookup(numberFor(evaluate, step.key, finite)), key);
  }

  /** A variable with a number for each distinct value of a formula that is a field; undefined if it has no dictionary. */
  perValue({ tree }: RowFormula, compute: (value: unknown) => number): string | undefined {
    const lookup = this.field(tree)?.lookup;
    return lookup && this.variable(lookup(compute));
  }

  /** A variable with the value of a field, or of a variable of the run. Undefined and null mean absent; a Date is not converted. */
  protected value(tree: CheckedNode, formula: RowFormula): string {
    if (tree.op === 'let') return this.value(tree.of, formula);
    const read = rowReader(tree, formula.bindings);
    if (read) return this.variable(`${this.names.slot(read)}(${this.source.candidate},${this.source.index})`);
    if (tree.op === 'variable' || (tree.op === 'path' && !isCandidatePath(tree))) return this.#runValue(tree, formula);
    if (!isCandidatePath(tree)) throw new NoText();
    const field = this.field(tree);
    if (field && !field.isNumber) return this.variable(field.value);
    if (field)
      return this.variable(field.absent === undefined ? field.value : `${field.absent}?undefined:${field.value}`);
    const [first, ...rest] = tree.steps;
    const start = first?.kind === 'key' ? this.source.field(first.key) : undefined;
    if (start && !start.isNumber && rest.every(isPlainKey)) {
      return rest.reduce(
        (value, step) =>
          this.variable(`${value}===undefined||${value}===null?undefined:${value}.${(step as KeyStep).key}`),
        this.variable(start.value),
      );
    }
    return this.variable(
      `${this.names.slot(readerOf(tree.steps))}(${this.source.candidate})`,
      `reader ${JSON.stringify(tree.steps)}`,
    );
  }

  /** A variable with a value that is the same for every row, read before the loop. */
  #runValue(tree: CheckedNode, { bindings, locals }: RowFormula): string {
    if (tree.op === 'variable' && locals?.has(tree.name)) throw new NoText();
    const key = `run ${JSON.stringify(tree)}`;
    const known = this.#blocks[0]!.get(key);
    if (known !== undefined) return known;
    const evaluate = this.#runReader(tree, bindings);
    const name = this.names.fresh();
    this.#before += `const ${name}=${this.names.slot(evaluate)}();`;
    this.#blocks[0]!.set(key, name);
    return name;
  }

  /** Reads a value of the run; UNREADABLE if reading it throws, so that the closure reports the error for each row. */
  #runReader(tree: CheckedNode, bindings: VariableBindings): () => unknown {
    const read = runReader(tree, bindings);
    return () => {
      try {
        return read();
      } catch {
        return UNREADABLE;
      }
    };
  }

  /** Appends a statement to the open block, or to a test. */
  protected write(text: string): void {
    this.#text += text;
  }

  /** The statements that a function writes. */
  protected written(write: () => void): string {
    const outer = this.taken();
    write();
    const text = this.taken();
    this.#text = outer;
    return text;
  }
}

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
    case 'let':
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

export const numberOrNaN = (value: string): string => `(typeof ${value}==='number'?${value}:NaN)`;

export type KeyStep = Extract<PathStep, { kind: 'key' }>;
/** Whether a field of an object can be read by its name in the text. */
export const isPlainName = (key: string): boolean => IDENTIFIER.test(key) && !mayBeInherited(key);

export const isPlainKey = (step: PathStep): boolean => step.kind === 'key' && isPlainName(step.key);

/** The most texts that are compared one by one: for more, a set or a map is faster. */
export const MOST_COMPARED = 8;

export const OPPOSITE = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const;

/** The text of each function on bare numbers. */
const CALLS: Readonly<Record<string, (...args: string[]) => string>> = {
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
  double: (x) => x,
  int: (x) => `Math.trunc(${x})`,
};

/** The text of a call; undefined if it is not one on bare numbers. `min` and `max` of one argument take a list. */
export const callText = ({ name, args }: Extract<CheckedNode, { op: 'call' }>) =>
  Object.hasOwn(CALLS, name) && (args.length > 1 || BUILTINS.get(name)?.variadic !== true) ? CALLS[name] : undefined;

/** The number of an expression for a value of the field that it reads; NaN if its closure must decide. */
const numberFor =
  (evaluate: BoundExpression, field: string, finite: boolean) =>
  (value: unknown): number => {
    if (finite && typeof value === 'number' && !Number.isFinite(value)) return Number.NaN; // a unit's formula fails on it
    try {
      const number = evaluate({ [field]: value }, 0);
      return typeof number === 'number' ? number : Number.NaN;
    } catch {
      return Number.NaN;
    }
  };

/** Whether the length of an expression bounds its work, so that its steps are not counted. */
export const hasFiniteWork = (tree: CheckedNode): boolean =>
  tree.op !== 'macro' &&
  tree.op !== 'local' &&
  !(tree.op === 'call' && BUILTINS.get(tree.name)?.grows === true) &&
  partsOf(tree).every(hasFiniteWork);

/** The number of a Date; NaN for any other value that is not a number. */
export function numberOfDate(value: unknown): number {
  const millis: unknown = value instanceof Date ? value.getTime() : undefined;
  return typeof millis === 'number' ? millis : Number.NaN;
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

/** Stands for a value of the run whose reading throws. It has no type that a test accepts. */
export const UNREADABLE: object = Object.freeze({});

/** Whether the text of a node calls a closure, which may throw. */
export function callsClosure(tree: CheckedNode): boolean {
  if (tree.op === 'binary' && tree.by === 'in') return textsOf(tree.right) === undefined || callsClosure(tree.left);
  const hasNone = tree.op === 'index' || tree.op === 'list' || tree.op === 'map' || tree.op === 'macro';
  return hasNone || (tree.op === 'call' && !callText(tree)) || partsOf(tree).some(callsClosure);
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
  if (tree.op !== 'variable' || !(RUN_VARIABLES.has(tree.name) || isStatistic(tree))) throw new NoText();
  const given = Object.hasOwn(bindings, tree.name) ? bindings[tree.name] : undefined;
  const binding = typeof given === 'object' && tree.field !== undefined ? given[tree.field] : given;
  if (typeof binding !== 'function') throw new NoText();
  return valueOf(binding, typeof given === 'object' ? undefined : tree.field);
}

/** Whether a node reads a statistic. The function of one that differs by group takes the candidate and its row. */
const isStatistic = (tree: CheckedNode): boolean => tree.op === 'variable' && tree.name.startsWith('stats.');

/** The function of a statistic that differs by row; undefined for any other node. */
function rowReader(tree: CheckedNode, bindings: VariableBindings): VariableBinding | undefined {
  if (tree.op !== 'variable' || tree.field === undefined || !isStatistic(tree)) return undefined;
  const binding = bindings[tree.name];
  const read = typeof binding === 'object' ? binding[tree.field] : undefined;
  return read && read.length > 0 ? read : undefined;
}

function valueOf(binding: VariableBinding, field: string | undefined): () => unknown {
  if (field === undefined) return () => binding(undefined, 0);
  const read = compileSteps([{ kind: 'key', key: field }]);
  return () => read(binding(undefined, 0));
}
