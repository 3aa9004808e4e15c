import type { Ranking } from '../../ranking/ranking.js';
import { refusalJson } from '../../ranking/row-json.js';
import type { Ranked, Selected } from '../../ranking/rows.js';
import { escapeInvisibleInJson } from '../../text/escape-invisible.js';
import type { NumberByScorer, ScoreTerms } from '../../ranking/score-terms.js';

/** A value as indented JSON. */
export const jsonText = (value: unknown): string => `${escapeInvisibleInJson(JSON.stringify(value, undefined, 2))}\n`;

/** Rows as JSON Lines. */
const jsonLines = <R>(rows: readonly R[], valueOf: (row: R) => object): string =>
  rows.map((row) => `${escapeInvisibleInJson(JSON.stringify(valueOf(row)))}\n`).join('');

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
 * - `weights`: by scorer, in a mean its share; missing where the combine reads none; `caseWeights`: the same by case, where
 *   there are cases
 * - `ranked`, best first: `{ rank, id, index, score, partial?, scores, states?, case?, weights?, contributions?, combined?, rules? }`;
 *   `partial` is `{ present, of }`, and the rest is as in `ScoreTerms`, but for `weights`, which are there where they
 *   are not those of the run
 * - `selected`: the same, or `{ id, index, because }` for a row that does not depend on its score; where a class chose it,
 *   `note`: `{ reason, text, data? }`
 * - `leftOut`: the same as `ranked`, and `{ reason, text, data?, keptInstead? }`
 * - `refused`: `{ id, index, kind, by, reason, all? }`; `all` where more than one entry refused it
 * - `budget`: its use, where the profile packs; `selected` and `leftOut` have `cost` then
 * - `pruned`: where scorers were run on some candidates only: `{ exact, entries: [{ entry, asked, pruned }] }`
 * - `report`: the values of the reports, by id
 * - `degraded`: `{ entry, stage, cause, causes?, count, instead }`; `causes`, `{ cause, count }`, where there are several
 * - `warnings`: `{ code, message, path?, place?, hint? }`
 */
export function rankingJson(ranking: Ranking<unknown>, { candidates = false }: RankingJsonOptions): string {
  const { ranked, selected, leftOut, refused } = ranking;
  const candidateOf = (row: { readonly candidate: unknown }) => (candidates ? { candidate: row.candidate } : {});
  const { weights, caseWeights } = ranking;
  const row = ({ candidate, ...rest }: Ranked<unknown> | Selected<unknown>) => ({
    ...orderKeys(rest),
    ...withoutWeights(termsOf(ranking, rest), weights),
    ...candidateOf({ candidate }),
  });
  const whole = {
    profile: ranking.profile,
    counts: { ranked: ranked.length, selected: selected.length, leftOut: leftOut.length, refused: refused.length },
    ...(weights && { weights }),
    ...(caseWeights.size > 0 && { caseWeights: Object.fromEntries(caseWeights) }),
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

/** The terms of a row without its weights, where they are those of the run. */
function withoutWeights(terms: ScoreTerms | undefined, ofRun: NumberByScorer | undefined): ScoreTerms | undefined {
  if (!terms?.weights || !ofRun) return terms;
  const { weights, ...rest } = terms;
  return Object.keys(ofRun).every((id) => weights[id] === ofRun[id]) ? rest : terms;
}

/** A ranking with the terms of its scores. */
type RankingWithTerms<K extends 'selected' | 'leftOut'> = Pick<Ranking<unknown>, K | 'terms'>;

/** The terms of a row; none for a fallback that was only generated, which has no position. */
const termsOf = (ranking: RankingWithTerms<never>, { index }: { readonly index: number }): ScoreTerms | undefined =>
  index < 0 ? undefined : ranking.terms({ index });

/**
 * The selected as JSON Lines: `{ rank, id, index, score, candidate }`, with the terms of the score before the candidate.
 * Rank and score are null for pinned rows and fallbacks.
 */
export const rankingJsonLines = (ranking: RankingWithTerms<'selected'>): string =>
  jsonLines(ranking.selected, ({ rank = null, id, index, score = null, candidate }) => {
    return { rank, id, index, score, ...termsOf(ranking, { index }), candidate };
  });

/**
 * What goes into a budget, in its order, then what is left out, as JSON Lines: `{ in, id, index, cost, score, candidate }`,
 * with `because` in place of a score, or with `reason`, `text` and `keptInstead`, and with the terms of the score before the
 * candidate. Unknown values are omitted.
 */
export function packJsonLines(ranking: RankingWithTerms<'selected' | 'leftOut'>): string {
  const inside = jsonLines(ranking.selected, ({ id, index, cost, score, because, candidate }) => {
    return { in: true, id, index, cost, score, because, ...termsOf(ranking, { index }), candidate };
  });
  const outside = jsonLines(ranking.leftOut, ({ id, index, cost, score, reason, text, keptInstead, candidate }) => {
    return { in: false, id, index, cost, score, reason, text, keptInstead, ...termsOf(ranking, { index }), candidate };
  });
  return inside + outside;
}
