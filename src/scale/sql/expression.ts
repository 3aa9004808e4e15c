import type { CheckedNode, PathStep } from '../../expression/index.js';
import {
  type ChildUse,
  type ClassUse,
  type Use,
  type StatisticOf,
  FormulaError,
  type UnitFormula,
  unitFormula,
} from '../../profile/index.js';
import type { Arithmetic } from './arithmetic.js';
import { Untranslatable } from './dialect.js';
import {
  callBool,
  callNumber,
  callText,
  chooseValue,
  comparison,
  type ExpressionParts,
  isCandidate,
  isKind,
  orElse,
  type RunFacts,
  runValue,
  untranslatable,
} from './calls.js';
import type { Fields } from './fields.js';
import {
  absentNumber,
  constant,
  NEVER_UNCERTAIN,
  type Uncertain,
  uncertainWhere,
  orFalse,
  orTrue,
  type SqlBool,
  type SqlKind,
  type SqlNumber,
  type SqlText,
  type SqlValue,
} from './values.js';

/** The context of a translation. */
export interface Target {
  readonly numbers: Arithmetic;
  readonly fields: Fields;
  readonly run: RunFacts;
  /** The minimum and maximum scores of entries that scale over all candidates; undefined if they are not known. */
  readonly extremes?: Extremes | undefined;
  /** The SQL of a statistic, if the statement itself computes it over all rows. */
  readonly statisticOf?: ((which: StatisticOf['which'], score: SqlNumber) => SqlNumber) | undefined;
}

/**
 * The minimum and maximum score of each child of a unit, as numbers or as columns of the statement; undefined if the child
 * has given no score.
 */
export type Extremes<N = number | SqlNumber> = ReadonlyMap<
  ChildUse,
  { readonly least: N; readonly greatest: N } | undefined
>;

export const translator = ({ numbers, fields, run }: Target, variables: RowVariable): ExpressionTranslator =>
  new ExpressionTranslator(numbers, fields, run, variables);

/** Translates an expression or a unit to a value of the kind that its reader needs. */
export function translateUse(target: Target, use: Use, kind: SqlKind, variables: RowVariable): SqlValue {
  if (use.kind === 'expr') return translator(target, variables).value(use.expression.tree, kind);
  const { expression, children, statistics } = formulaOf(use);
  const scores = new Map<string, SqlNumber>();
  for (const [name, child] of children) {
    const found = use.children.get(child);
    if (!found) throw new Untranslatable('it has a child of another unit');
    scores.set(name, translateChild(target, found, variables));
  }
  const uncertain: string[] = [];
  for (const [name, { of, child, which }] of statistics) {
    // The engine evaluates this score on every row, even if the formula does not read the statistic.
    const score = scores.get(of);
    uncertain.push(...(score?.uncertain ?? []));
    scores.set(name, statisticNumber(target, use.children.get(child), which, score));
  }
  const value = translator(target, (name) => scores.get(name)).value(expression.tree, kind);
  return { ...value, uncertain: [...value.uncertain, ...uncertain] };
}

/** @throws Untranslatable if the class has no formula for its params */
export function formulaOf(use: ClassUse): UnitFormula {
  try {
    return unitFormula(use);
  } catch (error) {
    throw error instanceof FormulaError ? new Untranslatable(error.message) : error;
  }
}

function statisticNumber(
  { numbers, extremes, statisticOf }: Target,
  child: ChildUse | undefined,
  which: StatisticOf['which'],
  score: SqlNumber | undefined,
): SqlNumber {
  if (statisticOf && score) return statisticOf(which, score);
  if ((which !== 'least' && which !== 'greatest') || !child || !extremes?.has(child))
    throw new Untranslatable('it needs all candidates');
  const value = extremes.get(child)?.[which];
  if (value === undefined) return absentNumber(numbers.dialect);
  return typeof value === 'number' ? numbers.constant(value) : value;
}

/** The score of a child, after its `on_absent`. */
export function translateChild(target: Target, { use, onAbsent, name }: ChildUse, variables: RowVariable): SqlNumber {
  if (onAbsent === 'refuse') throw new Untranslatable(`${name}, inside it, has on_absent: refuse`);
  const score = translateUse(target, use, 'number', variables);
  if (score.kind !== 'number') throw new Untranslatable(`${name}, inside it, does not return a number`);
  const { numbers } = target;
  const named = { ...score, sql: numbers.layers.let(score.sql) };
  return onAbsent === 'skip' ? named : numbers.orElse(named, numbers.constant(onAbsent));
}

/** The SQL of the variables of an expression that differ by row: measures, scores and the current score. */
export type RowVariable = (name: string, field: string | undefined) => SqlValue | undefined;

/**
 * Translates a checked expression, node by node. Absence is NULL: AND, OR, NOT and comparisons of SQL treat NULL as CEL
 * treats absence. A row on which the engine would fail is uncertain.
 */
class ExpressionTranslator implements ExpressionParts {
  constructor(
    readonly numbers: Arithmetic,
    readonly fields: Fields,
    readonly run: RunFacts,
    readonly variables: RowVariable,
  ) {}

  value(tree: CheckedNode, kind: SqlKind): SqlValue {
    if (kind === 'number') return this.number(tree);
    return kind === 'bool' ? this.bool(tree) : this.text(tree);
  }

  number(tree: CheckedNode): SqlNumber {
    const known = this.#known(tree, 'number');
    if (known) return known;
    switch (tree.op) {
      case 'path':
        return this.fields.number(this.#candidatePath(tree));
      case 'let':
        return this.number(tree.of);
      case 'negate':
        return this.numbers.negate(this.number(tree.of));
      case 'chain':
        return this.#chain(tree);
      case 'binary':
        if (tree.by === '%') return this.numbers.remainder(this.number(tree.left), this.number(tree.right));
        break;
      case 'choose':
        return this.#choose(
          tree,
          (part) => this.number(part),
          (test, a, b) => this.numbers.choose(test, a, b),
        );
      case 'default':
        return this.numbers.orElse(this.number(tree.of), this.number(tree.otherwise));
      case 'call':
        return callNumber(this, tree);
      default:
    }
    throw untranslatable(tree, 'number');
  }

  bool(tree: CheckedNode): SqlBool {
    const known = this.#known(tree, 'bool');
    if (known) return known;
    switch (tree.op) {
      case 'path':
        return this.fields.bool(this.#candidatePath(tree));
      case 'let':
        return this.bool(tree.of);
      case 'has':
        return this.#isPresent(tree.of);
      case 'not': {
        const { sql, uncertain } = this.bool(tree.of);
        return { kind: 'bool', sql: `(NOT ${sql})`, uncertain };
      }
      case 'chain':
        if (tree.by === '&&' || tree.by === '||') return this.#logic(tree.by, tree.parts);
        break;
      case 'binary':
        return comparison(this, tree);
      case 'choose':
        return this.#choose(
          tree,
          (part) => this.bool(part),
          (test, a, b) => chooseValue('bool', test, a, b),
        );
      case 'default':
        return orElse('bool', this.bool(tree.of), this.bool(tree.otherwise));
      case 'call':
        return callBool(this, tree);
      default:
    }
    throw untranslatable(tree, 'bool');
  }

  text(tree: CheckedNode): SqlText {
    const known = this.#known(tree, 'string');
    if (known) return known;
    switch (tree.op) {
      case 'let':
        return this.text(tree.of);
      case 'path':
        return this.fields.text(this.#candidatePath(tree));
      case 'choose':
        return this.#choose(
          tree,
          (part) => this.text(part),
          (test, a, b) => chooseValue('string', test, a, b),
        );
      case 'default':
        return orElse('string', this.text(tree.of), this.text(tree.otherwise));
      case 'call':
        return callText(this, tree);
      default:
    }
    throw untranslatable(tree, 'string');
  }

  /** The kind of a value if it is the same for all rows; otherwise undefined. */
  kindOf(tree: CheckedNode): SqlKind | undefined {
    const { type } = tree;
    if (type === 'number' || type === 'bool' || type === 'string') return type;
    if (tree.op === 'let') return this.kindOf(tree.of);
    if (tree.op === 'path' && isCandidate(tree.of)) return this.fields.kindOf(tree.steps);
    if (tree.op === 'variable') return this.variables(tree.name, tree.field)?.kind;
    if (tree.op === 'default') return this.kindOf(tree.of) ?? this.kindOf(tree.otherwise);
    const { value } = runValue(this.run, tree) ?? {};
    return typeof value === 'number' || typeof value === 'string'
      ? (typeof value as 'number' | 'string')
      : typeof value === 'boolean'
        ? 'bool'
        : undefined;
  }

  /** The path of a field of the candidate. */
  #candidatePath({ of, steps }: Extract<CheckedNode, { op: 'path' }>): readonly PathStep[] {
    if (isCandidate(of)) return steps;
    throw new Untranslatable('it reads inside a list or a map that is computed');
  }

  /** A variable of the row, or a value that is the same for every row. */
  #known<K extends SqlKind>(tree: CheckedNode, kind: K): Extract<SqlValue, { kind: K }> | undefined {
    const found = this.#anyKnown(tree, kind);
    if (!found) return undefined;
    if (isKind(found, kind)) return found;
    throw new Untranslatable(`it reads a ${found.kind} as a ${kind}`);
  }

  #anyKnown(tree: CheckedNode, kind: SqlKind): SqlValue | undefined {
    if (tree.op === 'variable') {
      const variable = this.variables(tree.name, tree.field);
      if (variable) return variable;
    }
    const same = runValue(this.run, tree);
    return same && constant(this.numbers.dialect, kind, same.value);
  }

  #chain({ by, parts }: Extract<CheckedNode, { op: 'chain' }>): SqlNumber {
    const { numbers } = this;
    const [first, ...rest] = parts.map((part) => this.number(part));
    if (!first || by === '&&' || by === '||') throw new Untranslatable(`${by} does not return a number`);
    return rest.reduce((left, right) => {
      if (by === '*') return numbers.multiply(left, right);
      return by === '/' ? numbers.divide(left, right) : numbers.add(left, right, by);
    }, first);
  }

  /** Operands after a deciding one are not evaluated, so they make no row uncertain. */
  #logic(by: '&&' | '||', parts: readonly CheckedNode[]): SqlBool {
    const { layers } = this.numbers;
    const [first, ...rest] = parts.map((part) => this.bool(part));
    if (!first) throw new Untranslatable(`${by} of nothing`);
    return rest.reduce((left, right) => {
      const sql = layers.let(left.sql);
      const goesOn = by === '&&' ? orTrue(sql) : `(NOT ${orFalse(sql)})`;
      const uncertain = [...left.uncertain, ...uncertainWhere(goesOn, right.uncertain)];
      return { kind: 'bool', sql: `(${sql} ${by === '&&' ? 'AND' : 'OR'} ${right.sql})`, uncertain };
    }, first);
  }

  /** Only the branch that is taken can be uncertain. */
  #choose<V extends SqlValue>(
    { cases, otherwise }: Extract<CheckedNode, { op: 'choose' }>,
    translate: (part: CheckedNode) => V,
    pick: (test: string, then: V, otherwise: V) => V,
  ): V {
    return cases.reduceRight<V>((rest, [condition, branch]) => {
      const test = this.bool(condition);
      const then = translate(branch);
      const sql = this.numbers.layers.let(test.sql);
      const uncertain: Uncertain = [
        ...test.uncertain,
        ...uncertainWhere(orFalse(sql), then.uncertain),
        ...uncertainWhere(`(NOT ${orTrue(sql)})`, rest.uncertain),
      ];
      return { ...pick(sql, then, rest), uncertain };
    }, translate(otherwise));
  }

  #isPresent(tree: CheckedNode): SqlBool {
    if (tree.op === 'path' && isCandidate(tree.of)) return this.fields.isPresent(tree.steps);
    const same = runValue(this.run, tree);
    const isThere = same && same.value !== undefined && same.value !== null;
    if (same) return { kind: 'bool', sql: isThere ? 'TRUE' : 'FALSE', uncertain: NEVER_UNCERTAIN };
    const kind = this.kindOf(tree);
    if (!kind) throw untranslatable(tree, 'any');
    const { sql, uncertain } = this.value(tree, kind);
    return { kind: 'bool', sql: `(${sql} IS NOT NULL)`, uncertain };
  }
}
