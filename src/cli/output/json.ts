import type { Ranking } from '../../ranking/ranking.js';
import { refusalJson } from '../../ranking/row-json.js';
import type { Ranked, Selected } from '../../ranking/rows.js';

/** A value as indented JSON. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Values as JSON Lines. */
const jsonLines = (values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** What the JSON of a ranking contains. */
export interface RankingJsonOptions {
  /** Whether each row has its candidate; no by default. */
  readonly candidates?: boolean | undefined;
}

/**
 * A ranking as JSON. Its keys are stable; new ones may come.
 *
 * - `profile`: its name
 * - `counts`: how many were `ranked`, `selected`, `leftOut` and `refused`
 * - `ranked`, best first: `{ rank, id, index, score, partial? }`; `partial` is `{ present, of }`
 * - `selected`: the same, or `{ id, index, because }` for a row that does not depend on its score
 * - `leftOut`: the same as `ranked`, and `{ reason, text, data?, keptInstead? }`
 * - `refused`: `{ id, index, kind, by, reason, all? }`; `all` where more than one entry refused it
 * - `budget`: its use, where the profile packs; `selected` and `leftOut` have `cost` then
 * - `pruned`: where scorers were run on some candidates only: `{ exact, entries: [{ entry, asked, pruned }] }`
 * - `report`: the values of the reports, by id
 * - `degraded`: `{ entry, stage, cause, count }`
 * - `warnings`: `{ code, message, path?, place?, hint? }`
 */
export function rankingJson(ranking: Ranking<unknown>, { candidates = false }: RankingJsonOptions): string {
  const { ranked, selected, leftOut, refused } = ranking;
  const candidateOf = (row: { readonly candidate: unknown }) => (candidates ? { candidate: row.candidate } : {});
  const row = ({ candidate, ...rest }: Ranked<unknown> | Selected<unknown>) => ({
    ...orderKeys(rest),
    ...candidateOf({ candidate }),
  });
  const whole = {
    profile: ranking.profile,
    counts: { ranked: ranked.length, selected: selected.length, leftOut: leftOut.length, refused: refused.length },
    ranked: ranked.map(row),
    selected: selected.map(row),
    leftOut: leftOut.map(row),
    refused: refused.map((one) => {
      return { id: one.id, index: one.index, ...refusalJson(one), ...candidateOf(one) };
    }),
    ...(ranking.budget && { budget: ranking.budget }),
    ...(ranking.pruned && { pruned: ranking.pruned }),
    report: Object.fromEntries(ranking.report),
    degraded: ranking.degraded,
    warnings: ranking.warnings,
  };
  return jsonText(whole);
}

/** The keys of a row with the most important first. */
const orderKeys = ({ rank, id, index, score, ...rest }: Omit<Ranked<unknown> | Selected<unknown>, 'candidate'>) => ({
  ...(rank !== undefined && { rank }),
  id,
  index,
  ...(score !== undefined && { score }),
  ...rest,
});

/** The selected as JSON Lines: `{ rank, id, score, candidate }`; rank and score are null for pinned rows and fallbacks. */
export function rankingJsonLines({ selected }: Pick<Ranking<unknown>, 'selected'>): string {
  const rows = selected.map(({ rank = null, id, score = null, candidate }) => {
    return { rank, id, score, candidate };
  });
  return jsonLines(rows);
}

/**
 * What goes into a budget, in its order, then what is left out, as JSON Lines: `{ in, id, cost, score, candidate }`, with
 * `because` in place of a score, or with `reason`, `text` and `keptInstead`. Unknown values are omitted.
 */
export function packJsonLines({ selected, leftOut }: Ranking<unknown>): string {
  const inside = selected.map(({ id, cost, score, because, candidate }) => {
    return { in: true, id, cost, score, because, candidate };
  });
  const outside = leftOut.map(({ id, cost, score, reason, text, keptInstead, candidate }) => {
    return { in: false, id, cost, score, reason, text, keptInstead, candidate };
  });
  return jsonLines([...inside, ...outside]);
}
