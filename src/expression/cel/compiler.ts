import {
  type BoundExpression,
  CANDIDATE_VARIABLE,
  type ExpressionOrigin,
  type VariableBinding,
  type VariableBindings,
} from '../scope.js';
import { closureReader, compileSteps } from '../compile-path.js';
import { asRead } from '../path.js';
import { BUILTINS, LIST_BUILTINS } from './builtins.js';
import { type BinaryOp, type ChainOp, type CheckedNode, type Local, partsOf } from './checked-node.js';
import {
  binaryClosure,
  compileMacro,
  EXACT_OPERATORS,
  foldChain,
  type LocalSlot,
  ternaryClosure,
  unaryClosure,
  isArithmetic,
  isNumericFirst,
  isNumericOp,
  isOrder,
} from './numeric.js';
import * as numeric from './numeric.js';
import * as operators from './operators.js';
import { DEFAULT_STEPS, withinSteps } from './step-budget.js';

/**
 * Compiles a checked expression to closures over the bindings of its variables.
 *
 * @param origin the expression and its place, for errors
 * @param steps  the maximum number of steps of one evaluation
 */
export function compile(
  tree: CheckedNode,
  bindings: VariableBindings,
  origin: ExpressionOrigin,
  steps: number = DEFAULT_STEPS,
): BoundExpression {
  const compiler = new Compiler(bindings);
  const evaluate = compiler.compile(tree);
  // Without macros and growing texts, the length of the expression bounds the work. Counting steps is not needed.
  return compiler.countsSteps ? withinSteps(evaluate, origin, steps) : evaluate;
}

/** The maximum number of readers with their own text in one expression. They are slow to create; further paths share one. */
const MAX_OWN_READERS = 100;

/** Compiles the nodes of one expression, each once. */
class Compiler {
  /** Whether the work can be unbounded: in a macro, and in calls whose texts grow. */
  countsSteps = false;
  #readers = 0;
  /** The number of macros around the node that is being compiled. */
  #macros = 0;
  readonly #slots = new Map<Local, LocalSlot>();
  /** The exact closure of each node. Its numeric closure reuses it, because readers are expensive to create. */
  readonly #exactClosures = new Map<CheckedNode, BoundExpression>();
  readonly #operands = new Map<CheckedNode, Operand>();
  readonly #numericInside = new Map<CheckedNode, boolean>();

  constructor(readonly bindings: VariableBindings) {}

  /** The closure to run: the numeric one if the node computes a number. */
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
   * The exact closure of a node whose numeric closure has just returned NaN. It does not evaluate operands that compute
   * numbers again, because the work would double at each level of nesting.
   */
  #exactAgain(tree: CheckedNode): BoundExpression {
    if (!isArithmetic(tree)) return this.#operand(tree).again;
    if (tree.op === 'negate') return unaryClosure(operators.negate, this.#exactAgain(tree.of));
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
          ternaryClosure(operators.choose, this.#operand(test).again, this.#exactAgain(then), otherwise),
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

  /** Remembers an operand only if evaluating it twice would cost more than storing it. */
  #operand(tree: CheckedNode): Operand {
    const made = this.#operands.get(tree) ?? this.#makeOperand(tree);
    this.#operands.set(tree, made);
    return made;
  }

  #makeOperand(tree: CheckedNode): Operand {
    const evaluate = this.compile(tree);
    return this.#computesInside(tree) ? rememberedOperand(evaluate) : evaluatedAgain(evaluate);
  }

  /** Whether a node or one of its operands is compiled to bare numbers first. */
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
        return binaryClosure(operators.elementOf, this.compile(tree.of), this.compile(tree.key));
      case 'chain':
        return this.#chain(tree.by, tree.parts);
      case 'binary':
        return binaryClosure(this.#operator(tree.by), this.#exact(tree.left), this.#exact(tree.right));
      case 'not':
        return unaryClosure(operators.not, this.compile(tree.of));
      case 'negate':
        return unaryClosure(operators.negate, this.#exact(tree.of));
      case 'has':
        return unaryClosure(operators.hasValue, this.compile(tree.of));
      case 'choose':
        return tree.cases.reduceRight(
          (otherwise, [test, then]) =>
            ternaryClosure(operators.choose, this.compile(test), this.compile(then), otherwise),
          this.compile(tree.otherwise),
        );
      case 'default':
        return binaryClosure(operators.orDefault, this.compile(tree.of), this.compile(tree.otherwise));
      case 'list':
        return operators.list(tree.parts.map((part) => this.compile(part)));
      case 'map':
        return operators.map(tree.entries.map(([key, value]) => [this.compile(key), this.compile(value)] as const));
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

  /** A closure that returns the value as a bare number, or NaN if it is not a number. */
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
    if (this.#macros > 0 && by === '==') return operators.equalInMacro;
    return this.#macros > 0 && by === '!=' ? operators.unequalInMacro : EXACT_OPERATORS[by];
  }

  #path({ of, steps }: Extract<CheckedNode, { op: 'path' }>): BoundExpression {
    this.#readers += 1;
    const read = this.#readers > MAX_OWN_READERS ? compileSteps(steps, closureReader) : compileSteps(steps);
    // The candidate is already the first argument, so its reader is the whole closure.
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

const valueOf =
  (binding: VariableBinding): BoundExpression =>
  (c, i) => {
    const value = binding(c, i);
    return typeof value === 'object' ? asRead(value) : value;
  };

function readField(binding: VariableBinding, field: string): BoundExpression {
  const read = compileSteps([{ kind: 'key', key: field }]);
  return (c, i) => read(binding(c, i));
}

/** Compiles a variable, or one field of a variable with known fields. */
function compileVariable(bindings: VariableBindings, name: string, field: string | undefined): BoundExpression {
  const binding = Object.hasOwn(bindings, name) ? bindings[name] : undefined;
  if (binding === undefined && name === CANDIDATE_VARIABLE) return (c) => c;
  if (typeof binding === 'function') return field === undefined ? valueOf(binding) : readField(binding, field);
  const one =
    field === undefined || binding === undefined || !Object.hasOwn(binding, field) ? undefined : binding[field];
  if (one === undefined) throw new TypeError(`no binding for ${field === undefined ? name : `${name}.${field}`}`);
  return valueOf(one);
}

/** Compiles a function call. Absent if one of its arguments is absent. */
function compileCall(name: string, args: readonly BoundExpression[]): BoundExpression {
  const [a, b] = args;
  const builtin = (args.length === 1 ? LIST_BUILTINS.get(name) : undefined) ?? BUILTINS.get(name);
  if (builtin === undefined || a === undefined)
    throw new TypeError(`no function ${name} with ${args.length} arguments`);
  const f = builtin.call;
  if (b === undefined) return callUnary(f, a);
  return args.length === 2 ? callBinary(f, a, b) : callVariadic(f, args);
}

type BuiltinFunction = (...args: unknown[]) => unknown;

const callUnary =
  (f: BuiltinFunction, a: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    return x === undefined ? undefined : f(x);
  };

const callBinary =
  (f: BuiltinFunction, a: BoundExpression, b: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    return x === undefined || y === undefined ? undefined : f(x, y);
  };

const callVariadic =
  (f: BuiltinFunction, args: readonly BoundExpression[]): BoundExpression =>
  (c, i) => {
    const values: unknown[] = [];
    for (const arg of args) {
      const value = arg(c, i);
      if (value === undefined) return undefined;
      values.push(value);
    }
    return f(...values);
  };

/** An operand of arithmetic that does not compute a number itself. */
interface Operand {
  /** Returns its value to the numeric closures. */
  readonly first: BoundExpression;
  /** Returns its value to the exact closures that run after a NaN. */
  readonly again: BoundExpression;
}

/** An operand that is cheap enough to evaluate twice. */
const evaluatedAgain = (evaluate: BoundExpression): Operand => ({ first: evaluate, again: evaluate });

/** An operand whose value is stored for the exact closures. */
function rememberedOperand(evaluate: BoundExpression): Operand {
  const remembered: { value: unknown } = { value: undefined };
  return {
    first: (c, i) => (remembered.value = evaluate(c, i)),
    again: () => {
      const { value } = remembered;
      remembered.value = undefined; // release the value
      return value;
    },
  };
}
