import type { Command } from 'commander';
import type { CandidateSource, Pipeline } from 'assize';
import {
  collect,
  type ContextOptions,
  type InputOptions,
  withContext,
  withInputOptions,
  candidateSource,
  type Io,
  readContext,
} from 'assize/verbs';
import type { DatasetOptions, Dataset } from '../dataset/read-dataset.js';
import type { ParamBounds, TuneOptions } from '../tune/tune-options.js';

/** The options that are passed to `readDataset` unchanged. */
type ReadOptions = Omit<DatasetOptions, 'context' | 'judgements' | Exclude<keyof CandidateSource, 'absent'>>;

/** The options of `withJudgements` and `withDataset`, as commander parses them. */
export interface DatasetVerbOptions extends ContextOptions, ReadOptions {
  readonly judgments?: string;
}

const HELP = `
Queries, candidates and judgements:
  A file has one query per row: { id, context?, candidates, judgements? }
  Or it has candidates in any format: --group is the path to a candidate's query
    id. LIBSVM (qid) and TREC runs contain it; with --judgments, query, query_id,
    qid or topic is used. Without it, all candidates belong to one query, or to
    each query of --queries FILE, in which each line is a query's context
  Grades come from one of these: --label, a path in the candidate, which is
    removed so that profiles cannot read it; --judgments FILE, as TREC qrels or
    rows with query, id and grade; --pairs FILE, rows with the ids a and b, and
    the winner (a, b or same), as assize ask writes them
  --grades FILE has the grades that people gave in assize studio. They replace
    other grades of the same items; items that are not candidates are ignored
Paths are written as in profiles: metadata.task_domain.`;

/** Adds the options for queries and judgements to a verb that already has those for candidates. */
export const withQueries = (command: Command): Command =>
  command
    .option('-j, --judgments <file>', 'judgements: TREC qrels, or rows with query, id and grade')
    .option('--grades <file>', 'grades from assize studio, which replace those of --label or --judgments')
    .option('--pairs <file>', 'pairwise judgements: rows with a, b, winner and optionally query and person')
    .option('-g, --group <path>', 'the path to the query id in a candidate')
    .option('-l, --label <path>', 'the path to the grade in a candidate: a number, true or false')
    .option('--queries <file>', 'queries with an id and a context each')
    .option('--id <path>', "the path to a candidate's id; by default candidate.id of the first profile")
    .option(
      '--context-from <path>',
      'copy this field into the context of its query: text, or query=text; may be repeated',
      collect,
    )
    .option('--group-by <path>', 'the path to the origin of a query: queries of one group are sampled together')
    .option('--rankable', 'skip queries whose candidates all have the same grade')
    .addHelpText('after', HELP);

/** Adds the options for queries, candidates and judgements. */
export const withJudgements = (command: Command): Command => withQueries(withInputOptions(withContext(command)));

/** Adds the same options and `--folds-by`, for a verb that cross-validates. */
export const withDataset = (command: Command): Command =>
  withJudgements(command).option('--folds-by <path>', 'the path to the fold of a query, for cross-validation');

/** The options for `readDataset`. */
const datasetOptionsOf = (options: DatasetVerbOptions): DatasetOptions => {
  const { input, absent, judgments, grades, pairs, group, label, queries, id, contextFrom, groupBy, foldsBy } = options;
  const { rankable, unjudged } = options;
  return {
    input,
    absent,
    judgements: judgments,
    grades,
    pairs,
    group,
    label,
    queries,
    id,
    contextFrom,
    groupBy,
    foldsBy,
    rankable,
    unjudged,
  };
};

/** The options that are passed to `tuneWeights` unchanged. */
type SearchOptions = Omit<TuneOptions, 'curved' | 'params' | 'loss' | 'names' | 'pipeline' | 'signal' | 'progress'>;

/** The options of `assize tune`, as commander parses them. */
export interface TuneVerbOptions extends DatasetVerbOptions, SearchOptions {
  readonly curve?: readonly string[];
  readonly param?: ParamBounds;
  readonly startFrom?: TuneOptions['loss'];
  readonly date?: string;
  readonly out?: string;
  readonly format: 'text' | 'yaml' | 'json';
}

/** The options of `assize ask`, as commander parses them. */
export interface AskVerbOptions extends ContextOptions, InputOptions {
  readonly top?: number;
  readonly questions?: number;
  readonly answers?: string;
  readonly person?: string;
  readonly only?: readonly string[];
  readonly seed?: number;
  readonly date?: string;
  readonly out?: string;
  readonly format: 'text' | 'yaml' | 'json';
}

/**
 * Reads the queries and judgements of a verb that takes the options of `withQueries`.
 *
 * @param file      the queries or candidates
 * @param pipelines the measured profiles; the first defines a candidate's id unless `--id` is given
 */
export async function readVerbDataset(
  file: string,
  options: DatasetVerbOptions,
  io: Io,
  pipelines: readonly Pick<Pipeline, 'candidateReads'>[],
): Promise<Dataset> {
  const { readDataset } = await import('../dataset/read-dataset.js');
  const source = await candidateSource(file, io, options, pipelines);
  const context = await readContext(options);
  const { id = pipelines[0]?.candidateReads[0]?.field } = options;
  return readDataset(file, { ...datasetOptionsOf(options), ...source, id, context });
}
