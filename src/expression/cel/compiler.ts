import * as operators from './operators.js';
import {
  type BoundExpression,
  CANDIDATE_VARIABLE,
  type ExpressionOrigin,
  LET_BINDINGS,
  type VariableBinding,
  type VariableBindings,
  ExpressionEvaluationError,
  DEFAULT_STEPS,
  withinSteps,
  spend,
} from '../scope.js';
import { closureReader, compileSteps } from '../compile-path.js';
import { asRead } from '../path.js';
import { BUILTINS, LIST_BUILTINS } from './builtins.js';
import type { BinaryOp, ChainOp, CheckedNode, Local, MacroName } from './checked-node.js';
import { elementAt, isCelMap, isRecoverable, keysOf, makeMap, throwMismatch } from './operators.js';

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
      case 'let':
        return this.#named(tree.name) ?? this.compile(tree.of);
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

  /** The function of a named expression, which computes it once for a candidate; undefined without one. */
  #named(name: string): BoundExpression | undefined {
    const lets = Object.hasOwn(this.bindings, LET_BINDINGS) ? this.bindings[LET_BINDINGS] : undefined;
    return typeof lets === 'object' && Object.hasOwn(lets, name) ? lets[name] : undefined;
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

/** Holds the value of a variable of a macro. */
export interface LocalSlot {
  value: unknown;
}

export interface MacroParts {
  readonly list: BoundExpression;
  readonly slot: LocalSlot;
  readonly index: LocalSlot | undefined;
  readonly test: BoundExpression | undefined;
  readonly value: BoundExpression | undefined;
}

/** The elements of a list, the keys of a map. */
function elements(name: MacroName, holder: unknown): readonly unknown[] {
  if (Array.isArray(holder)) return holder;
  return isCelMap(holder) ? keysOf(holder) : throwMismatch(`${name}()`, 'a list or a map', holder);
}

/** The functions of one evaluation of a macro. `holds` sets the variables for an element. */
interface Visit {
  holds(this: void, element: unknown, position: number): boolean;
  valueNow(this: void): unknown;
}

/** Tests elements until one has the answer that decides. An error counts only if no other element decides. */
function decides(values: readonly unknown[], { holds }: Visit, deciding: boolean): boolean {
  let failure: { readonly error: unknown } | undefined;
  for (let n = 0; n < values.length; n++) {
    try {
      if (holds(values[n], n) === deciding) return true;
    } catch (error) {
      if (!isRecoverable(error)) throw error;
      failure ??= { error };
    }
  }
  if (failure) throw failure.error;
  return false;
}

const transform = (values: readonly unknown[], { holds, valueNow }: Visit): readonly unknown[] =>
  values.map((value, n) => (holds(value, n) ? valueNow() : undefined)).filter((value) => value !== undefined);

type MacroRunner = (values: readonly unknown[], visit: Visit, isList: boolean) => unknown;

const MACRO_RUNNERS: Readonly<Record<Exclude<MacroName, 'bind' | 'optMap'>, MacroRunner>> = {
  all: (values, visit) => !decides(values, visit, false),
  exists: (values, visit) => decides(values, visit, true),
  exists_one: (values, { holds }) => values.filter((value, n) => holds(value, n)).length === 1,
  filter: (values, { holds }) => values.filter((value, n) => holds(value, n)),
  map: transform,
  transformList: transform,
  transformMap: (values, { holds, valueNow }, isList) =>
    makeMap(
      values.flatMap((key, n) => {
        const value = holds(key, n) ? valueNow() : undefined;
        return value === undefined ? [] : [[isList ? n : key, value] as const];
      }),
    ),
  transformMapEntry: (values, visit) =>
    makeMap(
      transform(values, visit).flatMap((made) => {
        if (!isCelMap(made)) return throwMismatch('transformMapEntry()', 'a map with one entry', made);
        return keysOf(made).map((key) => [key, elementAt(made, key)] as const);
      }),
    ),
};

/**
 * Compiles a macro. Absent if its list is absent. An absent test counts as false, and an element whose value is absent is
 * left out.
 */
export function compileMacro(name: MacroName, parts: MacroParts): BoundExpression {
  if (name === 'bind' || name === 'optMap') return compileBinding(name, parts);
  const { list, slot, index, test, value } = parts;
  const run = MACRO_RUNNERS[name];
  return (c, i) => {
    const holder = list(c, i);
    if (holder === undefined) return undefined;
    const isList = Array.isArray(holder);
    const holds = (element: unknown, position: number): boolean => {
      spend(1);
      if (index === undefined) slot.value = asRead(element);
      else {
        index.value = isList ? position : element;
        slot.value = isList ? asRead(element) : elementAt(holder, element);
      }
      const answer = test === undefined ? true : test(c, i);
      if (typeof answer === 'boolean') return answer;
      return answer === undefined ? false : throwMismatch(`the test of ${name}()`, 'true or false', answer);
    };
    try {
      return run(elements(name, holder), { holds, valueNow: () => value?.(c, i) }, isList);
    } finally {
      slot.value = undefined; // release the last element
      if (index) index.value = undefined;
    }
  };
}

/** Compiles `cel.bind` and `optMap`: a value with a name. `optMap` is absent if its value is absent. */
function compileBinding(name: 'bind' | 'optMap', { list, slot, value }: MacroParts): BoundExpression {
  if (!value) throw new ExpressionEvaluationError(`${name}() needs a value`);
  return (c, i) => {
    const bound = list(c, i);
    if (bound === undefined && name === 'optMap') return undefined;
    spend(1);
    slot.value = bound;
    try {
      return value(c, i);
    } finally {
      slot.value = undefined;
    }
  };
}
