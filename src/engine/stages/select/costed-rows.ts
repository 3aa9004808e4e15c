import type { CostedRow, Score, SelectorNotSelected } from '../../../sdk/index.js';
import { describeValue, toAssizeError } from '../../../base/index.js';
import { type BoundExpression, ExpressionStepsError, isMap } from '../../../expression/index.js';
import type { PackEntry } from '../../../profile/index.js';
import { causeOf, type Failures, RunFailed } from '../../failures.js';
import { type CompiledPack, type PackedVariant, withSelectReasons } from './select-plan.js';

/** A row before its cost is known. */
export type UncostedRow = Omit<CostedRow, 'cost'>;

/** Binds an expression to the rows of a run. */
export interface RowBinder {
  bind(evaluate: BoundExpression): Score<unknown, unknown>;
}

/** The rows to pack, pinned rows first, and the rows without a valid cost. */
interface PackCandidates {
  readonly rows: readonly CostedRow[];
  readonly unusable: readonly SelectorNotSelected[];
  /** By position in the input: the content of each of the row's `variants`. */
  readonly variants: ReadonlyMap<number, readonly PackedVariant[]>;
}

/** The cost of a row, or why it is unknown. */
type Cost = { readonly cost: number } | { readonly why: string; readonly error?: unknown };

/** The offered rows with their costs. Without a pack step, each cost is 0. */
export function costedRows(
  view: RowBinder,
  offered: readonly UncostedRow[],
  pack: CompiledPack | undefined,
  failures: Failures,
): PackCandidates {
  const rows: CostedRow[] = [];
  const unusable: SelectorNotSelected[] = [];
  const variants = new Map<number, readonly PackedVariant[]>();
  const costOf = pack && view.bind(pack.cost);
  const variantsOf = pack && costOf && variantReader(view, pack, costOf, failures);
  for (const row of offered) {
    const { index, candidate, pinned } = row;
    const cost = costOf ? evaluateCost(() => costOf(candidate, index), pack.entry.cost.source) : { cost: 0 };
    if ('cost' in cost) {
      if (cost.cost < 0) {
        unusable.push(withSelectReasons({ index, reason: 'negative_cost', data: { cost: cost.cost } }));
        continue;
      }
      const own = pinned ? undefined : variantsOf?.(row, cost.cost); // a pinned candidate stays whole
      if (own && own.length > 0) variants.set(index, own);
      const versions = own?.map(({ cost: less, share }) => ({ cost: less, share }));
      rows.push(versions ? { ...row, cost: cost.cost, variants: versions } : { ...row, cost: cost.cost });
      continue;
    }
    if (pinned && pack) throw unknownCost(pack.entry, row.id, cost.why);
    if ('error' in cost) failures.add('cost', 'pack', cost.error);
    unusable.push(withSelectReasons({ index, reason: 'no_cost', data: { why: cost.why } }));
  }
  return { rows, unusable, variants };
}

function evaluateCost(evaluate: () => unknown, source: string): Cost {
  try {
    const cost = evaluate();
    if (cost === undefined) return { why: `${source} is absent` };
    if (typeof cost === 'number' && Number.isFinite(cost)) return { cost };
    const error = new RangeError(`${source} is ${describeValue(cost)}; expected a number of at least 0`);
    return { why: error.message, error };
  } catch (error) {
    if (error instanceof ExpressionStepsError) throw new RunFailed('cost', 'pack', error);
    return { why: causeOf(error), error };
  }
}

/** The error for a pinned candidate without a known cost: it must be selected, and the budget cannot be computed. */
function unknownCost({ place }: PackEntry, id: string, why: string): Error {
  const message = `the cost of the pinned candidate ${id} is unknown: ${why}`;
  return toAssizeError([
    {
      code: 'ASZ510',
      message,
      path: 'select.pack.cost',
      place,
      hint: 'pinned candidates are always selected, so each needs a cost',
    },
  ]);
}

/** Reads the shorter versions of a row, given its own cost. Versions that are malformed are reported, and not used. */
function variantReader(
  view: RowBinder,
  { entry, variants }: CompiledPack,
  costOf: Score<unknown, unknown>,
  failures: Failures,
): ((row: UncostedRow, whole: number) => readonly PackedVariant[]) | undefined {
  if (!variants) return undefined;
  const listOf = view.bind(variants);
  // A measure and a score are those of the whole candidate, so a version has no cost of its own by such an expression.
  const isOwn = !entry.cost.reads.some((read) => /^(?:measures|stats|scores?)\b/.test(read));
  const { source } = entry.cost;
  return ({ candidate, index }, whole) => {
    try {
      const list = listOf(candidate, index);
      if (list === undefined || list === null) return [];
      if (!Array.isArray(list)) throw new TypeError(`variants is ${describeValue(list)}; expected a list of maps`);
      return list.flatMap((value: unknown, at): PackedVariant[] => {
        if (!isMap(value)) throw new TypeError(`variants[${at}] is ${describeValue(value)}; expected a map`);
        const merged = isMap(candidate) ? { ...candidate, ...value } : value;
        const cost = evaluateCost(
          () => value['cost'] ?? (isOwn ? costOf(merged, index) : undefined),
          `variants[${at}].${value['cost'] === undefined && isOwn ? source : 'cost'}`,
        );
        if (!('cost' in cost)) throw new TypeError(cost.why);
        if (cost.cost < 0) throw new RangeError(`variants[${at}] costs ${cost.cost}; expected at least 0`);
        // A version that saves nothing is never better than the whole candidate.
        if (cost.cost >= whole) return [];
        const share = value['share'] ?? cost.cost / whole;
        if (typeof share !== 'number' || !(share >= 0 && share <= 1))
          throw new TypeError(`variants[${at}].share is ${describeValue(share)}; expected a number from 0 to 1`);
        return [{ at, cost: cost.cost, share, value }];
      });
    } catch (error) {
      if (error instanceof ExpressionStepsError) throw new RunFailed('variants', 'pack', error);
      failures.add('variants', 'pack', error);
      return [];
    }
  };
}
