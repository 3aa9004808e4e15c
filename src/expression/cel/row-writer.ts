import type { VariableBindings } from '../scope.js';
import type { CheckedNode } from './checked-node.js';
import { isCandidatePath, isPlainKey, type KeyStep, NoText, readerOf, runReader } from './text-grammar.js';

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
}

/** Where a function has its rows from. */
export interface RowSource {
  /** The text that reads a field of the current row; undefined if only a reader of the candidate can. */
  readonly field: (key: string) => FieldText | undefined;
  /** The text of the candidate, and of the index that closures receive. */
  readonly candidate: string;
  readonly index: string;
}

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

  /** A variable with the value of a field, or of a variable of the run. Undefined and null mean absent; a Date is not converted. */
  protected value(tree: CheckedNode, formula: RowFormula): string {
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
