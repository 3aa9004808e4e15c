import type { Ranking } from './ranking.js';
import { refusalJson } from './row-json.js';
import type { Ranked, Selected } from './rows.js';
import type { NumberByScorer, ScoreTerms } from './score-terms.js';

/** What the JSON of a ranking contains besides what every one has. All but the candidates by default. */
export interface RankingJsonOptions {
  /** Whether each row has its candidate; no by default. */
  readonly candidates?: boolean | undefined;
  /** Whether each row has the numbers that its score is made of, for which its scorers are called again. */
  readonly terms?: boolean | undefined;
  readonly ranked?: boolean | undefined;
  readonly leftOut?: boolean | undefined;
  /** Some of them ask every scorer about every candidate again. */
  readonly warnings?: boolean | undefined;
}

/**
 * A ranking as an object for JSON. Its keys are stable; new ones may come.
 *
 * - `profile`: its name
 * - `labels`: the names for people of the entries that have one, by id; missing where none has
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
export function rankingJson(ranking: Ranking<unknown>, options: RankingJsonOptions = {}): object {
  const { candidates = false, terms = true } = options;
  const { labels, selected, refused, weights, caseWeights } = ranking;
  const { ranked, leftOut } = ranking.counts;
  const candidateOf = (row: { readonly candidate: unknown }) => (candidates ? { candidate: row.candidate } : {});
  const row = ({ candidate, ...rest }: Ranked<unknown> | Selected<unknown>) => ({
    ...orderKeys(rest),
    ...(terms && withoutWeights(termsOf(ranking, rest), weights)),
    ...candidateOf({ candidate }),
  });
  return {
    profile: ranking.profile,
    ...(labels && { labels }),
    counts: { ranked, selected: selected.length, leftOut, refused: refused.length },
    ...(weights && { weights }),
    ...(caseWeights.size > 0 && { caseWeights: Object.fromEntries(caseWeights) }),
    ...((options.ranked ?? true) && { ranked: ranking.ranked.map(row) }),
    selected: selected.map(row),
    ...((options.leftOut ?? true) && { leftOut: ranking.leftOut.map(row) }),
    refused: refused.map((one) => {
      return { id: one.id, index: one.index, ...refusalJson(one), ...candidateOf(one) };
    }),
    ...(ranking.budget && { budget: ranking.budget }),
    ...(ranking.pruned && { pruned: ranking.pruned }),
    report: Object.fromEntries(ranking.report),
    degraded: ranking.degraded,
    ...((options.warnings ?? true) && { warnings: ranking.warnings }),
  };
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

/** The terms of a row; none for a fallback that was only generated, which has no position. */
export const termsOf = (
  ranking: Pick<Ranking<unknown>, 'terms'>,
  { index }: { readonly index: number },
): ScoreTerms | undefined => (index < 0 ? undefined : ranking.terms({ index }));
