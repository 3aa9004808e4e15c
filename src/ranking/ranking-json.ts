import { writableInJson, escapeInvisibleInJson, problemJson, roundNumbers, snakeCaseKeys } from '../base/index.js';
import type { EachRow, Ranked, RankingResult, Refused, Scored, Selected, SelectedVariant } from './rows.js';
import type { NumberByScorer, ScoreTerms } from './score-terms.js';

/** The optional parts of the JSON of a ranking. */
export interface RankingJsonOptions {
  /** Whether each row includes its candidate. Default: false. */
  readonly candidates?: boolean | undefined;
  /** Whether each row includes the terms of its score. Calls the scorers again. Default: true. */
  readonly terms?: boolean | undefined;
  /** Whether every scored row is listed by rank. Default: false; they are in `selected` and `not_selected`. */
  readonly ranked?: boolean | undefined;
  /** Default: true. */
  readonly notSelected?: boolean | undefined;
  /** Default: true. If false, `refused_counts` is written instead. */
  readonly refused?: boolean | undefined;
  /** Default: true. Some warnings call scorers again. */
  readonly warnings?: boolean | undefined;
  /** The maximum number of rows in `selected`. Default: all. */
  readonly rows?: number | undefined;
  /** The most significant digits of scores, weights and costs. Default: all, so that they are exact. */
  readonly digits?: number | undefined;
}

/**
 * A ranking as an object for JSON. All kinds of runs have the same keys. Keys are stable; new keys may be added.
 *
 * - `profile`: its name
 * - `labels`: the display names of entries, by id; missing if no entry has one
 * - `counts`: how many were `ranked`, `selected`, `not_selected` and `refused`
 * - `weights`: by scorer, normalized in a mean; missing if the combine method ignores weights; `case_weights`: by case
 * - `selected`: `{ rank, id, index, score, partial?, note? }` and the keys of `ScoreTerms`, with `weights` only if they
 *   differ from the run's; `{ id, index, because }` for a row that was not selected for its score. `partial` is
 *   `{ present, of }`; `note` is the reason that a class gave for selecting the row: `{ reason, text, data? }`
 * - `more`: the number of selected rows that are not listed, with the option `rows`
 * - `not_selected`: the same as `selected`, and `{ reason, text, data?, replaced_by? }`
 * - `refused`: `{ id, index, kind, by, reason, all? }`; `all` if more than one entry refused it
 * - `not_selected_counts`, `refused_counts`: instead of these two lists if the run does not keep them:
 *   `{ reason, count }`, and `{ by, kind, count, examples }`
 * - `ranked`, with the option: every scored row, best first
 * - `budget`: its use, if the profile packs; `selected` and `not_selected` then have `cost`. `optimality` is
 *   `{ method, optimal, score, bound, gap }`. A row of `selected` has `variant`, `{ at, value? }`, if a shorter version is
 *   packed; `value` only with its candidate
 * - `pruned`: if some scorers ran only on some candidates: `{ exact, entries: [{ entry, evaluated, pruned }] }`
 * - `report`: the values of the reports, by id
 * - `degraded`: `{ entry, stage, cause, causes?, count, instead }`; `causes`, `{ cause, count }`, if there are several
 * - `warnings`: `{ severity, code, message, path?, place?, hint? }`
 */
export function rankingJson(ranking: RankingResult<unknown>, options: RankingJsonOptions = {}): object {
  return Object.fromEntries(
    jsonFields(ranking, options).map(([key, value]) => [key, value instanceof JsonRows ? [...value.rows()] : value]),
  );
}

/**
 * The same as indented JSON, in parts of at most one row, because the JSON of a million rows exceeds the maximum string
 * length. Creates each row when its part is read.
 */
export function* rankingJsonText(
  ranking: RankingResult<unknown>,
  options: RankingJsonOptions = {},
): Generator<string, void> {
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

/** Indents a nested value as `JSON.stringify` does. Safe because JSON strings do not contain line breaks. */
const indented = (value: unknown, indent: string): string =>
  escapeInvisibleInJson(JSON.stringify(value, undefined, 2)).replaceAll('\n', `\n${indent}`);

/** Rows that are created on each iteration. */
class JsonRows {
  constructor(readonly rows: () => Iterable<object>) {}
}

/** The keys and values of the JSON of a ranking, in order, without undefined values. */
function jsonFields(
  ranking: RankingResult<unknown>,
  options: RankingJsonOptions,
): readonly (readonly [key: string, value: unknown])[] {
  const { candidates = false, terms = true, digits } = options;
  const rounded = (value: object): object => (digits === undefined ? value : roundNumbers(value, digits));
  const { labels, weights, caseWeights } = ranking;
  const { given: _, ...counts } = ranking.counts;
  const candidateOf = (row: { readonly candidate: unknown }) =>
    candidates ? { candidate: writableInJson(row.candidate) } : {};
  const row = ({ candidate, variant, ...rest }: JsonRow & { readonly candidate: unknown }) => {
    const version = variant && {
      variant: { at: variant.at, ...(candidates && { value: writableInJson(variant.value) }) },
    };
    const fields = { ...orderKeys(rest), ...version, ...(terms && withoutWeights(termsOf(ranking, rest), weights)) };
    return Object.assign(rounded(fields), candidateOf({ candidate }));
  };
  const refusal = (one: Refused<unknown>) => {
    return { id: one.id, index: one.index, ...refusalJson(one), ...candidateOf(one) };
  };
  const { selected } = ranking;
  const listOf = <L extends keyof EachRow<unknown>>(
    list: L,
    isWanted: boolean | undefined,
    valueOf: (one: EachRow<unknown>[L]) => object,
  ): JsonRows | undefined => {
    if (!ranking.each || isWanted === false) return undefined;
    return new JsonRows(() => mapped(ranking.each?.(list) ?? [], valueOf));
  };
  const fields: Readonly<Record<string, unknown>> = {
    profile: ranking.profile,
    labels,
    seed: ranking.seed,
    counts: snakeCaseKeys(counts),
    weights: weights && rounded(weights),
    case_weights: Object.keys(caseWeights).length > 0 ? rounded(caseWeights) : undefined,
    ranked: options.ranked === true ? listOf('ranked', true, row) : undefined,
    selected: new JsonRows(() => mapped(options.rows === undefined ? selected : selected.slice(0, options.rows), row)),
    more: options.rows !== undefined && selected.length > options.rows ? selected.length - options.rows : undefined,
    not_selected: listOf('notSelected', options.notSelected, row),
    refused: listOf('refused', options.refused, refusal),
    not_selected_counts: ranking.each ? undefined : ranking.notSelectedCounts,
    refused_counts: ranking.each && (options.refused ?? true) ? undefined : ranking.refusedCounts,
    budget: ranking.budget && rounded(snakeCaseKeys(ranking.budget)),
    pruned: ranking.pruned,
    report: writableInJson(ranking.report),
    degraded: ranking.degraded,
    warnings: (options.warnings ?? true) ? ranking.warnings.map(problemJson) : undefined,
  };
  return Object.entries(fields).filter(([, value]) => value !== undefined);
}

function* mapped<R>(rows: Iterable<R>, valueOf: (row: R) => object): Generator<object, void> {
  for (const row of rows) yield valueOf(row);
}

/** A row of a list, without its candidate. */
type JsonRow = Omit<Ranked<unknown> | Selected<unknown>, 'candidate'> & {
  readonly replacedBy?: readonly string[] | undefined;
  readonly variant?: SelectedVariant;
};

/** The JSON keys of a row, most important first. */
const orderKeys = ({ rank, id, index, score, replacedBy, ...rest }: JsonRow) => ({
  ...(rank !== undefined && { rank }),
  id,
  index,
  ...(score !== undefined && { score }),
  ...rest,
  ...(replacedBy && { replaced_by: replacedBy }),
});

/** Removes the weights of a row if they equal those of the run. */
function withoutWeights(terms: ScoreTerms | undefined, ofRun: NumberByScorer | undefined): ScoreTerms | undefined {
  if (!terms?.weights || !ofRun) return terms;
  const { weights, ...rest } = terms;
  return Object.keys(ofRun).every((id) => weights[id] === ofRun[id]) ? rest : terms;
}

/** The terms of a row; undefined for a candidate that a fallback generated, which has no position. */
export const termsOf = (
  ranking: Pick<RankingResult<unknown>, 'terms'>,
  { index }: { readonly index: number },
): ScoreTerms | undefined => (index < 0 ? undefined : ranking.terms({ index }));

/** A row of `assize score`: a scored, refused, pinned or fallback candidate. */
export type ScoreRow =
  | (Omit<Scored<object>, 'because'> & { readonly because?: 'pinned' | 'fallback' })
  | Refused<object>;

/**
 * A row as JSON. Its keys are stable; new keys may be added.
 *
 * - scored: `{ id, index, score, partial?, scores, states?, case?, weights?, contributions?, combined?, rules? }`;
 *   `partial` is `{ present, of }`, and the keys after it are those of `ScoreTerms`
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
    // Only after a failure, because checking costs as much as writing.
    return JSON.stringify({ ...fields, candidate: writableInJson(candidate) });
  }
}

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
