import {
  type CostedRow,
  defineSelector,
  expression,
  type ParamsOf,
  randomAt,
  type Selector,
  type SelectorFunction,
  type SelectorNote,
  type SelectorNotSelected,
  type SelectorRun,
  z,
} from '../../src/unit-sdk.js';

type PickParams = ParamsOf<typeof WeightedPick>;

/**
 * Chooses rows at random, one after another, each with the probability of its share of the weights that are left: a
 * weighted sample without replacement. Rows whose weight is 0 or less come last, in their order; if no weight is above
 * 0, all rows have the same probability. Pinned rows come first.
 *
 * It uses the seed of the run. Without a seed it chooses the best rows.
 */
export class WeightedPick implements Selector<PickParams> {
  static readonly meta = defineSelector({
    summary: 'Chooses rows at random, in proportion to their scores.',
    reads: 'params',
    params: z.strictObject({
      weight: expression({ want: 'number' }).optional().describe('The weight of a row. Default: its score.'),
    }),
    reasons: {
      drawn: 'drawn with a share of {share} (seed {seed})',
      not_drawn: 'not drawn, with a share of {share} (seed {seed})',
      below: 'less than the score of the last chosen',
    },
  });

  prepare({ weight }: PickParams, run: SelectorRun): SelectorFunction {
    const { seed } = run;
    const weightOf = weight && run.expression(weight);
    return (rows, { target }) => {
      const pinned = rows.filter((row) => row.pinned);
      const others = rows.filter((row) => !row.pinned);
      if (seed === undefined) {
        const [kept, left] = fill(others, target);
        return { kept: [...pinned, ...kept], left: left.map(({ index }) => ({ index, reason: 'below' })) };
      }
      const given = others.map(({ candidate, index, score }) => {
        const value = weightOf ? Number(weightOf(candidate, index) ?? 0) : score;
        return value > 0 && Number.isFinite(value) ? value : 0;
      });
      const weights = given.some((one) => one > 0) ? given : given.map(() => 1);
      const total = weights.reduce((sum, one) => sum + one, 0);
      const order = drawAll(weights, seed);
      const [kept, left] = fill(
        order.map((k) => others[k]!),
        target,
      );
      const shares = new Map(others.map(({ index }, k) => [index, weights[k]! / total]));
      const noteOf =
        (reason: string) =>
        ({ index }: CostedRow): SelectorNote => ({
          index,
          reason,
          data: { share: shares.get(index) ?? 0, seed },
        });
      return { kept: [...pinned, ...kept], left: left.map(noteOf('not_drawn')), notes: kept.map(noteOf('drawn')) };
    };
  }
}

/** The rows that fit into the target, in order, and the others. */
function fill(rows: readonly CostedRow[], target: number): readonly [kept: CostedRow[], left: CostedRow[]] {
  const kept: CostedRow[] = [];
  const left: CostedRow[] = [];
  let used = 0;
  for (const row of rows) {
    const fits = used + row.cost <= target;
    if (fits) used += row.cost;
    (fits ? kept : left).push(row);
  }
  return [kept, left];
}

/**
 * Draws positions without replacement, in proportion to their weights; those of weight 0 last. A tree of sums makes each
 * draw O(log n). Each sum is computed again from its two parts, so that no rounding accumulates. It uses only additions
 * and comparisons, which are the same on every machine.
 */
function drawAll(weights: readonly number[], seed: number): readonly number[] {
  const count = weights.length;
  let leaves = 1;
  while (leaves < weights.length) leaves *= 2;
  const sums = new Float64Array(2 * leaves);
  sums.set(weights, leaves);
  for (let node = leaves - 1; node > 0; node--) sums[node] = sums[2 * node]! + sums[2 * node + 1]!;
  const drawn: number[] = [];
  while (drawn.length < count && sums[1]! > 0) {
    let left = randomAt(seed, -1 - drawn.length) * sums[1]!; // negative: ties use the positions of candidates
    let node = 1;
    while (node < leaves) {
      node *= 2;
      if (left < sums[node]! || sums[node + 1] === 0) continue;
      left -= sums[node]!;
      node += 1;
    }
    drawn.push(node - leaves);
    for (sums[node] = 0; node > 1; ) {
      node >>= 1;
      sums[node] = sums[2 * node]! + sums[2 * node + 1]!;
    }
  }
  const taken = new Set(drawn);
  for (let k = 0; drawn.length < count; k++) if (!taken.has(k)) drawn.push(k);
  return drawn;
}

type SpreadParams = ParamsOf<typeof SpreadSelector>;

/** A limit of a `SpreadSelector`. */
const limitShape = {
  by: expression().describe(
    'The group of a row, such as candidate.author. A row for which it is absent is never deferred.',
  ),
  most: z.int().positive().default(1).describe('How many rows of a group a window may contain.'),
  window: z.int().min(2).default(2).describe('The number of consecutive rows. 2: only neighbours.'),
  first: z.int().min(2).describe('Instead of `window`: the first rows are the only window.').optional(),
};

interface Windows {
  readonly most: number;
  readonly window: number;
  readonly first?: number | undefined;
}

const isPossible = ({ most, window, first = window }: Windows): boolean => most < first;
const impossible = { path: ['most'], message: 'expected most below window or first' };

/**
 * Spreads the members of each group: at most `most` of them in any `window` consecutive rows. The default keeps equal
 * neighbours apart. A row that would exceed the limit is deferred: the next row that fits, among the `lookahead` best that
 * are left, goes first. If none fits, the best one is taken. No row is dropped, unless `select.diversify` has a top.
 */
export class SpreadSelector implements Selector<SpreadParams> {
  static readonly meta = defineSelector({
    summary: 'Spreads the members of each group: defers rows that follow too many of their group.',
    reads: 'params',
    params: z
      .strictObject({
        ...limitShape,
        lookahead: z
          .int()
          .positive()
          .default(100)
          .describe('How many of the remaining rows may be considered for a place.'),
        further: z
          .array(
            z
              .strictObject({
                ...limitShape,
                soft: z
                  .boolean()
                  .default(false)
                  .describe('If no row keeps all limits, the soft ones are ignored before the others.'),
              })
              .refine(isPossible, impossible),
          )
          .default([])
          .describe('More limits with groups of their own.'),
      })
      .refine(isPossible, impossible),
    reasons: {
      deferred: 'deferred from place {from} to {to}: {most} of {group} were among the {window} before it',
      crowded: 'in place {to} although {most} of {group} are among the {window} before it: no row ahead fits',
      beyond: 'in place {to} after deferring, below the top',
    },
  });

  prepare({ further, lookahead, ...main }: SpreadParams, run: SelectorRun): SelectorFunction {
    const limits = [{ ...main, soft: false }, ...further].map((limit) => ({ ...limit, of: run.expression(limit.by) }));
    const groupsOf = ({ candidate, index }: CostedRow) => limits.map(({ of }) => keyOf(of(candidate, index)));
    return (rows, { target }) => {
      const pinned = rows.filter((row) => row.pinned);
      const order: Placed[] = pinned.map((row) => ({ row, from: 0, groups: groupsOf(row), broke: undefined }));
      const waiting = rows
        .filter((row) => !row.pinned)
        .map((row, k): Placed => ({ row, from: k + 1, groups: groupsOf(row), broke: undefined }));
      const notes: SelectorNote[] = [];
      /** The limit that a row would break in the next place. */
      const brokenBy = ({ groups }: Placed, hard = false): Broken | undefined => {
        for (const [k, { most, window, first, soft }] of limits.entries()) {
          const group = groups[k];
          if (group === undefined || (hard && soft) || (first !== undefined && order.length >= first)) continue;
          const recent = first === undefined ? order.slice(1 - window) : order;
          if (recent.filter((one) => one.groups[k] === group).length < most) continue;
          return { most, group, window: first === undefined ? window - 1 : recent.length };
        }
        return undefined;
      };
      while (waiting.length > 0) {
        const near = waiting.slice(0, lookahead);
        let found = near.findIndex((one) => {
          const broken = brokenBy(one);
          one.broke = broken ?? one.broke;
          return broken === undefined;
        });
        if (found < 0) found = near.findIndex((one) => brokenBy(one, true) === undefined);
        const next = waiting.splice(Math.max(0, found), 1)[0]!;
        const broken = brokenBy(next);
        order.push(next);
        const to = order.length - pinned.length;
        const data = { from: next.from, to, ...(broken ?? next.broke) };
        if (broken) notes.push({ index: next.row.index, reason: 'crowded', data });
        else if (to > next.from && next.broke) notes.push({ index: next.row.index, reason: 'deferred', data });
      }
      const placeOf = new Map(order.map(({ row }, k) => [row.index, k + 1 - pinned.length]));
      const [kept, left] = fill(
        order.slice(pinned.length).map(({ row }) => row),
        target,
      );
      const chosen = new Set(kept.map(({ index }) => index));
      return {
        kept: [...pinned, ...kept],
        left: left.map(
          ({ index }): SelectorNotSelected => ({ index, reason: 'beyond', data: { to: placeOf.get(index) ?? 0 } }),
        ),
        notes: notes.filter(({ index }) => chosen.has(index)),
      };
    };
  }
}

/** A row, its place before, its group of each limit, and the limit that deferred it last. */
interface Placed {
  readonly row: CostedRow;
  readonly from: number;
  readonly groups: readonly (string | undefined)[];
  broke: Broken | undefined;
}

/** A limit that a row breaks: how many of its group are among how many rows before it. */
interface Broken {
  readonly most: number;
  readonly group: string;
  readonly window: number;
}

/** Groups are equal if their values are, whatever their type; an absent value is no group. */
const keyOf = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === 'string' ? value : JSON.stringify(value);
