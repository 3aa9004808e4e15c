import type { BoundExpression } from '../expression.js';
import { closureReader, compileSteps } from '../path/compile-steps.js';
import { CANDIDATE_VARIABLE, type VariableBindings } from '../scope.js';
import * as arithmetic from './arithmetic.js';
import { BUILTINS } from './builtins.js';
import { type BinaryOp, type ChainOp, type CheckedNode, type Local, partsOf } from './checked-node.js';
import { binaryClosure, ternaryClosure, unaryClosure } from './closure.js';
import * as collection from './collection.js';
import * as comparison from './comparison.js';
import { compileCall } from './compile-call.js';
import { compileMacro, type LocalSlot } from './compile-macro.js';
import { compileVariable } from './compile-variable.js';
import { EXACT_OPERATORS, foldChain } from './exact-operators.js';
import * as logic from './logic.js';
import * as numeric from './numeric.js';
import { isArithmetic, isNumericFirst, isNumericOp, isOrder } from './numeric-nodes.js';
import { evaluatedAgain, type Operand, rememberedOperand } from './operand.js';

/** So many paths of an expression have a reader with a text of its own, which takes long to make; any more share one. */
const MAX_OWN_READERS = 100;

/** Compiles the nodes of one expression, each once. */
export class Compiler {
  /** Whether the work may exceed any bound: in a macro, and with texts that grow. */
  countsSteps = false;
  #readers = 0;
  /** How many macros are around what is being compiled. */
  #macros = 0;
  readonly #slots = new Map<Local, LocalSlot>();
  /** The exact closure of each node, which its numeric closure uses again: readers are costly to make. */
  readonly #exactClosures = new Map<CheckedNode, BoundExpression>();
  readonly #operands = new Map<CheckedNode, Operand>();
  readonly #numericInside = new Map<CheckedNode, boolean>();

  constructor(readonly bindings: VariableBindings) {}

  /** The closure that runs: on bare numbers where a number is computed. */
  compile(tree: CheckedNode): BoundExpression {
    if (isArithmetic(tree)) {
      const exact = this.#exactAgain(tree);
      return unaryClosure(
        (a: numeric.NumericClosure) => numeric.numberOrExact(a, exact),
        this.#numeric(tree),
        numeric.numberOrExact,
      );
    }
    if (tree.op !== 'binary' || !isOrder(tree.by) || !isNumericFirst(tree)) return this.#exact(tree);
    const exact = binaryClosure(EXACT_OPERATORS[tree.by], this.#exactAgain(tree.left), this.#exactAgain(tree.right));
    return numeric.ORDER[tree.by](this.#numeric(tree.left), this.#numeric(tree.right), exact);
  }

  /**
   * The exact closure of a node whose numeric one gave NaN just now. An operand in which numbers are computed in turn is
   * not evaluated again: each level of nesting would double the work.
   */
  #exactAgain(tree: CheckedNode): BoundExpression {
    if (!isArithmetic(tree)) return this.#operand(tree).again;
    if (tree.op === 'negate') return unaryClosure(arithmetic.negate, this.#exactAgain(tree.of));
    if (tree.op === 'binary') {
      return binaryClosure(EXACT_OPERATORS[tree.by], this.#exactAgain(tree.left), this.#exactAgain(tree.right));
    }
    if (tree.op === 'chain')
      return foldChain(
        tree.by,
        tree.parts.map((part) => this.#exactAgain(part)),
      );
    if (tree.op === 'choose') {
      return tree.cases.reduceRight(
        (otherwise, [test, then]) =>
          ternaryClosure(logic.choose, this.#operand(test).again, this.#exactAgain(then), otherwise),
        this.#exactAgain(tree.otherwise),
      );
    }
    return tree.op === 'call'
      ? compileCall(
          tree.name,
          tree.args.map((arg) => this.#exactAgain(arg)),
        )
      : this.#exact(tree);
  }

  /** An operand is remembered only where evaluating it twice would cost more than to remember it. */
  #operand(tree: CheckedNode): Operand {
    const made = this.#operands.get(tree) ?? this.#makeOperand(tree);
    this.#operands.set(tree, made);
    return made;
  }

  #makeOperand(tree: CheckedNode): Operand {
    const evaluate = this.compile(tree);
    return this.#computesInside(tree) ? rememberedOperand(evaluate) : evaluatedAgain(evaluate);
  }

  /** Whether a node, or one inside it, is compiled to bare numbers first. */
  #computesInside(tree: CheckedNode): boolean {
    const known =
      this.#numericInside.get(tree) ??
      (isNumericFirst(tree) || partsOf(tree).some((part) => this.#computesInside(part)));
    this.#numericInside.set(tree, known);
    return known;
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
        return binaryClosure(this.#operator(tree.by), this.#exact(tree.left), this.#exact(tree.right));
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
        this.countsSteps ||= BUILTINS.get(tree.name)?.grows === true;
        return compileCall(
          tree.name,
          tree.args.map((arg) => this.#exact(arg)),
        );
      case 'macro':
        return this.#macro(tree);
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
    if (!isArithmetic(tree)) return numeric.numberOf(this.#operand(tree).first);
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
        (otherwise, [test, then]) =>
          ternaryClosure(numeric.choose, this.#operand(test).first, this.#numeric(then), otherwise),
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

  #macro({ name, list, local, body }: Extract<CheckedNode, { op: 'macro' }>): BoundExpression {
    this.countsSteps = true;
    this.#macros += 1;
    const parts = {
      list: this.compile(list),
      slot: this.#slot(local),
      test: body.test && this.compile(body.test),
      value: body.value && this.compile(body.value),
    };
    this.#macros -= 1;
    return compileMacro(name, parts);
  }

  #operator(by: BinaryOp): (typeof EXACT_OPERATORS)[BinaryOp] {
    if (this.#macros > 0 && by === '==') return comparison.equalInMacro;
    return this.#macros > 0 && by === '!=' ? comparison.unequalInMacro : EXACT_OPERATORS[by];
  }

  #path({ of, steps }: Extract<CheckedNode, { op: 'path' }>): BoundExpression {
    this.#readers += 1;
    const read = this.#readers > MAX_OWN_READERS ? compileSteps(steps, closureReader) : compileSteps(steps);
    // The candidate is the first argument already: its reader is the whole closure.
    if (of.op === 'variable' && of.name === CANDIDATE_VARIABLE && this.bindings[CANDIDATE_VARIABLE] === undefined)
      return read;
    const holder = this.compile(of);
    return (c, i) => read(holder(c, i));
  }

  #chain(by: ChainOp, parts: readonly CheckedNode[]): BoundExpression {
    return foldChain(
      by,
      parts.map((part) => (isNumericOp(by) ? this.#exact(part) : this.compile(part))),
    );
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
