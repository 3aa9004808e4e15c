import {
  type CheckedNode,
  isCandidatePath,
  isComparison,
  isNumeric,
  isTextConstant,
  readsAny,
  textsOf,
} from './checked-node.js';
import { compileClosures } from './compiler.js';
import {
  type Answer,
  type RowChild,
  type RowFormula,
  RowWriter,
  callsClosure,
  callText,
  hasFiniteWork,
  millisOf,
  MOST_COMPARED,
  NoText,
  numberOfDate,
  numberOrNaN,
  numbersNeeded,
  OPPOSITE,
  UNREADABLE,
} from './row-writer.js';

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

/** Writes the expressions that one function evaluates on each row. */
export class RowText extends RowWriter {
  /** An expression of the number that a formula computes, NaN if its closure must decide; undefined if it has no text. */
  number(formula: RowFormula): string | undefined {
    return this.orNothing(() => {
      this.#children(formula);
      return this.#number(formula.tree, formula);
    });
  }

  /**
   * A test of a formula. One of these statements is executed: `yes`, `no`, or `unsure` if its closure must decide.
   * Undefined if it has no text.
   */
  test(formula: RowFormula, yes: string, no: string, unsure: string): string | undefined {
    return this.orNothing(() => {
      this.#test(formula.tree, formula, yes, no, unsure);
      return this.taken();
    });
  }

  /**
   * A test that a formula is absent because a field that it needs is absent. If it does not hold, the formula may be
   * absent for another reason. Undefined if it has no such test.
   */
  absent(formula: RowFormula): string | undefined {
    return this.orNothing(() => this.#absent(formula.tree, formula));
  }

  #absent(tree: CheckedNode, formula: RowFormula): string | undefined {
    if (tree.op === 'choose') return this.#numberAbsent([tree], formula) ?? this.#absent(tree.cases[0]![0], formula);
    if (tree.type === 'number' || tree.type === 'dyn') return this.#numberAbsent([tree], formula);
    switch (tree.op) {
      case 'not':
        return this.#absent(tree.of, formula);
      case 'chain': {
        const parts = tree.parts.map((part) => this.#absent(part, formula));
        return parts.every((part) => part !== undefined) ? parts.map((part) => `(${part})`).join('&&') : undefined;
      }
      case 'binary': {
        if (isComparison(tree)) return this.#numberAbsent([tree.left, tree.right], formula);
        // The other values that equality and `in` compare with a constant have no wrong type.
        const [side, other] = tree.left.op === 'constant' ? [tree.right, tree.left] : [tree.left, tree.right];
        const isConstant = other.op === 'constant' || textsOf(other) !== undefined;
        return isConstant && isCandidatePath(side) ? this.#presence(side, formula).absent : undefined;
      }
      default:
        return undefined;
    }
  }

  /** A test that a number is absent. Another value in place of a number may be an error, so all others must be numbers. */
  #numberAbsent(trees: readonly CheckedNode[], formula: RowFormula): string | undefined {
    const paths = trees.map((tree) => numbersNeeded(tree));
    if (!paths.every((one) => one !== undefined)) return undefined;
    const read = paths.flat().map(({ path, needed }) => ({ needed, ...this.#presence(path, formula) }));
    const absent = read.flatMap((one) => (one.needed && one.absent !== undefined ? one.absent : []));
    if (absent.length === 0) return undefined;
    return [`(${absent.join('||')})`, ...read.flatMap(({ valid }) => valid ?? [])].join('&&');
  }

  /** A variable with the value of a formula that is a field or a value of the run; undefined if it is another formula. */
  read(formula: RowFormula): string | undefined {
    return this.orNothing(() => this.value(formula.tree, formula));
  }

  /** Tests of a path: whether it is absent, and whether it is absent or a number. Undefined if the answer is always the same. */
  #presence(path: CheckedNode, { finite }: RowFormula): { absent: string | undefined; valid: string | undefined } {
    const field = this.field(path);
    if (field?.isNumber) {
      const isFinite = `${field.value}-${field.value}===0`;
      const valid = finite ? (field.absent === undefined ? isFinite : `(${field.absent}||${isFinite})`) : undefined;
      return { absent: field.absent, valid };
    }
    if (!isCandidatePath(path)) throw new NoText();
    // The test is rare, so a field is read again where it has no variable.
    const value = field ? (this.known(field.value) ?? field.value) : this.value(path, NO_FORMULA);
    const isNumber = finite ? `typeof ${value}==='number'&&${value}-${value}===0` : `typeof ${value}==='number'`;
    const absent = `${value}===undefined||${value}===null`;
    return { absent, valid: `(${absent}||${isNumber})` };
  }

  #number(tree: CheckedNode, formula: RowFormula): string {
    switch (tree.op) {
      case 'constant':
        if (typeof tree.value === 'number') return this.names.slot(tree.value);
        throw new NoText();
      case 'path':
      case 'variable':
        return this.#read(tree, formula);
      case 'let': {
        const key = `let ${tree.name} ${String(formula.finite)}`;
        return this.known(key) ?? this.variable(this.#number(tree.of, formula), key);
      }
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

  #arithmetic(tree: Extract<CheckedNode, { op: 'chain' | 'binary' }>, formula: RowFormula): string {
    if (!['+', '-', '*', '/', '%'].includes(tree.by) || (tree.type !== 'number' && tree.type !== 'dyn'))
      throw new NoText();
    const parts = tree.op === 'chain' ? tree.parts : [tree.left, tree.right];
    return parts.map((part) => this.#number(part, formula)).reduce((left, right) => `(${left}${tree.by}${right})`);
  }

  /** A number that is read: from a field, a variable of the run, or the score of a child. */
  #read(tree: CheckedNode, formula: RowFormula): string {
    if (tree.op === 'variable') {
      const name = tree.field === undefined ? tree.name : `${tree.name}.${tree.field}`;
      const local = formula.locals?.get(name);
      if (local !== undefined) return local;
      const child = formula.children.get(name);
      if (child) return this.#finite(this.#child(child)); // a score is finite: the closure applies `on_error`
    }
    const field = this.field(tree);
    if (field?.isNumber) {
      if (field.absent === undefined && !formula.finite) return field.value;
      const value = field.absent === undefined ? field.value : `(${field.absent}?NaN:${field.value})`;
      return formula.finite ? this.#finite(this.variable(value)) : this.variable(value);
    }
    const value = this.value(tree, formula);
    const number = this.variable(`typeof ${value}==='number'?${value}:${this.names.slot(numberOfDate)}(${value})`);
    return formula.finite ? this.#finite(number) : number;
  }

  #finite(number: string): string {
    return this.variable(`${number}-${number}===0?${number}:NaN`);
  }

  /** Computes the scores that a unit's formula reads, each once: every unit evaluates all its children. */
  #children({ finite, children }: RowFormula): void {
    if (finite) for (const child of children.values()) this.#child(child);
  }

  #child(child: RowChild): string {
    const key = `child ${this.names.slot(child)}`;
    const known = this.known(key);
    if (known !== undefined) return known;
    const score = this.#childScore(child);
    if (!child.range) return this.variable(score, key);
    const [least, most] = child.range.map((bound) => this.names.slot(bound));
    return this.variable(`${score}>=${least}&&${score}<=${most}?${score}:NaN`, key);
  }

  #childScore({ formula, onAbsent }: RowChild): string {
    this.#children(formula);
    if (onAbsent === undefined) return this.variable(this.#number(formula.tree, formula));
    const path = formula.tree;
    if (path.op !== 'path') return this.variable(this.#number(path, formula));
    return this.#orElse(path, formula, this.names.slot(onAbsent));
  }

  #call(tree: Extract<CheckedNode, { op: 'call' }>, formula: RowFormula): string {
    const { name, args } = tree;
    const [first] = args;
    if (name === 'timestamp' && first) return this.#time(first, formula);
    const write = callText(tree);
    if (!write) return this.#atom(tree, formula, numberOrNaN);
    const numbers = args.map((arg) => this.#number(arg, formula));
    if (name === 'pow') numbers[0] = this.variable(numbers[0]!);
    return write(...numbers);
  }

  /** The milliseconds of a time. A number is read as it is, a text is parsed. */
  #time(of: CheckedNode, formula: RowFormula): string {
    if (of.op !== 'path' || this.field(of)?.isNumber) return this.#number(of, { ...formula, finite: true });
    const value = this.value(of, formula);
    return this.variable(
      `typeof ${value}==='number'&&${value}-${value}===0?${value}:${this.names.slot(millisOf)}(${value})`,
    );
  }

  #choose(tree: Extract<CheckedNode, { op: 'choose' }>, formula: RowFormula): string {
    const found = this.numberPerValue(tree, formula);
    if (found !== undefined) return found;
    const { cases, otherwise } = tree;
    const result = this.names.fresh();
    const text = this.written(() => {
      this.block((end) => {
        for (const [test, then] of cases) {
          this.block((next) => {
            this.#test(test, formula, '', next, end);
            const value = this.#number(then, formula);
            this.write(`${result}=${value};${end}`);
          });
        }
        const value = this.#number(otherwise, formula);
        this.write(`${result}=${value};`);
      });
    });
    this.append(`let ${result}=NaN;${text}`);
    return result;
  }

  #default({ of, otherwise }: Extract<CheckedNode, { op: 'default' }>, formula: RowFormula): string {
    if (of.op !== 'path' || callsClosure(otherwise)) throw new NoText();
    return this.#orElse(of, formula, this.#number(otherwise, formula));
  }

  /** A field's number; another number if it is absent. */
  #orElse(path: CheckedNode, formula: RowFormula, otherwise: string): string {
    const field = this.field(path);
    if (field?.isNumber) {
      const number = formula.finite ? `(${field.value}-${field.value}===0?${field.value}:NaN)` : field.value;
      return field.absent === undefined ? number : this.variable(`${field.absent}?${otherwise}:${number}`);
    }
    const value = this.value(path, formula);
    const finite = formula.finite ? `&&${value}-${value}===0` : '';
    const other = `${value}===undefined||${value}===null?${otherwise}:${this.names.slot(numberOfDate)}(${value})`;
    return this.variable(`typeof ${value}==='number'${finite}?${value}:${other}`);
  }

  #test(tree: CheckedNode, formula: RowFormula, yes: string, no: string, unsure: string): void {
    switch (tree.op) {
      case 'constant':
        this.write(tree.value === true ? yes : tree.value === false ? no : unsure);
        return;
      case 'not':
        this.#test(tree.of, formula, no, yes, unsure);
        return;
      case 'let':
        this.#test(tree.of, formula, yes, no, unsure);
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
        const value = this.value(tree, formula);
        this.branch(`${value}===true`, `${value}===false`, yes, no, unsure);
        return;
      }
      default:
        this.#testOf(tree, formula, yes, no, unsure);
    }
  }

  #has(of: CheckedNode, formula: RowFormula, yes: string, no: string, unsure: string): void {
    if (of.op === 'variable' && formula.children.has(of.name)) {
      const score = this.variable(this.#read(of, formula));
      this.write(`if(${score}===${score}){${yes}}else{${unsure}}`);
      return;
    }
    if (of.op !== 'path' && of.op !== 'variable') throw new NoText();
    const field = this.field(of);
    if (field?.isNumber) {
      this.write(field.absent === undefined ? yes : `if(${field.absent}){${no}}else{${yes}}`);
      return;
    }
    const value = this.value(of, formula);
    const isKnown = isCandidatePath(of) ? 'true' : `${value}!==${this.names.slot(UNREADABLE)}`;
    this.branch(`${value}===undefined||${value}===null`, isKnown, no, yes, unsure);
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
    // A closure may throw: what it computes stays behind the tests that may decide first.
    const writePart = (part: CheckedNode, onYes: string, onNo: string): void => {
      const test = (): void => this.#test(part, formula, onYes, onNo, unsure);
      if (part !== tree.parts[0] && callsClosure(part)) this.block(test);
      else test();
    };
    const write = (early: string): void => {
      for (const part of tree.parts.slice(0, -1)) writePart(part, isAnd ? '' : early, isAnd ? early : '');
      writePart(tree.parts.at(-1)!, yes, no);
    };
    const early = isAnd ? no : yes;
    if (early === '') this.block(write);
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
      this.branch([...both, `${a}${by}${b}`].join('&&'), both.length === 0 ? 'true' : both.join('&&'), yes, no, unsure);
    } else {
      const [a, b] = [this.#simple(left, formula), this.#simple(right, formula)];
      this.branch(`${a}${by}${b}`, `${a}${OPPOSITE[by]}${b}`, yes, no, unsure);
    }
  }

  /** A number that costs nothing to use twice. */
  #simple(tree: CheckedNode, formula: RowFormula): string {
    const number = this.#number(tree, formula);
    return tree.op === 'constant' ? number : this.variable(number);
  }

  #valueOrText(tree: CheckedNode, formula: RowFormula): string {
    return isTextConstant(tree) ? this.names.slot(tree.value) : this.value(tree, formula);
  }

  #equal(left: CheckedNode, right: CheckedNode, formula: RowFormula, yes: string, no: string, unsure: string): void {
    const [constant, other] = left.op === 'constant' ? [left, right] : [right, left];
    if (constant.op === 'constant' && (typeof constant.value === 'string' || typeof constant.value === 'boolean')) {
      const isEqual = equalTo(constant.value);
      const answer = this.answer(other, isEqual);
      if (answer !== undefined) {
        this.branch(`${answer}===1`, `${answer}===0`, yes, no, unsure);
        return;
      }
      const value = this.value(other, formula);
      const wanted = typeof constant.value === 'string' ? this.names.slot(constant.value) : String(constant.value);
      this.branch(`${value}===${wanted}`, `typeof ${value}==='${typeof constant.value}'`, yes, no, unsure);
      return;
    }
    if (isNumeric(left) || isNumeric(right)) {
      const [a, b] = [this.#simple(left, formula), this.#simple(right, formula)];
      this.branch(`${a}===${b}`, `${a}<${b}||${a}>${b}`, yes, no, unsure);
      return;
    }
    const [a, b] = [this.value(left, formula), this.value(right, formula)];
    const alike = `typeof ${a}===typeof ${b}&&(typeof ${a}==='string'||typeof ${a}==='number'||typeof ${a}==='boolean')`;
    this.branch(`${a}===${b}&&${alike}`, alike, yes, no, unsure);
  }

  #in(left: CheckedNode, right: CheckedNode, formula: RowFormula, yes: string, no: string, unsure: string): void {
    const texts = textsOf(right);
    if (!texts || left.op === 'constant') {
      this.#testOf({ op: 'binary', by: 'in', left, right, type: 'bool' }, formula, yes, no, unsure);
      return;
    }
    const set = new Set<unknown>(texts);
    const answer = this.answer(left, (one) => (typeof one === 'string' ? (set.has(one) ? 1 : 0) : 2));
    if (answer !== undefined) {
      this.branch(`${answer}===1`, `${answer}===0`, yes, no, unsure);
      return;
    }
    const value = this.value(left, formula);
    const found =
      texts.length <= MOST_COMPARED
        ? texts.map((text) => `${value}===${this.names.slot(text)}`).join('||') || 'false'
        : `${this.names.slot(set)}.has(${value})`;
    this.branch(`typeof ${value}==='string'&&(${found})`, `typeof ${value}==='string'`, yes, no, unsure);
  }

  /** The value of a part that has no text, by its closure. */
  #atom(tree: CheckedNode, formula: RowFormula, use: (name: string) => string): string {
    return use(this.variable(this.#callOf(tree, formula)));
  }

  /** The call of the closure of a part. A closure cannot read the variables of the function. */
  #callOf(tree: CheckedNode, formula: RowFormula): string {
    const { finite, bindings, locals } = formula;
    if (finite || tree === formula.tree || !hasFiniteWork(tree)) throw new NoText();
    if (locals && readsAny(tree, locals)) throw new NoText();
    const evaluate = compileClosures(tree, bindings, { source: '', place: undefined });
    return `${this.names.slot(evaluate)}(${this.source.candidate},${this.source.index})`;
  }

  /** A test by the closure of a part. Where it is written, since it may throw and a test before it may decide. */
  #testOf(tree: CheckedNode, formula: RowFormula, yes: string, no: string, unsure: string): void {
    const value = this.names.fresh();
    this.write(`const ${value}=${this.#callOf(tree, formula)};`);
    this.branch(`${value}===true`, `${value}===false`, yes, no, unsure);
  }
}

const equalTo =
  (constant: string | boolean) =>
  (value: unknown): Answer =>
    value === constant ? 1 : typeof value === typeof constant ? 0 : 2;

/** A formula without variables. */
const NO_FORMULA: RowFormula = {
  tree: { op: 'constant', value: undefined, type: 'dyn' },
  bindings: {},
  finite: false,
  children: new Map(),
};
