import { type CandidateSource, type Context, type RankFileOptions, toAssizeError } from 'assize';
import { RowFile } from 'assize/internal';
import type { PathReader } from 'assize/sdk';
import { checkQueries, isRankable, type JudgedQuery } from '../judged-query.js';
import { nameOf, optionPath } from './row-fields.js';
import {
  ALL,
  areQueries,
  queriesOfGroups,
  queriesOfLines,
  queriesOfPool,
  type QueryDraft,
  sizedGroups,
  withContexts,
} from './query-drafts.js';
import { judgeById, judgeByLabel, type JudgedDraft, queryKeyOf, readJudgements } from './judge-queries.js';
import { readGivenGrades, withGivenGrades } from './given-grades.js';
import { queriesOfPairs } from './pairs.js';

/** Where to find queries, candidates and judgements. Paths are written as in profiles: `metadata.task`. */
export interface DatasetOptions extends CandidateSource {
  /** The format of the candidates. Default: by the file extension, else by the content. */
  readonly input?: RankFileOptions['input'];
  /** The path in a candidate to the id of its query. A LIBSVM file has `qid`, a TREC run `query`. */
  readonly group?: string | undefined;
  /** The path in a candidate to its grade: a number, true or false. It is removed from the candidates. */
  readonly label?: string | undefined;
  /** A file of judgements: TREC qrels, or rows in any format of candidates with `query`, `id` and `grade`. */
  readonly judgements?: string | undefined;
  /**
   * A file of grades that `assize studio` writes: rows with `query`, `id` and `grade`. They replace those of `label` or
   * `judgements`; the grade null removes one.
   */
  readonly grades?: string | undefined;
  /** A file of pairwise judgements: `a`, `b`, `winner`, and optionally `query` and `person`. Each pair becomes a query. */
  readonly pairs?: string | undefined;
  /** A file of queries, each with an `id` and a context. Without `group`, each query ranks all candidates. */
  readonly queries?: string | undefined;
  /** The path in a candidate to its id, by which it is judged. Default: `id`. */
  readonly id?: string | undefined;
  /** Paths to values for the context, in the line of a query or in its first candidate: `text`, or `query=text` to rename. */
  readonly contextFrom?: readonly string[] | undefined;
  /** The context of every query. */
  readonly context?: Context | undefined;
  /** The path, in a query's line or in its first candidate, to its `group`, and to its `fold`. */
  readonly groupBy?: string | undefined;
  readonly foldsBy?: string | undefined;
  /** Whether to skip queries whose candidates all have the same grade, because every order of them is equally good. */
  readonly rankable?: boolean | undefined;
  /** Whether to keep queries without judgements. */
  readonly unjudged?: boolean | undefined;
}

/** The result of `readDataset`. */
export interface Dataset {
  readonly queries: readonly JudgedQuery<object>[];
  /** Whether the data has queries. If not, one query has all candidates. */
  readonly hasQueries: boolean;
  /** Whether each query is a judged pair of candidates. */
  readonly arePairs?: boolean;
  /** The path to the grade, which was removed from the candidates. */
  readonly label?: string;
}

/** The fields of the query and the grade in formats that define them. */
const FORMATS: Readonly<Record<string, { readonly group: string; readonly label?: string }>> = {
  libsvm: { group: 'qid', label: 'grade' },
  trec: { group: 'query' },
};

/**
 * Reads queries with their candidates and judgements. The file has one of two forms:
 *
 * - one query a row: `{ id, context?, candidates, judgements? }`, with judgements by id or by position;
 * - one candidate a row, in any format, with the id of its query at the path `group`. With a file of judgements, `group`
 *   defaults to `query`, `query_id`, `qid` or `topic`. LIBSVM has `qid` (or LightGBM's query file), a TREC run `query`.
 *   Without a group, all candidates belong to one query, or to each query of the file `queries`.
 *
 * A grade is at the path `label` of a candidate, which is then removed so that no scorer can read it, or in the file
 * `judgements`, by the ids of query and candidate.
 *
 * Queries without judgements are skipped with a warning (ASZ731). Judged ids without a candidate count as missed, with a
 * warning (ASZ733).
 *
 * ```ts
 * const { queries } = await readDataset('films.csv', { group: 'query', label: 'played' });
 * ```
 *
 * @param file the queries or candidates; `-` is standard input
 * @throws AssizeError with every invalid row (ASZ103), or if nothing is judged (ASZ541)
 */
export async function readDataset(file: string, options: DatasetOptions = {}): Promise<Dataset> {
  const rows = await RowFile.read(file, options, options.input);
  if (options.pairs !== undefined) return readPaired(rows, options.pairs, options);
  const asWritten = FORMATS[rows.format ?? ''];
  const whole = options.group === undefined && areQueries(rows.rows);
  const isNamed = options.judgements !== undefined && options.queries === undefined;
  const usual = asWritten?.group ?? (isNamed ? queryKeyOf(rows.rows[0]) : undefined);
  const group = await groupOf(rows, options.group, usual, whole);
  const drafts = await readDrafts(rows, options, group, whole);
  await rows.throwIfAny();
  const label = options.label ?? (options.judgements === undefined ? asWritten?.label : undefined);
  const judged = await regrade(await judge(drafts, rows, options, label), options);
  await rows.throwIfAny();
  const graded = label === undefined ? options.grades : undefined;
  const hasQueries = whole || [group, options.queries, options.judgements, graded].some((one) => one !== undefined);
  const counting = withJudgements(judged, options);
  warnOfMissing(counting, options);
  const kept = options.rankable === true ? counting.filter(isRankable) : counting;
  if (kept.length === 0)
    throw nothingJudged('all candidates of each query have the same grade, and rankable skips such queries');
  const queries = describeQueries(kept, rows, options, hasQueries);
  await rows.throwIfAny();
  return { queries: checkQueries(queries), hasQueries, ...(label !== undefined && { label }) };
}

/** The dataset of pairwise judgements over a file of candidates. */
async function readPaired(rows: RowFile, pairs: string, options: DatasetOptions): Promise<Dataset> {
  const { judgements, grades, label, queries: described, group, context, contextFrom = [] } = options;
  const other = Object.entries({ judgements, grades, label, queries: described }).find(
    ([, value]) => value !== undefined,
  );
  if (other) {
    const message = `pairs are judgements, and ${other[0]} is also given`;
    throw toAssizeError([{ code: 'ASZ533', message, hint: 'remove one of the two' }]);
  }
  const found = await queriesOfPairs(pairs, options, {
    candidates: rows.rows,
    id: optionPath('id', options.id ?? 'id'),
    group: group === undefined ? undefined : optionPath('group', group),
  });
  const drafts = found.map((query) => ({ ...query, described: query.candidates.slice(0, 1), rows: [] }));
  const queries = describeQueries(drafts, rows, { context, contextFrom }, true);
  const people = found.map(({ group: person }, q) => ({
    ...queries[q]!,
    ...(person !== undefined && { group: person }),
  }));
  return { queries: checkQueries(people), hasQueries: true, arePairs: true };
}

type GroupOf = string | readonly QueryDraft[] | undefined;

/** The grouping of the candidates: a path, the groups themselves, or undefined. */
async function groupOf(
  { file, rows, format }: RowFile,
  asked: string | undefined,
  usual: string | undefined,
  whole: boolean,
): Promise<GroupOf> {
  if (asked !== undefined || whole || usual === undefined) return asked;
  if (rows[0] && Object.hasOwn(rows[0], usual)) return usual;
  return format === 'libsvm' ? sizedGroups(file, rows) : undefined;
}

async function readDrafts(
  rows: RowFile,
  options: DatasetOptions,
  group: GroupOf,
  whole: boolean,
): Promise<readonly QueryDraft[]> {
  const lines = options.queries === undefined ? undefined : await RowFile.readBeside(options.queries, options);
  const drafts = whole
    ? queriesOfLines(rows)
    : typeof group === 'string'
      ? queriesOfGroups(rows, optionPath('group', group))
      : (group ?? queriesOfPool(rows, lines));
  const isPool = !whole && group === undefined;
  const described = lines && !isPool ? withContexts(drafts, lines) : drafts;
  await lines?.throwIfAny();
  return described;
}

async function judge(
  drafts: readonly QueryDraft[],
  rows: RowFile,
  options: DatasetOptions,
  label: string | undefined,
): Promise<readonly JudgedDraft[]> {
  if (label !== undefined && options.judgements !== undefined) {
    const message = 'both label and judgements are given, and grades can come from only one of them';
    throw toAssizeError([{ code: 'ASZ533', message, hint: 'remove one of the two' }]);
  }
  if (label !== undefined) return judgeByLabel(drafts, optionPath('label', label), 'label', rows);
  const judgements = options.judgements === undefined ? undefined : await readJudgements(options.judgements, options);
  if (
    (options.unjudged === true || options.grades !== undefined) &&
    !judgements &&
    drafts.every(({ judged }) => judged === undefined)
  )
    return drafts.map((draft) => ({ ...draft, grades: draft.candidates.map(() => undefined) }));
  const only = judgements?.size === 1 && drafts.length === 1 ? [...judgements.keys()][0] : undefined;
  // Candidates without a query belong to the only judged query.
  const named = only === undefined || drafts[0]!.id !== ALL ? drafts : [{ ...drafts[0]!, id: only }];
  const judged = judgeById(named, judgements, optionPath('id', options.id ?? 'id'), rows);
  const ids = new Set(named.map(({ id }) => id));
  const unseen = [...(judgements?.keys() ?? [])].filter((query) => !ids.has(query)).length;
  if (unseen > 0) {
    const message = `${unseen} of ${judgements?.size} judged queries have no candidates, and are skipped`;
    options.warn?.({ code: 'ASZ732', message });
  }
  return judged;
}

/** Replaces grades by those of the file that `assize studio` writes. */
const regrade = async (drafts: readonly JudgedDraft[], options: DatasetOptions): Promise<readonly JudgedDraft[]> =>
  options.grades === undefined
    ? drafts
    : withGivenGrades(drafts, await readGivenGrades(options.grades, options), optionPath('id', options.id ?? 'id'));

/** The queries with judgements. */
function withJudgements(drafts: readonly JudgedDraft[], { warn, unjudged }: DatasetOptions): readonly JudgedDraft[] {
  if (unjudged === true) return drafts;
  const judged = drafts.filter(
    ({ grades, missing = [] }) => missing.length > 0 || grades.some((grade) => grade !== undefined),
  );
  const left = drafts.length - judged.length;
  if (judged.length === 0) throw nothingJudged('no candidate has a grade');
  if (left > 0) {
    const message = `${left} of ${drafts.length} queries have no judgements, and are skipped`;
    warn?.({ code: 'ASZ731', message });
  }
  return judged;
}

/** Warns of judged ids without a candidate in their query. */
function warnOfMissing(drafts: readonly JudgedDraft[], { warn }: DatasetOptions): void {
  const sum = (count: (draft: JudgedDraft) => number): number =>
    drafts.reduce((total, draft) => total + count(draft), 0);
  const missing = sum((draft) => draft.missing?.length ?? 0);
  if (missing === 0) return;
  const judged = missing + sum(({ grades }) => grades.filter((grade) => grade !== undefined).length);
  const queries = drafts.filter((draft) => (draft.missing?.length ?? 0) > 0).length;
  const of = `of ${queries} of ${drafts.length} queries`;
  const message = `${missing} of ${judged} judged ids, ${of}, are not among the candidates, and count as missed`;
  const hint =
    'if they should be candidates, check --id (the path of the candidate id) and --group (the path of the query id)';
  warn?.({ code: 'ASZ733', message, hint });
}

const nothingJudged = (hint: string): Error => toAssizeError([{ code: 'ASZ541', message: 'nothing is judged', hint }]);

/** The value at an option's path: in the line of the query, else in its first candidate. */
const valueOf = ({ described }: JudgedDraft, path: PathReader): unknown =>
  described.map(path).find((value) => value !== undefined);

/** Adds to queries their contexts, groups and folds. */
function describeQueries(
  drafts: readonly JudgedDraft[],
  file: RowFile,
  { context = {}, contextFrom = [], groupBy, foldsBy }: DatasetOptions,
  hasQueries: boolean,
): readonly JudgedQuery<object>[] {
  const fields = contextFrom.map(contextField);
  const group = groupBy === undefined ? undefined : optionPath('groupBy', groupBy);
  const fold = foldsBy === undefined ? undefined : optionPath('foldsBy', foldsBy);
  const nameAt = (path: PathReader, value: unknown, row: number): string => {
    const name = nameOf(value);
    if (name === undefined) file.refuse(row, `${path.source} is missing, or is not a text or a number`, HINT);
    return name ?? '';
  };
  return drafts.map((draft) => {
    const { id, candidates, grades, missing = [], rows } = draft;
    const ofQuery = (path: PathReader): string => nameAt(path, valueOf(draft, path), rows[0] ?? 0);
    const ofEach = (path: PathReader): string[] => candidates.map((one, k) => nameAt(path, path(one), rows[k]!));
    return {
      id,
      context: contextOf(draft, context, fields),
      candidates,
      grades,
      ...(missing.length > 0 && { missing }),
      ...(group && (hasQueries ? { group: ofQuery(group) } : { candidateGroups: ofEach(group) })),
      ...(fold && (hasQueries ? { fold: ofQuery(fold) } : { candidateFolds: ofEach(fold) })),
    };
  });
}

const HINT = 'every query needs this field, which names its group or fold';

interface ContextField {
  readonly name: string;
  readonly path: PathReader;
}

/** `text`, or `query=text`: a path. The name defaults to its last key. */
function contextField(text: string): ContextField {
  const [, name, source = text] = /^([\p{ID_Start}_][\p{ID_Continue}]*)=(.*)$/su.exec(text) ?? [];
  const path = optionPath('contextFrom', source);
  const last = path.steps.at(-1);
  return { name: name ?? (last?.kind === 'key' ? last.key : source), path };
}

function contextOf(draft: JudgedDraft, given: Context, fields: readonly ContextField[]): Context {
  const read = fields.map(({ name, path }) => [name, valueOf(draft, path)] as const);
  const found = Object.fromEntries(read.filter(([, value]) => value !== undefined));
  return { ...given, ...found, ...draft.context };
}
