import type { BoundExpression } from '../expression.js';
import { compileSteps } from '../path/compile-steps.js';
import { CANDIDATE_VARIABLE, type VariableBindings } from '../scope.js';
import * as arithmetic from './arithmetic.js';
import { BUILTINS } from './builtins.js';
import type { BinaryOp, ChainOp, CheckedNode, Local } from './checked-node.js';
import { binaryClosure, ternaryClosure, unaryClosure } from './closure.js';
import * as collection from './collection.js';
import * as comparison from './comparison.js';
import { compileCall } from './compile-call.js';
import { compileMacro, type LocalSlot } from './compile-macro.js';
import { compileVariable } from './compile-variable.js';
import * as logic from './logic.js';
import * as numeric from './numeric.js';

const EXACT_OPERATORS: Readonly<
  Record<BinaryOp | ChainOp, (a: BoundExpression, b: BoundExpression) => BoundExpression>
> = {
  '==': comparison.equal,
  '!=': comparison.unequal,
  '<': comparison.less,
  '<=': comparison.lessOrEqual,
  '>': comparison.greater,
  '>=': comparison.greaterOrEqual,
  in: comparison.isIn,
  '+': arithmetic.add,
  '-': arithmetic.subtract,
  '*': arithmetic.multiply,
  '/': arithmetic.divide,
  '%': arithmetic.remainder,
  '&&': logic.and,
  '||': logic.or,
};

const isNumericOp = (by: BinaryOp | ChainOp): by is keyof typeof numeric.ARITHMETIC =>
  Object.hasOwn(numeric.ARITHMETIC, by);
const isOrder = (by: BinaryOp | ChainOp): by is keyof typeof numeric.ORDER => Object.hasOwn(numeric.ORDER, by);

/** Whether a node computes a number, and so may be compiled to bare numbers. */
function isArithmetic(tree: CheckedNode): boolean {
  if (tree.op === 'negate') return true;
  if (tree.op === 'chain' || tree.op === 'binary') {
    return isNumericOp(tree.by) && (tree.type === 'number' || tree.type === 'dyn');
  }
  if (tree.op === 'call') return BUILTINS.get(tree.name)?.numeric?.takes === tree.args.length;
  return tree.op === 'choose' && tree.type === 'number';
}

/** Compiles a checked expression to closures over the bindings of its variables. */
export const compile = (tree: CheckedNode, bindings: VariableBindings): BoundExpression =>
  new Compiler(bindings).compile(tree);

class Compiler {
  readonly #slots = new Map<Local, LocalSlot>();
  /** The exact closure of each node, which its numeric closure uses again: readers are costly to make. */
  readonly #exactClosures = new Map<CheckedNode, BoundExpression>();

  constructor(readonly bindings: VariableBindings) {}

  /** The closure that runs: on bare numbers where a number is computed. */
  compile(tree: CheckedNode): BoundExpression {
    const exact = this.#exact(tree);
    if (isArithmetic(tree))
      return unaryClosure(
        (a: numeric.NumericClosure) => numeric.numberOrExact(a, exact),
        this.#numeric(tree),
        numeric.numberOrExact,
      );
    if (tree.op !== 'binary' || !isOrder(tree.by)) return exact;
    if (!isArithmetic(tree.left) && !isArithmetic(tree.right)) return exact;
    return numeric.ORDER[tree.by](this.#numeric(tree.left), this.#numeric(tree.right), exact);
  }

  #exact(tree: CheckedNode): BoundExpression {
    const made = this.#exactClosures.get(tree) ?? this.#make(tree);
    this.#exactClosures.set(tree, made);
    return made;
  }

  #make(tree: CheckedNode): BoundExpression {
    switch (tree.op) {
      case 'constant': {
        const { value } = tree;
        return () => value;
      }
      case 'variable':
        return compileVariable(this.bindings, tree.name, tree.field);
      case 'local': {
        const slot = this.#slot(tree.local);
        return () => slot.value;
      }
      case 'path':
        return this.#path(tree);
      case 'index':
        return binaryClosure(collection.elementOf, this.compile(tree.of), this.compile(tree.key));
      case 'chain':
        return this.#chain(tree.by, tree.parts);
      case 'binary':
        return binaryClosure(EXACT_OPERATORS[tree.by], this.#exact(tree.left), this.#exact(tree.right));
      case 'not':
        return unaryClosure(logic.not, this.compile(tree.of));
      case 'negate':
        return unaryClosure(arithmetic.negate, this.#exact(tree.of));
      case 'has':
        return unaryClosure(logic.hasValue, this.compile(tree.of));
      case 'choose':
        return tree.cases.reduceRight(
          (otherwise, [test, then]) => ternaryClosure(logic.choose, this.compile(test), this.compile(then), otherwise),
          this.compile(tree.otherwise),
        );
      case 'default':
        return binaryClosure(logic.orDefault, this.compile(tree.of), this.compile(tree.otherwise));
      case 'list':
        return collection.list(tree.parts.map((part) => this.compile(part)));
      case 'map':
        return collection.map(tree.entries.map(([key, value]) => [this.compile(key), this.compile(value)] as const));
      case 'call':
        return compileCall(
          tree.name,
          tree.args.map((arg) => this.#exact(arg)),
        );
      case 'macro':
        return compileMacro(tree.name, {
          list: this.compile(tree.list),
          slot: this.#slot(tree.local),
          test: tree.body.test && this.compile(tree.body.test),
          value: tree.body.value && this.compile(tree.body.value),
        });
      default:
        return unreachable(tree);
    }
  }

  /** The closure of the value as a bare number; NaN where it is none. */
  #numeric(tree: CheckedNode): numeric.NumericClosure {
    if (tree.op === 'constant' && typeof tree.value === 'number') {
      const { value } = tree;
      return () => value;
    }
    if (!isArithmetic(tree)) return numeric.numberOf(this.#exact(tree));
    if (tree.op === 'negate') return unaryClosure(numeric.negate, this.#numeric(tree.of));
    if (tree.op === 'binary' && isNumericOp(tree.by)) {
      return binaryClosure(numeric.ARITHMETIC[tree.by], this.#numeric(tree.left), this.#numeric(tree.right));
    }
    if (tree.op === 'chain' && isNumericOp(tree.by)) {
      const make = numeric.ARITHMETIC[tree.by];
      return tree.parts.map((part) => this.#numeric(part)).reduce((left, right) => binaryClosure(make, left, right));
    }
    if (tree.op === 'choose') {
      return tree.cases.reduceRight(
        (otherwise, [test, then]) => ternaryClosure(numeric.choose, this.compile(test), this.#numeric(then), otherwise),
        this.#numeric(tree.otherwise),
      );
    }
    return tree.op === 'call' ? this.#numericCall(tree.name, tree.args) : numeric.numberOf(this.#exact(tree));
  }

  #numericCall(name: string, args: readonly CheckedNode[]): numeric.NumericClosure {
    const [a, b, c] = args.map((arg) => this.#numeric(arg));
    const form = BUILTINS.get(name)?.numeric;
    if (form?.takes === 1 && a) return unaryClosure(numeric.callUnary(form.f), a, numeric.callUnary);
    if (form?.takes === 2 && a && b) return binaryClosure(numeric.callBinary(form.f), a, b, numeric.callBinary);
    if (form?.takes === 3 && a && b && c)
      return ternaryClosure(numeric.callTernary(form.f), a, b, c, numeric.callTernary);
    throw new TypeError(`${name}() does not compute on bare numbers`);
  }

  #path({ of, steps }: Extract<CheckedNode, { op: 'path' }>): BoundExpression {
    const read = compileSteps(steps);
    // The candidate is the first argument already: its reader is the whole closure.
    if (of.op === 'variable' && of.name === CANDIDATE_VARIABLE && this.bindings[CANDIDATE_VARIABLE] === undefined)
      return read;
    const holder = this.compile(of);
    return (c, i) => read(holder(c, i));
  }

  /** Folds from the left, as arithmetic must be. */
  #chain(by: ChainOp, parts: readonly CheckedNode[]): BoundExpression {
    const compiled = parts.map((part) => (isNumericOp(by) ? this.#exact(part) : this.compile(part)));
    return compiled.reduce((left, right) => binaryClosure(EXACT_OPERATORS[by], left, right));
  }

  #slot(local: Local): LocalSlot {
    const slot = this.#slots.get(local) ?? { value: undefined };
    this.#slots.set(local, slot);
    return slot;
  }
}

const unreachable = (tree: never): never => {
  throw new TypeError(`no such node: ${JSON.stringify(tree)}`);
};
