import type { Evaluate } from '../expression.js';
import { readerOf } from '../path-reader.js';
import { CANDIDATE, type Roots } from '../scope.js';
import * as arithmetic from './arithmetic.js';
import { call } from './call.js';
import * as collection from './collection.js';
import * as comparison from './comparison.js';
import { BUILTINS } from './functions.js';
import * as logic from './logic.js';
import { type Cell, macro } from './macros.js';
import { node1, node2, node3 } from './node.js';
import * as numeric from './numeric.js';
import { rootOf } from './roots.js';
import type { BinaryOp, ChainOp, Local, Tree } from './tree.js';

const EXACT: Readonly<Record<BinaryOp | ChainOp, (a: Evaluate, b: Evaluate) => Evaluate>> = {
  '==': comparison.equal,
  '!=': comparison.unequal,
  '<': comparison.less,
  '<=': comparison.atMost,
  '>': comparison.more,
  '>=': comparison.atLeast,
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

/** Whether a node computes a number, so that it may do so on bare numbers. */
function isArithmetic(tree: Tree): boolean {
  if (tree.op === 'negate') return true;
  if (tree.op === 'chain' || tree.op === 'binary') {
    return isNumericOp(tree.by) && (tree.type === 'number' || tree.type === 'dyn');
  }
  if (tree.op === 'call') return BUILTINS.get(tree.name)?.numeric?.takes === tree.args.length;
  return tree.op === 'choose' && tree.type === 'number';
}

/** Compiles a checked expression to closures over the roots of its variables. */
export const compile = (tree: Tree, roots: Roots): Evaluate => new Compiler(roots).compile(tree);

class Compiler {
  readonly #cells = new Map<Local, Cell>();
  /** One exact node for each part of the tree, although bare numbers ask for it again: readers are costly to make. */
  readonly #made = new Map<Tree, Evaluate>();

  constructor(readonly roots: Roots) {}

  /** The node that runs: on bare numbers where there is something to compute. */
  compile(tree: Tree): Evaluate {
    const exact = this.#exact(tree);
    if (isArithmetic(tree))
      return node1((a: numeric.Numeric) => numeric.settle(a, exact), this.#numeric(tree), numeric.settle);
    if (tree.op !== 'binary' || !isOrder(tree.by)) return exact;
    if (!isArithmetic(tree.left) && !isArithmetic(tree.right)) return exact;
    return numeric.ORDER[tree.by](this.#numeric(tree.left), this.#numeric(tree.right), exact);
  }

  #exact(tree: Tree): Evaluate {
    const made = this.#made.get(tree) ?? this.#make(tree);
    this.#made.set(tree, made);
    return made;
  }

  #make(tree: Tree): Evaluate {
    switch (tree.op) {
      case 'constant': {
        const { value } = tree;
        return () => value;
      }
      case 'variable':
        return rootOf(this.roots, tree.name, tree.field);
      case 'local': {
        const cell = this.#cell(tree.local);
        return () => cell.value;
      }
      case 'path':
        return this.#path(tree);
      case 'index':
        return node2(collection.elementOf, this.compile(tree.of), this.compile(tree.key));
      case 'chain':
        return this.#chain(tree.by, tree.parts);
      case 'binary':
        return node2(EXACT[tree.by], this.#exact(tree.left), this.#exact(tree.right));
      case 'not':
        return node1(logic.not, this.compile(tree.of));
      case 'negate':
        return node1(arithmetic.negate, this.#exact(tree.of));
      case 'has':
        return node1(logic.present, this.compile(tree.of));
      case 'choose':
        return tree.cases.reduceRight(
          (otherwise, [test, then]) => node3(logic.choose, this.compile(test), this.compile(then), otherwise),
          this.compile(tree.otherwise),
        );
      case 'default':
        return node2(logic.orDefault, this.compile(tree.of), this.compile(tree.otherwise));
      case 'list':
        return collection.list(tree.parts.map((part) => this.compile(part)));
      case 'map':
        return collection.map(tree.entries.map(([key, value]) => [this.compile(key), this.compile(value)] as const));
      case 'call':
        return call(
          tree.name,
          tree.args.map((arg) => this.#exact(arg)),
        );
      case 'macro':
        return macro(tree.name, {
          list: this.compile(tree.list),
          cell: this.#cell(tree.local),
          test: tree.body.test && this.compile(tree.body.test),
          value: tree.body.value && this.compile(tree.body.value),
        });
      default:
        return unreachable(tree);
    }
  }

  /** The same value as a bare number; NaN where it is none. */
  #numeric(tree: Tree): numeric.Numeric {
    if (tree.op === 'constant' && typeof tree.value === 'number') {
      const { value } = tree;
      return () => value;
    }
    if (!isArithmetic(tree)) return numeric.numberOf(this.#exact(tree));
    if (tree.op === 'negate') return node1(numeric.negate, this.#numeric(tree.of));
    if (tree.op === 'binary' && isNumericOp(tree.by)) {
      return node2(numeric.ARITHMETIC[tree.by], this.#numeric(tree.left), this.#numeric(tree.right));
    }
    if (tree.op === 'chain' && isNumericOp(tree.by)) {
      const make = numeric.ARITHMETIC[tree.by];
      return tree.parts.map((part) => this.#numeric(part)).reduce((left, right) => node2(make, left, right));
    }
    if (tree.op === 'choose') {
      return tree.cases.reduceRight(
        (otherwise, [test, then]) => node3(numeric.choose, this.compile(test), this.#numeric(then), otherwise),
        this.#numeric(tree.otherwise),
      );
    }
    return tree.op === 'call' ? this.#numericCall(tree.name, tree.args) : numeric.numberOf(this.#exact(tree));
  }

  #numericCall(name: string, args: readonly Tree[]): numeric.Numeric {
    const [a, b, c] = args.map((arg) => this.#numeric(arg));
    const form = BUILTINS.get(name)?.numeric;
    if (form?.takes === 1 && a) return node1(numeric.call1(form.f), a, numeric.call1);
    if (form?.takes === 2 && a && b) return node2(numeric.call2(form.f), a, b, numeric.call2);
    if (form?.takes === 3 && a && b && c) return node3(numeric.call3(form.f), a, b, c, numeric.call3);
    throw new TypeError(`${name}() does not compute on bare numbers`);
  }

  #path({ of, steps }: Extract<Tree, { op: 'path' }>): Evaluate {
    const read = readerOf(steps);
    // The candidate is the first argument already: its reader is the whole node.
    if (of.op === 'variable' && of.name === CANDIDATE && this.roots[CANDIDATE] === undefined) return read;
    const holder = this.compile(of);
    return (c, i) => read(holder(c, i));
  }

  /** Folds from the left, as arithmetic must be. */
  #chain(by: ChainOp, parts: readonly Tree[]): Evaluate {
    const compiled = parts.map((part) => (isNumericOp(by) ? this.#exact(part) : this.compile(part)));
    return compiled.reduce((left, right) => node2(EXACT[by], left, right));
  }

  #cell(local: Local): Cell {
    const cell = this.#cells.get(local) ?? { value: undefined };
    this.#cells.set(local, cell);
    return cell;
  }
}

const unreachable = (tree: never): never => {
  throw new TypeError(`no such node: ${JSON.stringify(tree)}`);
};
