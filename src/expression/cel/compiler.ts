import * as operators from './operators.js';
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
import type { BinaryOp, ChainOp, CheckedNode, Local } from './checked-node.js';
import { DEFAULT_STEPS, withinSteps } from './step-budget.js';
import { compileMacro, type LocalSlot } from './macros.js';

/**
 * Compiles a checked expression to closures over the bindings of its variables. They handle every value: absence, other
 * types and errors. For numbers, `RowText` is faster.
 *
 * @param origin the expression and its place, for errors
 * @param steps  the maximum number of steps of one evaluation
 */
export function compileClosures(
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

/** The number of calls after which a function gets its own text. Many are called only where a loop cannot decide. */
const CALLS_BEFORE_TEXT = 256;

/** A function that is replaced by another one, which takes time to make, once it is called often. */
export function replacedLater(first: BoundExpression, make: () => BoundExpression): BoundExpression {
  let run = first;
  let left = CALLS_BEFORE_TEXT;
  return (c, i) => {
    if (left > 0) {
      left -= 1;
      if (left === 0) run = make();
    }
    return run(c, i);
  };
}

/** Compiles the nodes of one expression. */
class Compiler {
  /** Whether the work can be unbounded: in a macro, and in calls whose texts grow. */
  countsSteps = false;
  #readers = 0;
  /** The number of macros around the node that is being compiled. */
  #macros = 0;
  readonly #slots = new Map<Local, LocalSlot>();

  constructor(readonly bindings: VariableBindings) {}

  compile(tree: CheckedNode): BoundExpression {
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
        return operators.elementOf(this.compile(tree.of), this.compile(tree.key));
      case 'chain':
        return foldChain(
          tree.by,
          tree.parts.map((part) => this.compile(part)),
        );
      case 'binary':
        return this.#operator(tree.by)(this.compile(tree.left), this.compile(tree.right));
      case 'not':
        return operators.not(this.compile(tree.of));
      case 'negate':
        return operators.negate(this.compile(tree.of));
      case 'has':
        return operators.hasValue(this.compile(tree.of));
      case 'choose':
        return tree.cases.reduceRight(
          (otherwise, [test, then]) => operators.choose(this.compile(test), this.compile(then), otherwise),
          this.compile(tree.otherwise),
        );
      case 'default':
        return operators.orDefault(this.compile(tree.of), this.compile(tree.otherwise));
      case 'list':
        return operators.list(
          tree.parts.map((part) => this.compile(part)),
          tree.optional,
        );
      case 'map':
        return operators.map(
          tree.entries.map((entry) => ({ ...entry, key: this.compile(entry.key), value: this.compile(entry.value) })),
        );
      case 'call':
        this.countsSteps ||= BUILTINS.get(tree.name)?.grows === true;
        return compileCall(
          tree.name,
          tree.args.map((arg) => this.compile(arg)),
        );
      case 'macro':
        return this.#macro(tree);
      default:
        return unreachable(tree);
    }
  }

  #macro({ name, list, local, index, body }: Extract<CheckedNode, { op: 'macro' }>): BoundExpression {
    this.countsSteps = true;
    this.#macros += 1;
    const parts = {
      list: this.compile(list),
      slot: this.#slot(local),
      index: index && this.#slot(index),
      test: body.test && this.compile(body.test),
      value: body.value && this.compile(body.value),
    };
    this.#macros -= 1;
    return compileMacro(name, parts);
  }

  #operator(by: BinaryOp): (typeof OPERATORS)[BinaryOp] {
    if (this.#macros > 0 && by === '==') return operators.equalInMacro;
    return this.#macros > 0 && by === '!=' ? operators.unequalInMacro : OPERATORS[by];
  }

  #path({ of, steps }: Extract<CheckedNode, { op: 'path' }>): BoundExpression {
    this.#readers += 1;
    const shared = compileSteps(steps, closureReader);
    const read = this.#readers > MAX_OWN_READERS ? shared : replacedLater(shared, () => compileSteps(steps));
    // The candidate is already the first argument, so its reader is the whole closure.
    if (of.op === 'variable' && of.name === CANDIDATE_VARIABLE && this.bindings[CANDIDATE_VARIABLE] === undefined)
      return read;
    const holder = this.compile(of);
    return (c, i) => read(holder(c, i), i);
  }

  #slot(local: Local): LocalSlot {
    const slot = this.#slots.get(local) ?? { value: undefined };
    this.#slots.set(local, slot);
    return slot;
  }
}

/** The operators. They throw CEL's errors for operands of the wrong type. */
const OPERATORS: Readonly<Record<BinaryOp | ChainOp, (a: BoundExpression, b: BoundExpression) => BoundExpression>> = {
  '==': operators.equal,
  '!=': operators.unequal,
  '<': operators.less,
  '<=': operators.lessOrEqual,
  '>': operators.greater,
  '>=': operators.greaterOrEqual,
  in: operators.isIn,
  '+': operators.add,
  '-': operators.subtract,
  '*': operators.multiply,
  '/': operators.divide,
  '%': operators.remainder,
  '&&': operators.and,
  '||': operators.or,
};

/** Folds from the left, so that rounding is the same as in the written order. */
function foldChain(by: ChainOp, parts: readonly BoundExpression[]): BoundExpression {
  if (by === '+' && parts.length > 2) return operators.addAll(parts);
  return parts.reduce((left, right) => OPERATORS[by](left, right));
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
