import {
  type CostedRow,
  child,
  defineSelector,
  type ParamsOf,
  type Selector,
  type SelectorFunction,
  type SelectorLeftOut,
  type SelectorLimits,
  type SelectorResult,
  type SelectorRun,
  z,
} from '../../src/sdk.js';
import { applyCaps } from './count-caps.js';
import { groupByKind, kindKey } from './kind-groups.js';
import { bestFirst, packNothing, pinnedRows, totalCost, unpinnedRows } from './packing.js';
import { byParam, kindParam, kindRules } from './quota-params.js';
import { attributeToRequired } from './required-first.js';

const count = z.number().int().min(0);

const countRules = kindRules(
  z.strictObject({
    kind: kindParam(),
    require: count.default(0).describe('How many are in, whatever they cost.'),
    cap: count.optional().describe('How many are in at most; no limit when not said.'),
  }),
);

type Params = ParamsOf<typeof CountQuotaPack>;

/**
 * Holds kinds to a number of rows. The best of each that are required come first, whatever they cost; another selector
 * fills the room that is left; then what exceeds a cap is dropped, in the order in which that selector gave its rows.
 *
 * Cupel's CountQuota and, around KnapsackPack, its CountConstrainedKnapsack. The room of what a cap drops is lost. What
 * is required may cost more than the target: the profile's `overflow` decides then.
 */
export class CountQuotaPack implements Selector<Params> {
  static readonly meta = defineSelector({
    summary: 'Requires and caps a number of rows of each kind, and packs the rest.',
    params: z.strictObject({
      by: byParam(),
      counts: countRules.describe('The rules, one a kind.'),
      scarcity: z
        .literal(['degrade', 'throw'])
        .default('degrade')
        .describe('Where fewer are there than required: a warning, or the run fails.'),
      inner: child().describe('The selector that fills the rest: { class: GreedyPack }.'),
    }),
    overflows: ({ counts: rules }) => rules.some(({ require }) => require > 0),
    reasons: {
      no_budget: 'there is no room at all',
      required_first: 'it costs {cost}, and beside what is required there is room for {room}',
      count_cap: '{kind} has its {cap} already',
      to_capped: 'it costs {cost}, and its room went to {capped}, who then were more than their cap',
    },
  });

  prepare({ by: kindOf, counts: rules, scarcity, inner }: Params, run: SelectorRun): SelectorFunction {
    const select = run.selector(inner);
    const kinds = run.expression(kindOf);
    const keyOf = (row: CostedRow): string => kindKey(kinds(row.candidate, row.index));
    return (rows, limits) => {
      const free = unpinnedRows(rows);
      if (free.length === 0 || limits.target <= 0) return packNothing(rows);
      const groups = groupByKind(free, kinds);
      const short: string[] = [];
      const required = rules.flatMap(({ kind: name, require }) => {
        const there = groups.get(kindKey(name))?.rows ?? [];
        if (there.length < require)
          short.push(`${name}: ${there.length} of the ${require} rows that are required are there`);
        return require > 0 ? bestFirst(there).slice(0, require) : [];
      });
      if (short.length > 0 && scarcity === 'throw') throw new RangeError(short.join('; '));
      const rest = packRest(free, required, limits, select);
      const capped = applyCaps(rules, free, required, rest, keyOf);
      return {
        kept: [...pinnedRows(rows), ...required, ...capped.kept],
        left: capped.left,
        warnings: [...short, ...(rest.warnings ?? [])],
      };
    };
  }
}

/** What the inner selector makes of the others, in the room that what is required leaves. */
function packRest(
  rows: readonly CostedRow[],
  required: readonly CostedRow[],
  limits: SelectorLimits,
  select: SelectorFunction,
): SelectorResult {
  const taken = new Set(required.map(({ index }) => index));
  const others = rows.filter(({ index }) => !taken.has(index));
  const room = Math.max(0, limits.target - totalCost(required));
  const picked = room > 0 && others.length > 0 ? select(others, { target: room, max: limits.max }) : noRoom(others);
  return { ...picked, left: attributeToRequired(picked.left, others, required, room, limits.target) };
}

const noRoom = (rows: readonly CostedRow[]): SelectorResult => ({
  kept: [],
  left: rows.map(({ index }): SelectorLeftOut => ({ index, reason: 'no_budget' })),
});
