import type { Problem } from '../../diagnostics/index.js';
import { type Evaluation, ownIdOf, pinnedOnPage, type Plan, resolveScore, type RunResult } from '../../engine/index.js';
import { combineFacts, type Profile, readsWeights } from '../../profile/index.js';
import { warningAbout } from './warning.js';

/** The candidates whose sum was scaled up for the weights that are missing in it. Plain data, and mergeable. */
export interface RescaledScores {
  readonly count: number;
  /** On how many of them each entry was skipped, for which it has a weight. */
  readonly skipped: ReadonlyMap<string, number>;
  /** The first of them, and its factor. */
  readonly first: { readonly id: string | undefined; readonly index: number; readonly factor: number } | undefined;
}

export const NONE_RESCALED: RescaledScores = { count: 0, skipped: new Map(), first: undefined };

/**
 * Counts the rows of a part that were rescaled, where weights are literal. Only rows on which a scorer is missing are
 * looked at; their scorers are called again.
 *
 * @param offset how many candidates come before the part
 */
export function rescaledScores(
  plan: Plan,
  part: Pick<Evaluation, 'candidates' | 'kept' | 'scored' | 'context' | 'verdicts'>,
  offset = 0,
): RescaledScores {
  const { candidates, kept, verdicts, scored } = part;
  const { active, weightsOf } = scored.scoring;
  if (scored.partial.size === 0 || combineFacts(plan.profile.combine).weights !== 'literal') return NONE_RESCALED;
  return plan.current.enter(part.context, () => {
    const skipped = new Map<string, number>();
    let count = 0;
    let first: RescaledScores['first'];
    for (const row of scored.partial.keys()) {
      const position = kept[row]!;
      if (verdicts[position] !== 0) continue;
      const candidate = candidates[position];
      const weights = weightsOf(candidate, row);
      let all = 0;
      let here = 0;
      for (const [k, scorer] of active.entries()) {
        const weight = Math.abs(weights[k]!);
        all += weight;
        if (resolveScore(scorer, candidate, row).value !== undefined) here += weight;
        else if (weight > 0) addCount(skipped, scorer.entry.id, 1);
      }
      if (here === all) continue; // what is missing has no weight
      count += 1;
      first ??= { id: ownIdOf(plan.profile, candidate), index: offset + position, factor: all / here };
    }
    return { count, skipped, first };
  });
}

const addCount = (counts: Map<string, number>, id: string, count: number): void =>
  void counts.set(id, (counts.get(id) ?? 0) + count);

/** The rescaled rows of two parts together, the earlier one first. */
export function mergeRescaledScores(a: RescaledScores, b: RescaledScores): RescaledScores {
  const skipped = new Map(a.skipped);
  for (const [id, count] of b.skipped) addCount(skipped, id, count);
  return { count: a.count + b.count, skipped, first: a.first ?? b.first };
}

/** The warning that literal weights were not, at the entry that was skipped most. */
export function rescaledWarnings({ scorers }: Profile, { count, skipped, first }: RescaledScores): Problem[] {
  const entries = [...skipped].toSorted(([, a], [, b]) => b - a);
  if (!first || !entries[0]) return [];
  const [most] = entries[0];
  const named = entries.map(([id, times]) => `${id} (${times})`).join(', ');
  const scores = count === 1 ? '1 score of the weighted_sum is' : `${count} scores of the weighted_sum are`;
  const example = `${first.id ?? `#${first.index}`}, by ${Number(first.factor.toPrecision(4))}`;
  const message = `${scores} scaled up for entries that were skipped: ${named}; the first is ${example}`;
  const hint =
    'on_absent: 0 (on_error: 0, where it failed) takes weights as they are; defaults: { on_absent: 0 } for all';
  return [warningAbout(scorers.find(({ id }) => id === most) ?? {}, 'ASZ718', message, hint)];
}

/** How many of the selected are looked at for scores that rest on few scorers. */
const FIRST_SELECTED = 10;

/**
 * The warning that some of the first ten selected rest on less than half of the weight, because entries abstained or
 * failed and were skipped. Each scorer counts the same in a combine that reads no weights. Only these rows are scored again.
 *
 * @param nameAt the name of the candidate at a position
 */
export function thinScoreWarnings(
  plan: Plan,
  result: Pick<
    RunResult,
    'scored' | 'context' | 'candidates' | 'kept' | 'rows' | 'selected' | 'arrangement' | 'pinned'
  >,
  nameAt: (position: number) => string,
): Problem[] {
  const { scored, candidates, kept } = result;
  const { combine } = plan.profile;
  // A formula that reads a missing scorer leaves the candidate unscored.
  if (scored.partial.size === 0 || combineFacts(combine).effect === 'none') return [];
  const { active, weightsOf } = scored.scoring;
  const weighs = readsWeights(combine);
  const skipped = new Map<string, number>();
  const { rows: first, of } = firstSelected(plan, result);
  const named = plan.current.enter(result.context, () =>
    first.flatMap((row): string[] => {
      const position = kept[row]!;
      const candidate = candidates[position];
      if (!scored.partial.has(row)) return [];
      const weights = weighs ? weightsOf(candidate, row) : undefined;
      const terms = active.map((scorer, k) => ({
        id: scorer.entry.id,
        weight: Math.abs(weights ? weights[k]! : 1),
        isPresent: resolveScore(scorer, candidate, row).value !== undefined,
      }));
      const sum = (some: typeof terms): number => some.reduce((total, { weight }) => total + weight, 0);
      const share = sum(terms.filter(({ isPresent }) => isPresent)) / sum(terms);
      if (!(share < 0.5)) return [];
      const missing = terms.filter(({ isPresent, weight }) => !isPresent && weight > 0);
      for (const { id } of missing) addCount(skipped, id, 1);
      const percent = Number((share * 100).toPrecision(2));
      return [`${nameAt(position)} (${percent} %, without ${missing.map(({ id }) => id).join(', ')})`];
    }),
  );
  if (named.length === 0) return [];
  const subject = named.length === 1 ? 'rests' : 'rest';
  const message = `${named.length} of the first ${of} selected ${subject} on less than half of the ${weighs ? 'weight' : 'scorers'}: ${named.join('; ')}`;
  const hint =
    'on_absent (on_error, if it failed): refuse, or a number such as 0, does not let a candidate win by what is not known';
  const [most] = [...skipped].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return [warningAbout(plan.profile.scorers.find(({ id }) => id === most) ?? {}, 'ASZ720', message, hint)];
}

/** The scored rows among the first of the selected (`of`), the pinned included. */
function firstSelected(
  plan: Plan,
  { arrangement, pinned, selected, rows }: Pick<RunResult, 'arrangement' | 'pinned' | 'selected' | 'rows'>,
): { readonly rows: readonly number[]; readonly of: number } {
  const before = arrangement ? 0 : Math.min(FIRST_SELECTED, pinnedOnPage(plan, pinned).length);
  const first = arrangement
    ? arrangement.order.slice(0, FIRST_SELECTED).map(({ index }) => arrangement.rowOf.get(index))
    : Array.from(selected.rows.subarray(0, FIRST_SELECTED - before));
  return {
    rows: first.flatMap((row) => (row === undefined ? [] : [rows?.[row] ?? row])),
    of: before + first.length,
  };
}
