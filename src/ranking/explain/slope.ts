import type { Plan, RunResult } from '../../engine/index.js';
import { closureReader, compileSteps, type Expression, isExpression, formatPath } from '../../expression/index.js';
import {
  combineFacts,
  candidateReads,
  pathsOverlap,
  readsScores,
  type Profile,
  type Use,
  FormulaError,
  type UnitFormula,
  unitFormula,
} from '../../profile/index.js';
import {
  type Explanation,
  type ExplanationParts,
  explanationParts,
  nodesOfKind,
  type ScorerNode,
} from './explanation.js';

/** The goal of a change: first of the selection, in the selection, or before one other candidate. */
export type Goal = 'first' | 'selected' | 'before';

/** A field and the interval of its values to consider, as numbers that formulas read. */
interface ConsideredField {
  readonly field: string;
  readonly least: number;
  readonly most: number;
  readonly isDate: boolean;
}

/**
 * The direction in which one field can change without losing a goal that was reached. Undefined unless this is proven:
 * exactly one scorer reads the field, its formula is monotone, and all later stages are monotone in its score.
 */
export function directionOf(
  { plan: { profile }, result }: { readonly plan: Pick<Plan, 'profile'>; readonly result: RunResult },
  explanation: Explanation,
  { field, least, most, isDate }: ConsideredField,
  goal: Goal,
): 'more' | 'less' | undefined {
  const readers = candidateReads(profile).filter(
    ({ by, field: read }) => by !== 'candidate.id' && (read === undefined || pathsOverlap(read, field)),
  );
  const [reader] = readers;
  const entry = profile.scorers.find(({ id }) => id === reader?.by);
  const parts = explanationParts(explanation);
  const term = parts.scorers.find(({ id }) => id === entry?.id);
  if (!entry || !term || !readers.every(({ by }) => by === entry.id)) return undefined;
  const ownScope = [...entry.scopes].every((scope) => scope === 'candidate');
  if (!ownScope || entry.outOfRange === 'fail' || !keepsOrder(profile, result, goal)) return undefined;
  if (explanation.outcome.kind !== 'ranked' || !rulesGrow(profile, parts)) return undefined;
  const { context, now } = result.context;
  const candidate = result.candidates[explanation.index];
  const slope = slopeOf(entry.use, { path: field, isDate, least, most, candidate, context, now });
  const effect = combinedSlope(slope, parts, term);
  return effect === 'up' ? 'more' : effect === 'down' ? 'less' : undefined;
}

/** Whether a greater score of one candidate, with all else unchanged, never loses the goal. */
function keepsOrder({ select }: Profile, { scored, pinned }: RunResult, goal: Goal): boolean {
  if (scored.pruned || select.pack || select.place) return false;
  const { diversify, ties, duplicates, per } = select;
  // Maximal marginal relevance selects the best score first, because there is no selected candidate to compare with.
  const keepsFirst = diversify?.use.name === 'MmrSelector' && pinned.length === 0;
  if (diversify && !(goal === 'first' && keepsFirst)) return false;
  const keys: readonly unknown[] = [...(ties ?? []), duplicates, per?.by];
  return !keys.some(
    (key) => isExpression(key) && key.reads.some((name) => name === 'score' || name.startsWith('score')),
  );
}

/** Whether the final score is a non-decreasing function of the combined score. */
const rulesGrow = ({ adjustments }: Profile, { rules }: ExplanationParts): boolean =>
  !adjustments.some(readsScores) &&
  rules.every(({ details }) =>
    nodesOfKind(details, 'step').every(({ id, amount }) => id !== 'multiply' || amount >= 0),
  );

function combinedSlope(
  slope: Slope | undefined,
  { combine }: ExplanationParts,
  { share = 0, state }: ScorerNode,
): Slope | undefined {
  if (!slope || !combine || state === 'not_evaluated') return undefined;
  const { id: method } = combine;
  if (method === 'min' || method === 'max') return slope;
  if (method === 'formula' || combineFacts(method).effect !== 'summand' || share === 0) return undefined;
  if (share > 0) return slope;
  return slope === 'flat' ? slope : slope === 'up' ? 'down' : 'up';
}

/** How a number changes as a field grows. `flat`: it is constant. */
type Slope = 'flat' | 'up' | 'down';

/** The range of a number that is a finite, monotone function of one field over an interval. */
interface Monotone {
  readonly slope: Slope;
  readonly least: number;
  readonly most: number;
}

/** The field that varies. All other values are those of one candidate and run. */
interface VaryingField {
  /** In the canonical form of `formatPath`. */
  readonly path: string;
  /** Formulas can read a date as a number only through `timestamp()`. */
  readonly isDate: boolean;
  readonly least: number;
  readonly most: number;
  readonly candidate: unknown;
  readonly context: unknown;
  readonly now: number;
}

type Node = Expression['tree'];
type Interval = readonly [least: number, most: number];

/**
 * The slope of a scorer as a function of one field over its whole interval. Derived from its expression, or from the
 * formula that its class declares. Undefined if no slope can be proven.
 */
function slopeOf(use: Use, field: VaryingField): Slope | undefined {
  return shapeOfUse(use, field, [field.least, field.most])?.slope;
}

function shapeOfUse(use: Use, field: VaryingField, on: Interval): Monotone | undefined {
  if (use.kind === 'expr') return new Shapes(field).of(use.expression.tree, on);
  const formula = formulaOrNone(use);
  if (!formula || formula.statistics.size > 0) return undefined;
  const children = (name: string, part: Interval): Monotone | undefined => {
    const child = formula.children.get(name);
    const inner = child && use.children.get(child);
    return inner && shapeOfUse(inner.use, field, part);
  };
  return new Shapes(field, children).of(formula.expression.tree, on);
}

function formulaOrNone(use: Extract<Use, { readonly kind: 'class' }>): UnitFormula | undefined {
  try {
    return unitFormula(use);
  } catch (error) {
    if (error instanceof FormulaError) return undefined;
    throw error;
  }
}

const constant = (value: unknown): Monotone | undefined =>
  typeof value === 'number' ? shape('flat', value, value) : undefined;

/** Undefined unless it is finite on the whole interval, because a scorer fails on values that are not finite. */
const shape = (slope: Slope | undefined, least: number, most: number): Monotone | undefined =>
  slope && Number.isFinite(least) && Number.isFinite(most) ? { slope, least, most } : undefined;

const REVERSED = { flat: 'flat', up: 'down', down: 'up' } as const;

const negated = ({ slope, least, most }: Monotone): Monotone => ({
  slope: REVERSED[slope],
  least: -most,
  most: -least,
});

/** The slope of a sum, a minimum or a maximum. */
function commonSlope(parts: readonly Monotone[]): Slope | undefined {
  const slopes = new Set(parts.map(({ slope }) => slope).filter((slope) => slope !== 'flat'));
  if (slopes.size > 1) return undefined;
  return [...slopes][0] ?? 'flat';
}

const sum = (x: Monotone, y: Monotone): Monotone | undefined =>
  shape(commonSlope([x, y]), x.least + y.least, x.most + y.most);

function product(x: Monotone, y: Monotone): Monotone | undefined {
  if (x.least < 0 && x.most <= 0 && x.slope !== 'flat') return opposite(product(negated(x), y));
  if (y.least < 0 && y.most <= 0 && y.slope !== 'flat') return opposite(product(x, negated(y)));
  const corners = [x.least * y.least, x.least * y.most, x.most * y.least, x.most * y.most];
  const within = [Math.min(...corners), Math.max(...corners)] as const;
  if (x.slope === 'flat' && y.slope === 'flat') return shape('flat', ...within);
  if (x.slope === 'flat') return product(y, x);
  if (y.slope === 'flat') {
    if (y.least >= 0) return shape(x.slope, ...within);
    return y.most <= 0 ? shape(REVERSED[x.slope], ...within) : undefined;
  }
  return x.least >= 0 && y.least >= 0 ? shape(commonSlope([x, y]), ...within) : undefined;
}

const opposite = (x: Monotone | undefined): Monotone | undefined => x && negated(x);

/** 1 / x, unless 0 is in the interval. */
const inverse = ({ slope, least, most }: Monotone): Monotone | undefined =>
  least > 0 || most < 0 ? shape(REVERSED[slope], 1 / most, 1 / least) : undefined;

/** Applies an increasing function. */
const grown = (x: Monotone | undefined, f: (value: number) => number): Monotone | undefined =>
  x && shape(x.slope, f(x.least), f(x.most));

/** Joins the shapes of adjacent parts of an interval, in ascending order. Undefined unless the whole is monotone. */
function joined(parts: readonly (Monotone | undefined)[]): Monotone | undefined {
  const known = parts.filter((part) => part !== undefined);
  const [first] = known;
  if (!first || known.length < parts.length) return undefined;
  const least = Math.min(...known.map((part) => part.least));
  const most = Math.max(...known.map((part) => part.most));
  if (least === most) return shape('flat', least, most);
  const follows = (slope: 'up' | 'down'): boolean =>
    known.every((part, k) => {
      const next = known[k + 1];
      if (part.slope === REVERSED[slope]) return false;
      // A flat part may have any value within its bounds, so only the bounds are compared.
      return !next || (slope === 'up' ? part.most <= next.least : part.least >= next.most);
    });
  if (follows('up')) return shape('up', least, most);
  return follows('down') ? shape('down', least, most) : undefined;
}

/** Computes the shapes of the nodes of one formula. */
class Shapes {
  constructor(
    private readonly field: VaryingField,
    private readonly child: (name: string, on: Interval) => Monotone | undefined = () => undefined,
  ) {}

  of(node: Node, on: Interval): Monotone | undefined {
    switch (node.op) {
      case 'constant':
        return constant(node.value);
      case 'variable':
        if (node.name === 'now') return constant(this.field.now);
        return node.field === undefined ? this.child(node.name, on) : constant(this.#contextValue(node));
      case 'path':
        if (this.#isField(node)) return this.field.isDate ? undefined : shape('up', ...on);
        return constant(this.#fixedValue(node));
      case 'default':
        return this.#isField(node.of) ? this.of(node.of, on) : undefined;
      case 'let':
        return this.of(node.of, on);
      case 'negate':
        return opposite(this.of(node.of, on));
      case 'chain':
        return this.#chain(node, on);
      case 'call':
        return this.#call(node, on);
      case 'choose':
        return this.#choose(node.cases, node.otherwise, on);
      default:
        return undefined;
    }
  }

  #isField(node: Node): boolean {
    const isCandidate = node.op === 'path' && node.of.op === 'variable' && node.of.name === 'candidate';
    return isCandidate && formatPath(node.steps) === this.field.path;
  }

  /** The value of a path that does not overlap the field; undefined if it may overlap. */
  #fixedValue(node: Node): unknown {
    if (node.op !== 'path' || node.of.op !== 'variable') return undefined;
    const { candidate, context, path } = this.field;
    if (node.of.name === 'context' && node.of.field === undefined) return read(node.steps, context);
    if (node.of.name !== 'candidate' || pathsOverlap(formatPath(node.steps), path)) return undefined;
    return read(node.steps, candidate);
  }

  #contextValue({ name, field }: Extract<Node, { readonly op: 'variable' }>): unknown {
    return name === 'context' && field !== undefined
      ? read([{ kind: 'key', key: field }], this.field.context)
      : undefined;
  }

  #chain({ by, parts }: Extract<Node, { readonly op: 'chain' }>, on: Interval): Monotone | undefined {
    let whole: Monotone | undefined;
    for (const [k, part] of parts.entries()) {
      const next = this.of(part, on);
      if (!next) return undefined;
      whole = k === 0 ? next : whole && chained(by, whole, next);
    }
    return whole;
  }

  #call({ name, args }: Extract<Node, { readonly op: 'call' }>, on: Interval): Monotone | undefined {
    const [first] = args;
    if (name === 'timestamp' && first && this.#isField(first)) return shape('up', ...on);
    const values = args.map((arg) => this.of(arg, on)).filter((value) => value !== undefined);
    const [x, y, z] = values;
    if (!x || values.length < args.length) return undefined;
    switch (name) {
      case 'min':
      case 'max':
        return values.length > 1 ? extreme(name === 'min' ? Math.min : Math.max, values) : undefined;
      case 'clamp': {
        const raised = y && extreme(Math.max, [x, y]);
        return raised && z && extreme(Math.min, [raised, z]);
      }
      case 'floor':
        return grown(x, Math.floor);
      case 'ceil':
        return grown(x, Math.ceil);
      case 'int':
        return grown(x, Math.trunc);
      case 'double':
      case 'timestamp':
        return x;
      case 'exp':
        return grown(x, Math.exp);
      case 'sqrt':
        return x.least >= 0 ? grown(x, Math.sqrt) : undefined;
      case 'ln':
        return x.least > 0 ? grown(x, Math.log) : undefined;
      case 'log2':
        return x.least > 0 ? grown(x, Math.log2) : undefined;
      case 'abs':
        return x.least >= 0 ? x : x.most <= 0 ? negated(x) : undefined;
      case 'pow':
        return y && power(x, y);
      default:
        return undefined;
    }
  }

  /** `a ? b : c ? d : e`: splits the interval where a test of the field changes its result. */
  #choose(
    cases: Extract<Node, { readonly op: 'choose' }>['cases'],
    otherwise: Node,
    on: Interval,
  ): Monotone | undefined {
    const [first, ...rest] = cases;
    if (!first) return this.of(otherwise, on);
    const [test, then] = first;
    const yes = (part: Interval): Monotone | undefined => this.of(then, part);
    const no = (part: Interval): Monotone | undefined => this.#choose(rest, otherwise, part);
    if (test.op === 'has') {
      if (this.#isField(test.of)) return yes(on);
      return undefined;
    }
    if (test.op !== 'binary') return undefined;
    const [left, right] = [this.of(test.left, on), this.of(test.right, on)];
    if (!left || !right) return undefined;
    const bound = right.slope === 'flat' && right.least === right.most ? right.least : undefined;
    if (bound === undefined) return undefined;
    const isField = this.#isField(test.left);
    if (test.by === '==') return isField ? cut(on, bound, no, yes) : undefined;
    if (test.by !== '<' && test.by !== '<=' && test.by !== '>' && test.by !== '>=') return undefined;
    const isBelow = test.by === '<' || test.by === '<=';
    if (left.slope === 'flat') return undefined;
    const yesComesFirst = isBelow === (left.slope === 'up');
    const [low, high] = yesComesFirst ? [yes, no] : [no, yes];
    if (!isField) return joined([low(on), high(on)]);
    const [least, most] = on;
    return joined([
      ...(bound >= least ? [low([least, Math.min(bound, most)])] : []),
      ...(bound <= most ? [high([Math.max(bound, least), most])] : []),
    ]);
  }
}

/** Splits an interval at one point that has a different shape. */
function cut(
  [least, most]: Interval,
  point: number,
  around: (part: Interval) => Monotone | undefined,
  at: (part: Interval) => Monotone | undefined,
): Monotone | undefined {
  if (point < least || point > most) return around([least, most]);
  return joined([
    ...(point > least ? [around([least, point])] : []),
    at([point, point]),
    ...(point < most ? [around([point, most])] : []),
  ]);
}

function chained(by: string, x: Monotone, y: Monotone): Monotone | undefined {
  if (by === '+') return sum(x, y);
  if (by === '-') return sum(x, negated(y));
  if (by === '*') return product(x, y);
  const inverted = by === '/' ? inverse(y) : undefined;
  return inverted && product(x, inverted);
}

const extreme = (of: (...values: number[]) => number, parts: readonly Monotone[]): Monotone | undefined =>
  shape(commonSlope(parts), of(...parts.map(({ least }) => least)), of(...parts.map(({ most }) => most)));

/** x^y, if x or y is a constant. */
function power(x: Monotone, y: Monotone): Monotone | undefined {
  if (y.least === y.most) {
    const f = (value: number): number => value ** y.least;
    if (x.least < 0 || (x.least === 0 && y.least < 0)) return undefined;
    return y.least >= 0 ? grown(x, f) : shape(REVERSED[x.slope], f(x.most), f(x.least));
  }
  if (x.least !== x.most || x.least <= 0) return undefined;
  const f = (value: number): number => x.least ** value;
  return x.least >= 1 ? grown(y, f) : shape(REVERSED[y.slope], f(y.most), f(y.least));
}

const read = (steps: Parameters<typeof compileSteps>[0], from: unknown): unknown =>
  compileSteps(steps, closureReader)(from);
