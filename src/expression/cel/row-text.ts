import { BUILTINS } from './builtins.js';
import { type CheckedNode, partsOf } from './checked-node.js';
import { compile } from './compiler.js';
import { asRead, mayBeInherited, type PathStep } from '../path.js';
import { compileSteps } from '../compile-path.js';
import { CANDIDATE_VARIABLE, type VariableBinding, type VariableBindings } from '../scope.js';
import { toMillis } from '../time.js';

/*
 * Writes expressions as statements of a generated function that visits many rows. A closure per operation costs a call
 * that V8 stops inlining in large profiles; statements cost nothing.
 *
 * The text computes with bare numbers, as the numeric closures do: NaN stands for every value that is not a number. If
 * the result is NaN, or a condition is neither true nor false, the text does not decide: its caller calls the closure of
 * the expression, which handles absence, other types and errors. So both always give the same bits.
 *
 * The text comes from a closed grammar: operators, variables that the writer numbers, finite number literals, and field
 * names that match IDENTIFIER. Everything else reaches the function as an argument.
 */

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

/** A child of a unit. */
export interface RowChild {
  readonly formula: RowFormula;
  /** The number in place of an absent score; undefined if the closure must decide. */
  readonly onAbsent: number | undefined;
}

/** How a function reads the field of a row. */
export interface FieldText {
  /** The value; undefined or null if it is absent. If `isNumber`, any number if it is absent. */
  readonly value: string;
  /** Whether each present value is a number. */
  readonly isNumber: boolean;
  /** A test of absence; undefined if the value is compared with undefined and null. */
  readonly absent?: string | undefined;
}

/** Where a function has its rows from. */
export interface RowSource {
  /** The text that reads a field of the current row; undefined if only a reader of the candidate can. */
  readonly field: (key: string) => FieldText | undefined;
  /** The text of the candidate, and of the index that closures receive. */
  readonly candidate: string;
  readonly index: string;
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Thrown if an expression has no text: its closure is called instead. */
class NoText extends Error {}

/** The arguments of a generated function by number, and the names of its variables. */
export class TextNames {
  readonly slots: unknown[] = [];
  #count = 0;

  /** The name of an argument with this value. */
  slot(value: unknown): string {
    const known = this.slots.findIndex((slot) => Object.is(slot, value));
    return `_${known >= 0 ? known : this.slots.push(value) - 1}`;
  }

  /** A name that no other variable or label has. */
  fresh(): string {
    return `$${this.#count++}`;
  }
}

/** Writes the expressions that one function evaluates on each row. */
export class RowText {
  /** The statements of the open block, or of a test. */
  #text = '';
  /** The variables of the row, before any statement that depends on them. */
  #declared = '';
  /** Statements before the loop over rows. */
  #before = '';
  /** The variables in each open block, by the expression that they hold. */
  readonly #blocks: Map<string, string>[] = [new Map()];

  constructor(
    private readonly names: TextNames,
    private readonly source: RowSource,
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

  /** An expression of the number that a formula computes, NaN if its closure must decide; undefined if it has no text. */
  number(formula: RowFormula): string | undefined {
    return this.#orNothing(() => this.#number(formula.tree, formula));
  }

  /**
   * A test of a formula. One of these statements is executed: `yes`, `no`, or `unsure` if its closure must decide.
   * Undefined if it has no text.
   */
  test(formula: RowFormula, yes: string, no: string, unsure: string): string | undefined {
    return this.#orNothing(() => {
      this.#test(formula.tree, formula, yes, no, unsure);
      return this.#taken();
    });
  }

  /**
   * A test that a formula is absent because a number that it needs is absent. If it does not hold, the formula may be
   * absent for another reason. Undefined if it has no such test.
   */
  absent(formula: RowFormula): string | undefined {
    const paths = numbersNeeded(formula.tree);
    if (!paths || paths.every(({ needed }) => !needed)) return undefined;
    return this.#orNothing(() => {
      const read = paths.map(({ path, needed }) => ({ needed, ...this.#presence(path, formula) }));
      const absent = read.flatMap((one) => (one.needed && one.absent !== undefined ? one.absent : []));
      if (absent.length === 0) return undefined;
      return [`(${absent.join('||')})`, ...read.flatMap(({ valid }) => valid ?? [])].join('&&');
    });
  }

  /** Tests of a path: whether it is absent, and whether it is absent or a number. Undefined if the answer is always the same. */
  #presence(path: CheckedNode, { finite }: RowFormula): { absent: string | undefined; valid: string | undefined } {
    const field = this.#field(path);
    if (field?.isNumber) {
      const isFinite = `${field.value}-${field.value}===0`;
      const valid = finite ? (field.absent === undefined ? isFinite : `(${field.absent}||${isFinite})`) : undefined;
      return { absent: field.absent, valid };
    }
    if (!isCandidatePath(path)) throw new NoText();
    const value = this.#value(path, NO_FORMULA);
    const isNumber = finite ? `typeof ${value}==='number'&&${value}-${value}===0` : `typeof ${value}==='number'`;
    const absent = `${value}===undefined||${value}===null`;
    return { absent, valid: `(${absent}||${isNumber})` };
  }

  #taken(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  #orNothing<R>(write: () => R): R | undefined {
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
  #append(text: string): void {
    if (this.#blocks.length === 1) this.#declared += text;
    else this.#text += text;
  }

  /** The variable that holds an expression in this block or around it. */
  #variable(expression: string, key = expression): string {
    for (const block of this.#blocks) {
      const known = block.get(key);
      if (known !== undefined) return known;
    }
    const name = this.names.fresh();
    this.#append(`const ${name}=${expression};`);
    this.#blocks.at(-1)!.set(key, name);
    return name;
  }

  /** A block that statements leave by `break` and its label. */
  #block(write: (leave: string) => void): void {
    const label = this.names.fresh();
    this.#text += `${label}:{`;
    this.#blocks.push(new Map());
    write(`break ${label};`);
    this.#blocks.pop();
    this.#text += '}';
  }

  #branch(yes: string, no: string, onYes: string, onNo: string, unsure: string): void {
    this.#text += `if(${yes}){${onYes}}else if(${no}){${onNo}}else{${unsure}}`;
  }

  #number(tree: CheckedNode, formula: RowFormula): string {
    switch (tree.op) {
      case 'constant':
        if (typeof tree.value === 'number') return this.#literal(tree.value);
        throw new NoText();
      case 'path':
      case 'variable':
        return this.#read(tree, formula);
      case 'negate':
        return `(-${this.#number(tree.of, formula)})`;
      case 'chain':
      case 'binary':
        return this.#arithmetic(tree, formula);
      case 'call':
        return this.#call(tree, formula);
      case 'choose':
        return this.#choose(tree, formula);
      case 'default':
        return this.#default(tree, formula);
      default:
        return this.#atom(tree, formula, numberOrNaN);
    }
  }

  #literal(value: number): string {
    if (!Number.isFinite(value)) return this.names.slot(value);
    return value < 0 || Object.is(value, -0) ? `(${Object.is(value, -0) ? '-0' : String(value)})` : String(value);
  }

  #arithmetic(tree: Extract<CheckedNode, { op: 'chain' | 'binary' }>, formula: RowFormula): string {
    if (!['+', '-', '*', '/', '%'].includes(tree.by) || (tree.type !== 'number' && tree.type !== 'dyn'))
      throw new NoText();
    const parts = tree.op === 'chain' ? tree.parts : [tree.left, tree.right];
    return parts.map((part) => this.#number(part, formula)).reduce((left, right) => `(${left}${tree.by}${right})`);
  }

  /** A number that is read: from a field, a variable of the run, or the score of a child. */
  #read(tree: CheckedNode, formula: RowFormula): string {
    if (tree.op === 'variable') {
      const local = formula.locals?.get(tree.name);
      if (local !== undefined) return local;
      const child = formula.children.get(tree.name);
      if (child) return this.#child(child);
    }
    const field = this.#field(tree);
    if (field?.isNumber) {
      if (field.absent === undefined && !formula.finite) return field.value;
      const value = field.absent === undefined ? field.value : `(${field.absent}?NaN:${field.value})`;
      return formula.finite ? this.#finite(this.#variable(value)) : this.#variable(value);
    }
    const value = this.#value(tree, formula);
    const number = this.#variable(`typeof ${value}==='number'?${value}:${this.names.slot(numberOfDate)}(${value})`);
    return formula.finite ? this.#finite(number) : number;
  }

  #finite(number: string): string {
    return this.#variable(`${number}-${number}===0?${number}:NaN`);
  }

  #child({ formula, onAbsent }: RowChild): string {
    if (onAbsent === undefined) return this.#variable(this.#number(formula.tree, formula));
    const path = formula.tree;
    if (path.op !== 'path') return this.#variable(this.#number(path, formula));
    return this.#orElse(path, formula, this.#literal(onAbsent));
  }

  #call(tree: Extract<CheckedNode, { op: 'call' }>, formula: RowFormula): string {
    const { name, args } = tree;
    const [first] = args;
    if (name === 'timestamp' && first) return this.#time(first, formula);
    const write = callText(tree);
    if (!write) return this.#atom(tree, formula, numberOrNaN);
    const numbers = args.map((arg) => this.#number(arg, formula));
    if (name === 'pow') numbers[0] = this.#variable(numbers[0]!);
    return write(...numbers);
  }

  /** The milliseconds of a time. A number is read as it is, a text is parsed. */
  #time(of: CheckedNode, formula: RowFormula): string {
    if (of.op !== 'path' || this.#field(of)?.isNumber) return this.#number(of, { ...formula, finite: true });
    const value = this.#value(of, formula);
    return this.#variable(
      `typeof ${value}==='number'&&${value}-${value}===0?${value}:${this.names.slot(millisOf)}(${value})`,
    );
  }

  #choose({ cases, otherwise }: Extract<CheckedNode, { op: 'choose' }>, formula: RowFormula): string {
    const result = this.names.fresh();
    const outer = this.#taken();
    this.#text = `let ${result}=NaN;`;
    this.#block((end) => {
      for (const [test, then] of cases) {
        this.#block((next) => {
          this.#test(test, formula, '', next, end);
          const value = this.#number(then, formula);
          this.#text += `${result}=${value};${end}`;
        });
      }
      const value = this.#number(otherwise, formula);
      this.#text += `${result}=${value};`;
    });
    const text = this.#taken();
    this.#text = outer;
    this.#append(text);
    return result;
  }

  #default({ of, otherwise }: Extract<CheckedNode, { op: 'default' }>, formula: RowFormula): string {
    if (of.op !== 'path') throw new NoText();
    return this.#orElse(of, formula, this.#number(otherwise, formula));
  }

  /** A field's number; another number if it is absent. */
  #orElse(path: CheckedNode, formula: RowFormula, otherwise: string): string {
    const field = this.#field(path);
    if (field?.isNumber) {
      const number = formula.finite ? `(${field.value}-${field.value}===0?${field.value}:NaN)` : field.value;
      return field.absent === undefined ? number : this.#variable(`${field.absent}?${otherwise}:${number}`);
    }
    const value = this.#value(path, formula);
    const finite = formula.finite ? `&&${value}-${value}===0` : '';
    const other = `${value}===undefined||${value}===null?${otherwise}:${this.names.slot(numberOfDate)}(${value})`;
    return this.#variable(`typeof ${value}==='number'${finite}?${value}:${other}`);
  }

  /** The text of a field that is read without a reader; undefined for anything else. */
  #field(tree: CheckedNode): FieldText | undefined {
    if (!isCandidatePath(tree)) return undefined;
    const [step, ...others] = tree.steps;
    return others.length === 0 && step?.kind === 'key' ? this.source.field(step.key) : undefined;
  }

  /** A variable with the value of a field, or of a variable of the run. Undefined and null mean absent; a Date is not converted. */
  #value(tree: CheckedNode, formula: RowFormula): string {
    if (tree.op === 'variable' || (tree.op === 'path' && !isCandidatePath(tree))) return this.#runValue(tree, formula);
    if (!isCandidatePath(tree)) throw new NoText();
    const field = this.#field(tree);
    if (field && !field.isNumber) return this.#variable(field.value);
    if (field)
      return this.#variable(field.absent === undefined ? field.value : `${field.absent}?undefined:${field.value}`);
    const [first, ...rest] = tree.steps;
    const start = first?.kind === 'key' ? this.source.field(first.key) : undefined;
    if (start && !start.isNumber && rest.every(isPlainKey)) {
      return rest.reduce(
        (value, step) =>
          this.#variable(`${value}===undefined||${value}===null?undefined:${value}.${(step as KeyStep).key}`),
        this.#variable(start.value),
      );
    }
    return this.#variable(
      `${this.names.slot(readerOf(tree.steps))}(${this.source.candidate})`,
      `reader ${JSON.stringify(tree.steps)}`,
    );
  }

  /** A variable with a value that is the same for every row, read before the loop. */
  #runValue(tree: CheckedNode, { bindings, locals }: RowFormula): string {
    if (tree.op === 'variable' && locals?.has(tree.name)) throw new NoText();
    const evaluate = this.#runReader(tree, bindings);
    const key = `run ${this.names.slot(evaluate)}`;
    const known = this.#blocks[0]!.get(key);
    if (known !== undefined) return known;
    const name = this.names.fresh();
    this.#before += `const ${name}=${this.names.slot(evaluate)}();`;
    this.#blocks[0]!.set(key, name);
    return name;
  }

  /** Reads a value of the run; undefined if reading it throws, so that the closure reports the error for each row. */
  #runReader(tree: CheckedNode, bindings: VariableBindings): () => unknown {
    const read = runReader(tree, bindings);
    return () => {
      try {
        return read();
      } catch {
        return undefined;
      }
    };
  }

  #test(tree: CheckedNode, formula: RowFormula, yes: string, no: string, unsure: string): void {
    switch (tree.op) {
      case 'constant':
        this.#text += tree.value === true ? yes : tree.value === false ? no : unsure;
        return;
      case 'not':
        this.#test(tree.of, formula, no, yes, unsure);
        return;
      case 'has':
        this.#has(tree.of, formula, yes, no, unsure);
        return;
      case 'chain':
        this.#logic(tree, formula, yes, no, unsure);
        return;
      case 'binary':
        this.#compare(tree, formula, yes, no, unsure);
        return;
      case 'path':
      case 'variable': {
        const value = this.#value(tree, formula);
        this.#branch(`${value}===true`, `${value}===false`, yes, no, unsure);
        return;
      }
      default: {
        const value = this.#atom(tree, formula, (name) => name);
        this.#branch(`${value}===true`, `${value}===false`, yes, no, unsure);
      }
    }
  }

  #has(of: CheckedNode, formula: RowFormula, yes: string, no: string, unsure: string): void {
    if (of.op === 'variable' && formula.children.has(of.name)) {
      const score = this.#variable(this.#read(of, formula));
      this.#text += `if(${score}===${score}){${yes}}else{${unsure}}`;
      return;
    }
    if (of.op !== 'path' && of.op !== 'variable') throw new NoText();
    const field = this.#field(of);
    if (field?.isNumber) {
      this.#text += field.absent === undefined ? yes : `if(${field.absent}){${no}}else{${yes}}`;
      return;
    }
    const value = this.#value(of, formula);
    this.#text += `if(${value}===undefined||${value}===null){${no}}else{${yes}}`;
  }

  #logic(
    tree: Extract<CheckedNode, { op: 'chain' }>,
    formula: RowFormula,
    yes: string,
    no: string,
    unsure: string,
  ): void {
    if (tree.by !== '&&' && tree.by !== '||') throw new NoText();
    const isAnd = tree.by === '&&';
    const write = (early: string): void => {
      for (const part of tree.parts.slice(0, -1)) {
        this.#test(part, formula, isAnd ? '' : early, isAnd ? early : '', unsure);
      }
      this.#test(tree.parts.at(-1)!, formula, yes, no, unsure);
    };
    const early = isAnd ? no : yes;
    if (early === '') this.#block(write);
    else write(early);
  }

  #compare(
    tree: Extract<CheckedNode, { op: 'binary' }>,
    formula: RowFormula,
    yes: string,
    no: string,
    unsure: string,
  ): void {
    const { by, left, right } = tree;
    if (by === 'in') this.#in(left, right, formula, yes, no, unsure);
    else if (by === '!=') this.#equal(left, right, formula, no, yes, unsure);
    else if (by === '==') this.#equal(left, right, formula, yes, no, unsure);
    else if (by === '%') throw new NoText();
    else if (isTextConstant(left) || isTextConstant(right)) {
      const [a, b] = [this.#valueOrText(left, formula), this.#valueOrText(right, formula)];
      const both = [left, right].flatMap((side, k) =>
        isTextConstant(side) ? [] : [`typeof ${[a, b][k]!}==='string'`],
      );
      this.#branch(
        `${[...both, `${a}${by}${b}`].join('&&')}`,
        both.length === 0 ? 'true' : both.join('&&'),
        yes,
        no,
        unsure,
      );
    } else {
      const [a, b] = [this.#simple(left, formula), this.#simple(right, formula)];
      this.#branch(`${a}${by}${b}`, `${a}${OPPOSITE[by]}${b}`, yes, no, unsure);
    }
  }

  /** A number that costs nothing to use twice. */
  #simple(tree: CheckedNode, formula: RowFormula): string {
    const number = this.#number(tree, formula);
    return tree.op === 'constant' ? number : this.#variable(number);
  }

  #valueOrText(tree: CheckedNode, formula: RowFormula): string {
    return isTextConstant(tree) ? this.names.slot(tree.value) : this.#value(tree, formula);
  }

  #equal(left: CheckedNode, right: CheckedNode, formula: RowFormula, yes: string, no: string, unsure: string): void {
    const [constant, other] = left.op === 'constant' ? [left, right] : [right, left];
    if (constant.op === 'constant' && (typeof constant.value === 'string' || typeof constant.value === 'boolean')) {
      const value = this.#value(other, formula);
      const wanted = typeof constant.value === 'string' ? this.names.slot(constant.value) : String(constant.value);
      this.#branch(`${value}===${wanted}`, `typeof ${value}==='${typeof constant.value}'`, yes, no, unsure);
      return;
    }
    if (isNumeric(left) || isNumeric(right)) {
      const [a, b] = [this.#simple(left, formula), this.#simple(right, formula)];
      this.#branch(`${a}===${b}`, `${a}<${b}||${a}>${b}`, yes, no, unsure);
      return;
    }
    const [a, b] = [this.#value(left, formula), this.#value(right, formula)];
    const alike = `typeof ${a}===typeof ${b}&&(typeof ${a}==='string'||typeof ${a}==='number'||typeof ${a}==='boolean')`;
    this.#branch(`${a}===${b}&&${alike}`, alike, yes, no, unsure);
  }

  #in(left: CheckedNode, right: CheckedNode, formula: RowFormula, yes: string, no: string, unsure: string): void {
    const texts = textsOf(right);
    if (!texts || left.op === 'constant') {
      const value = this.#atom({ op: 'binary', by: 'in', left, right, type: 'bool' }, formula, (name) => name);
      this.#branch(`${value}===true`, `${value}===false`, yes, no, unsure);
      return;
    }
    const value = this.#value(left, formula);
    const found =
      texts.length <= MOST_COMPARED
        ? texts.map((text) => `${value}===${this.names.slot(text)}`).join('||') || 'false'
        : `${this.names.slot(new Set(texts))}.has(${value})`;
    this.#branch(`typeof ${value}==='string'&&(${found})`, `typeof ${value}==='string'`, yes, no, unsure);
  }

  /** The value of a part that has no text, by its closure. */
  #atom(tree: CheckedNode, formula: RowFormula, use: (name: string) => string): string {
    const { finite, bindings } = formula;
    if (finite || tree === formula.tree || !hasFiniteWork(tree)) throw new NoText();
    const { candidate, index } = this.source;
    const evaluate = compile(tree, bindings, { source: '', place: undefined });
    return use(
      this.#variable(`${this.names.slot(evaluate)}(${candidate},${index})`, `closure ${this.names.slot(evaluate)}`),
    );
  }
}

/** A formula without variables. */
const NO_FORMULA: RowFormula = {
  tree: { op: 'constant', value: undefined, type: 'dyn' },
  bindings: {},
  finite: false,
  children: new Map(),
};

/** A path that a formula reads as a number. If `needed`, the formula is absent if the number is absent. */
interface NumberRead {
  readonly path: CheckedNode;
  readonly needed: boolean;
}

/** The numbers that a formula reads; undefined if it reads anything else, or if an absent number may fail. */
function numbersNeeded(tree: CheckedNode, needed = true): readonly NumberRead[] | undefined {
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

const isComparison = (tree: CheckedNode): boolean =>
  tree.op === 'binary' && tree.by !== 'in' && tree.by !== '%' && tree.by !== '==' && tree.by !== '!=';

const numberOrNaN = (value: string): string => `(typeof ${value}==='number'?${value}:NaN)`;

type KeyStep = Extract<PathStep, { kind: 'key' }>;
type CandidatePath = Extract<CheckedNode, { op: 'path' }>;

const isCandidatePath = (tree: CheckedNode): tree is CandidatePath =>
  tree.op === 'path' && tree.of.op === 'variable' && tree.of.name === CANDIDATE_VARIABLE;

/** Whether a field of an object can be read by its name in the text. */
export const isPlainName = (key: string): boolean => IDENTIFIER.test(key) && !mayBeInherited(key);

const isPlainKey = (step: PathStep): boolean => step.kind === 'key' && isPlainName(step.key);

/** The most texts of a list that are compared one by one. */
const MOST_COMPARED = 4;

const OPPOSITE = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const;

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
const callText = ({ name, args }: Extract<CheckedNode, { op: 'call' }>) =>
  Object.hasOwn(CALLS, name) && (args.length > 1 || BUILTINS.get(name)?.variadic !== true) ? CALLS[name] : undefined;

const isTextConstant = (tree: CheckedNode): tree is CheckedNode & { readonly value: string } =>
  tree.op === 'constant' && typeof tree.value === 'string';

/** Whether a node surely computes a number if it computes anything. */
const isNumeric = (tree: CheckedNode): boolean =>
  tree.type === 'number' && tree.op !== 'path' && tree.op !== 'variable' && tree.op !== 'default';

/** The texts of a list of constants; undefined if it is another list. */
function textsOf(tree: CheckedNode): readonly string[] | undefined {
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
function numberOfDate(value: unknown): number {
  const read = value instanceof Date ? asRead(value) : undefined;
  return typeof read === 'number' ? read : Number.NaN;
}

/** The milliseconds of a time; NaN if it is absent or not a time. */
function millisOf(value: unknown): number {
  if (value === undefined || value === null) return Number.NaN;
  try {
    return toMillis(value);
  } catch {
    return Number.NaN;
  }
}

const readers = new WeakMap<readonly PathStep[], (from: unknown) => unknown>();

function readerOf(steps: readonly PathStep[]): (from: unknown) => unknown {
  const reader = readers.get(steps) ?? compileSteps(steps);
  readers.set(steps, reader);
  return reader;
}

/** The variables that have one value in a whole run. */
const RUN_VARIABLES: ReadonlySet<string> = new Set(['now', 'context', 'signals']);

/** Reads a variable of the run, or a path into it. */
function runReader(tree: CheckedNode, bindings: VariableBindings): () => unknown {
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
