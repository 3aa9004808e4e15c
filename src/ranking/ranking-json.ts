import { writableInJson, escapeInvisibleInJson } from '../base/index.js';
import type { Ranking } from './ranking.js';
import type { Ranked, Refused, Scored, Selected } from './rows.js';
import type { NumberByScorer, ScoreTerms } from './score-terms.js';

/** The optional parts of the JSON of a ranking. Default: all except the candidates. */
export interface RankingJsonOptions {
  /** Whether each row includes its candidate. Default: false. */
  readonly candidates?: boolean | undefined;
  /** Whether each row includes the numbers of its score. This calls its scorers again. */
  readonly terms?: boolean | undefined;
  readonly ranked?: boolean | undefined;
  readonly notSelected?: boolean | undefined;
  /** Some of them evaluate every scorer on every candidate again. */
  readonly warnings?: boolean | undefined;
}

/**
 * A ranking as an object for JSON. Its keys are stable; new ones may come.
 *
 * - `profile`: its name
 * - `labels`: the names for people of the entries that have one, by id; missing if none has
 * - `counts`: how many were `ranked`, `selected`, `notSelected` and `refused`
 * - `weights`: by scorer, in a mean its share; missing if the combine reads none; `caseWeights`: the same by case, where
 *   there are cases
 * - `ranked`, best first: `{ rank, id, index, score, partial?, scores, states?, case?, weights?, contributions?, combined?, rules? }`;
 *   `partial` is `{ present, of }`, and the rest is as in `ScoreTerms`, but for `weights`, which are there where they
 *   are not those of the run
 * - `selected`: the same, or `{ id, index, because }` for a row that does not depend on its score; if a class chose it,
 *   `note`: `{ reason, text, data? }`
 * - `notSelected`: the same as `ranked`, and `{ reason, text, data?, replacedBy? }`
 * - `refused`: `{ id, index, kind, by, reason, all? }`; `all` if more than one entry refused it
 * - `budget`: its use, where the profile packs; `selected` and `notSelected` have `cost` then
 * - `pruned`: where scorers were run on some candidates only: `{ exact, entries: [{ entry, asked, pruned }] }`
 * - `report`: the values of the reports, by id
 * - `degraded`: `{ entry, stage, cause, causes?, count, instead }`; `causes`, `{ cause, count }`, if there are several
 * - `warnings`: `{ code, message, path?, place?, hint? }`
 */
export function rankingJson(ranking: Ranking<unknown>, options: RankingJsonOptions = {}): object {
  return Object.fromEntries(
    jsonFields(ranking, options).map(([key, value]) => [key, value instanceof JsonRows ? [...value.rows()] : value]),
  );
}

/**
 * The same as indented JSON, in parts: a row is made when its part is read, and no part is longer than a row. A million rows
 * together are longer than a string can be.
 */
export function* rankingJsonText(ranking: Ranking<unknown>, options: RankingJsonOptions = {}): Generator<string, void> {
  let before = '{';
  for (const [key, value] of jsonFields(ranking, options)) {
    const name = `${before}\n  ${JSON.stringify(key)}: `;
    before = ',';
    if (value instanceof JsonRows) yield* listText(name, value.rows());
    else yield name + indented(value, '  ');
  }
  yield '\n}\n';
}

function* listText(name: string, rows: Iterable<object>): Generator<string, void> {
  let isEmpty = true;
  for (const row of rows) {
    yield `${isEmpty ? `${name}[` : ','}\n    ${indented(row, '    ')}`;
    isEmpty = false;
  }
  yield isEmpty ? `${name}[]` : '\n  ]';
}

/** A value as `JSON.stringify` indents it inside others. A line break is never part of a string of JSON. */
const indented = (value: unknown, indent: string): string =>
  escapeInvisibleInJson(JSON.stringify(value, undefined, 2)).replaceAll('\n', `\n${indent}`);

/** Rows that are created on each read. */
class JsonRows {
  constructor(readonly rows: () => Iterable<object>) {}
}

/** The keys of the JSON of a ranking, in order. Values that JSON cannot have are left out. */
function jsonFields(
  ranking: Ranking<unknown>,
  options: RankingJsonOptions,
): readonly (readonly [key: string, value: unknown])[] {
  const { candidates = false, terms = true } = options;
  const { labels, weights, caseWeights } = ranking;
  const { given: _, ...counts } = ranking.counts;
  const candidateOf = (row: { readonly candidate: unknown }) =>
    candidates ? { candidate: writableInJson(row.candidate) } : {};
  const row = ({ candidate, ...rest }: Ranked<unknown> | Selected<unknown>) => ({
    ...orderKeys(rest),
    ...(terms && withoutWeights(termsOf(ranking, rest), weights)),
    ...candidateOf({ candidate }),
  });
  const refusal = (one: Refused<unknown>) => {
    return { id: one.id, index: one.index, ...refusalJson(one), ...candidateOf(one) };
  };
  const fields: Readonly<Record<string, unknown>> = {
    profile: ranking.profile,
    labels,
    counts,
    weights,
    caseWeights: caseWeights.size > 0 ? Object.fromEntries(caseWeights) : undefined,
    ranked: (options.ranked ?? true) ? new JsonRows(() => mapped(ranking.each('ranked'), row)) : undefined,
    selected: new JsonRows(() => mapped(ranking.selected, row)),
    notSelected:
      (options.notSelected ?? true) ? new JsonRows(() => mapped(ranking.each('notSelected'), row)) : undefined,
    refused: new JsonRows(() => mapped(ranking.each('refused'), refusal)),
    budget: ranking.budget,
    pruned: ranking.pruned,
    report: writableInJson(Object.fromEntries(ranking.report)),
    degraded: ranking.degraded,
    warnings: (options.warnings ?? true) ? ranking.warnings : undefined,
  };
  return Object.entries(fields).filter(([, value]) => value !== undefined);
}

function* mapped<R>(rows: Iterable<R>, valueOf: (row: R) => object): Generator<object, void> {
  for (const row of rows) yield valueOf(row);
}

/** The keys of a row with the most important first. */
const orderKeys = ({ rank, id, index, score, ...rest }: Omit<Ranked<unknown> | Selected<unknown>, 'candidate'>) => ({
  ...(rank !== undefined && { rank }),
  id,
  index,
  ...(score !== undefined && { score }),
  ...rest,
});

/** The terms of a row without its weights, if they are those of the run. */
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

/** A row of `assize score`: of a scored, a refused, a pinned or a fallback candidate. */
export type ScoreRow =
  | (Omit<Scored<object>, 'because'> & { readonly because?: 'pinned' | 'fallback' })
  | Refused<object>;

/**
 * A row as JSON. Its keys are stable; new ones may come.
 *
 * - scored: `{ id, index, score, partial?, scores, states?, case?, weights?, contributions?, combined?, rules? }`; `partial` is
 *   `{ present, of }`, and what follows it is as in `ScoreTerms`
 * - refused: `{ id, index, score: null, kind, by, reason, all? }`; `all` if more than one entry refused it
 * - not scored: `{ id, index, score: null, because }`
 *
 * @param candidates whether it includes the candidate
 */
export const rowJson = (row: ScoreRow, candidates: boolean): string =>
  rowJsonAt(row, idJson(row.id), String(row.index), candidates);

/** The id of a row as JSON. */
export const idJson = (id: string): string => escapeInvisibleInJson(JSON.stringify(id));

/** A row as JSON with another id and position, each given as JSON. */
export function rowJsonAt(row: ScoreRow, id: string, index: string, candidates: boolean): string {
  const { candidate } = row;
  const score = 'score' in row ? (row.score ?? null) : null;
  const fields = { score, ...rowFields(row) };
  const text = candidates ? withCandidate(fields, candidate) : JSON.stringify(fields);
  return `{"id":${id},"index":${index},${escapeInvisibleInJson(text).slice(1)}`;
}

function withCandidate(fields: object, candidate: object): string {
  try {
    return JSON.stringify({ ...fields, candidate });
  } catch {
    return JSON.stringify({ ...fields, candidate: writableInJson(candidate) }); // tested only here: a test costs as much
  }
}

/** The refusal of a candidate as an object; `all` if more than one entry refused it. */
const refusalJson = ({ kind, by, reason, all }: Refused<unknown>): object => ({
  kind,
  by,
  reason,
  ...(all.length > 1 && { all }),
});

function rowFields(row: ScoreRow): object {
  if ('kind' in row) return refusalJson(row);
  const { partial, because, scores, states, case: weightCase, weights, contributions, combined, rules } = row;
  return { partial, because, scores, states, case: weightCase, weights, contributions, combined, rules };
}
