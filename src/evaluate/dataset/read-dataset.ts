import type { Context } from '../../contract/index.js';
import { toAssizeError } from '../../diagnostics/index.js';
import { type PathReader, setOwn } from '../../expression/index.js';
import type { InputFormat } from '../../input/index.js';
import type { CandidateSource } from '../../input/read-candidates.js';
import { checkQueries, isRankable, type JudgedQuery } from '../judged-query.js';
import { nameOf, optionPath, RowFile } from './row-file.js';
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
import { queriesOfPairs } from './pairs.js';

/** Where queries, candidates and judgements are found. Paths are those of profiles: `metadata.task`. */
export interface DatasetOptions extends CandidateSource {
  /** The format of the candidates; by the file's ending, else by how it begins, when not given. */
  readonly input?: InputFormat | undefined;
  /** The path in a candidate to the id of its query. A LIBSVM file has `qid`, a TREC run `query`. */
  readonly group?: string | undefined;
  /** The path in a candidate to its grade: a number, true or false. It is taken out of the candidates. */
  readonly label?: string | undefined;
  /** A file of judgements: TREC qrels, or rows in any format of candidates with `query`, `id` and `grade`. */
  readonly judgements?: string | undefined;
  /** A file of pairwise judgements: `a`, `b`, `winner`, and optionally `query` and `person`. Then each pair is a query. */
  readonly pairs?: string | undefined;
  /** A file of queries, an `id` and a context each. Without `group` each of them ranks all candidates. */
  readonly queries?: string | undefined;
  /** The path in a candidate to its id, by which it is judged: `id` when not given. */
  readonly id?: string | undefined;
  /** Paths, in a query's line or in its first candidate, of what goes into its context: `text`, or `query=text` by another name. */
  readonly contextFrom?: readonly string[] | undefined;
  /** What is known about every query. */
  readonly context?: Context | undefined;
  /** The path, in a query's line or in its first candidate, to its `group`, and to its `fold`. */
  readonly groupBy?: string | undefined;
  readonly foldsBy?: string | undefined;
  /** Whether queries are left out whose candidates all have one grade, since every ranking of them is as good. */
  readonly rankable?: boolean | undefined;
}

/** Queries with judgements, as they were read. */
export interface Dataset {
  readonly queries: readonly JudgedQuery<object>[];
  /** Whether the data has queries; else its one query has all candidates. */
  readonly hasQueries: boolean;
  /** Whether each query is a pair of candidates, of which one was judged better. */
  readonly arePairs?: boolean;
  /** The path to the grade that was in the candidates, and is no more. */
  readonly label?: string;
}

/** Where a format has the query of a row, and its grade. */
const FORMATS: Readonly<Record<string, { readonly group: string; readonly label?: string }>> = {
  libsvm: { group: 'qid', label: 'grade' },
  trec: { group: 'query' },
};

/**
 * Reads queries with their candidates and judgements, each of these from where it is:
 *
 * - a file with a query a row: `{ id, context?, candidates, judgements? }`, the judgements by id, or by position;
 * - a file of candidates in any format, with the id of their query at the path `group`; beside a file of judgements at
 *   `query`, `query_id`, `qid` or `topic`, where it is there. Without one all candidates are of one query, or of each query of the file `queries`. LIBSVM has `qid` (or sizes in a file beside it, as LightGBM),
 *   a TREC run `query`;
 * - the grade at the path `label` of a candidate, which is taken out of it, so that nothing can read it; or in the file
 *   `judgements`, by the ids of query and candidate.
 *
 * Queries in which nothing is judged are left out, with a warning (ASZ731). Judged ids that are not among the candidates
 * count as missed, with a warning (ASZ733).
 *
 * ```ts
 * const { queries } = await readDataset('films.csv', { group: 'query', label: 'played' });
 * ```
 *
 * @param file the queries or candidates; `-` is standard input
 * @throws AssizeError with every row that cannot be read (ASZ103), and where nothing is judged (ASZ541)
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
  const judged = await judge(drafts, rows, options, label);
  await rows.throwIfAny();
  const hasQueries = whole || [group, options.queries, options.judgements].some((one) => one !== undefined);
  const counting = withJudgements(judged, options);
  warnOfMissing(counting, options);
  const kept = options.rankable === true ? counting.filter(isRankable) : counting;
  if (kept.length === 0) throw nothingJudged('the candidates of each query have one grade');
  const queries = describeQueries(kept, rows, options, hasQueries);
  await rows.throwIfAny();
  return { queries: checkQueries(queries), hasQueries, ...(label !== undefined && { label }) };
}

/** The dataset of pairwise judgements over a file of candidates. */
async function readPaired(rows: RowFile, pairs: string, options: DatasetOptions): Promise<Dataset> {
  const { judgements, label, queries: described, group, context, contextFrom = [] } = options;
  const other = Object.entries({ judgements, label, queries: described }).find(([, value]) => value !== undefined);
  if (other) {
    const message = `pairs are judgements, and ${other[0]} is given too`;
    throw toAssizeError([{ code: 'ASZ533', message, hint: 'give one of the two' }]);
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

/** By what candidates are grouped: a path, the groups themselves, or nothing. */
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
  const lines = options.queries === undefined ? undefined : await RowFile.read(options.queries, options);
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
    const message = 'grades are asked for both from the label of the candidates and from a file of judgements';
    throw toAssizeError([{ code: 'ASZ533', message, hint: 'say one of the two' }]);
  }
  if (label !== undefined) return judgeByLabel(drafts, optionPath('label', label), 'label', rows);
  const judgements = options.judgements === undefined ? undefined : await readJudgements(options.judgements, options);
  const only = judgements?.size === 1 && drafts.length === 1 ? [...judgements.keys()][0] : undefined;
  // Candidates that name no query are those of the only one that is judged.
  const named = only === undefined || drafts[0]!.id !== ALL ? drafts : [{ ...drafts[0]!, id: only }];
  const judged = judgeById(named, judgements, optionPath('id', options.id ?? 'id'), rows);
  const ids = new Set(named.map(({ id }) => id));
  const unseen = [...(judgements?.keys() ?? [])].filter((query) => !ids.has(query)).length;
  if (unseen > 0) {
    const message = `${unseen} of ${judgements?.size} judged queries have no candidates, and are not measured`;
    options.warn?.({ code: 'ASZ732', message });
  }
  return judged;
}

/** The queries in which something is judged. */
function withJudgements(drafts: readonly JudgedDraft[], { warn }: DatasetOptions): readonly JudgedDraft[] {
  const judged = drafts.filter(
    ({ grades, missing = [] }) => missing.length > 0 || grades.some((grade) => grade !== undefined),
  );
  const left = drafts.length - judged.length;
  if (judged.length === 0) throw nothingJudged('no candidate has a grade');
  if (left > 0) {
    const message = `${left} of ${drafts.length} queries have no judgements, and are left out`;
    warn?.({ code: 'ASZ731', message });
  }
  return judged;
}

/** Warns of judged ids that no candidate of their query has. */
function warnOfMissing(drafts: readonly JudgedDraft[], { warn }: DatasetOptions): void {
  const sum = (count: (draft: JudgedDraft) => number): number =>
    drafts.reduce((total, draft) => total + count(draft), 0);
  const missing = sum((draft) => draft.missing?.length ?? 0);
  if (missing === 0) return;
  const judged = missing + sum(({ grades }) => grades.filter((grade) => grade !== undefined).length);
  const queries = drafts.filter((draft) => (draft.missing?.length ?? 0) > 0).length;
  const of = `of ${queries} of ${drafts.length} queries`;
  const message = `${missing} of ${judged} judged ids, ${of}, are not among the candidates, and count as missed`;
  const hint = 'if they should be: --id says in which field of a candidate its id is, and --group which query it is of';
  warn?.({ code: 'ASZ733', message, hint });
}

const nothingJudged = (hint: string): Error => toAssizeError([{ code: 'ASZ541', message: 'nothing is judged', hint }]);

/** What an option reads of a query: the first value at its path, in its own line or in its first candidate. */
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
    if (name === undefined) file.refuse(row, `${path.source} is missing, or no text or number`, HINT);
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

const HINT = 'what groups and folds are named by is in every query';

interface ContextField {
  readonly name: string;
  readonly path: PathReader;
}

/** `text`, or `query=text`: a path, whose last key is the name where none is said. */
function contextField(text: string): ContextField {
  const [, name, source = text] = /^([\p{ID_Start}_][\p{ID_Continue}]*)=(.*)$/su.exec(text) ?? [];
  const path = optionPath('contextFrom', source);
  const last = path.steps.at(-1);
  return { name: name ?? (last?.kind === 'key' ? last.key : source), path };
}

function contextOf(draft: JudgedDraft, given: Context, fields: readonly ContextField[]): Context {
  const context: Record<string, unknown> = { ...given };
  for (const { name, path } of fields) {
    const value = valueOf(draft, path);
    if (value !== undefined) setOwn(context, name, value);
  }
  return { ...context, ...draft.context };
}
