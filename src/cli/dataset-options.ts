import type { Command } from 'commander';
import type { DatasetOptions } from '../evaluate/node.js';
import type { CandidateSource } from '../data/node.js';
import type { ParamBounds, TuneOptions } from '../tune/index.js';
import { collect, type ContextOptions, type InputOptions, withContext, withInputOptions } from './options.js';

/** What is passed on to `readDataset` as it is. */
type ReadOptions = Omit<DatasetOptions, 'context' | 'judgements' | Exclude<keyof CandidateSource, 'absent'>>;

/** The options of `withJudgements` and `withDataset`, as commander parses them. */
export interface DatasetVerbOptions extends ContextOptions, ReadOptions {
  readonly judgments?: string;
}

const HELP = `
Queries, candidates and judgements:
  a file with a query a row: { id, context?, candidates, judgements? }
  candidates in any format, with --group, the path to the id of their query;
    LIBSVM has it (qid), and so has a TREC run; with --judgments, query, query_id,
    qid or topic. Without it all are of one query, or of each query of --queries
    FILE, a line of which is the query's context
  a grade in the candidate, with --label: it is taken out, so that no profile can
    read it; or --judgments FILE: TREC qrels, or rows with query, id and grade;
    or --pairs FILE: rows with the ids a and b, and the winner (a, b or same), as
    assize ask writes them
Paths are those of profiles: metadata.task_domain.`;

/** Adds what says where queries and judgements are, to a verb that has the options of its candidates. */
export const withQueries = (command: Command): Command =>
  command
    .option('-j, --judgments <file>', 'TREC qrels, or rows with query, id and grade')
    .option('--pairs <file>', 'which of two is better: rows with a, b and winner, and query and person if known')
    .option('-g, --group <path>', "where in a candidate its query's id is")
    .option('-l, --label <path>', 'where in a candidate its grade is: a number, true or false')
    .option('--queries <file>', 'queries, an id and a context each')
    .option('--id <path>', "where in a candidate its id is; what the first profile's candidate.id says by default")
    .option('--context-from <path>', 'what goes into the context of its query: text, or query=text', collect)
    .option('--group-by <path>', 'what queries stem from: those of one group are drawn together')
    .option('--rankable', 'leave out queries whose candidates all have one grade: every ranking of them is as good')
    .addHelpText('after', HELP);

/** Adds what says where queries, candidates and judgements are. */
export const withJudgements = (command: Command): Command => withQueries(withInputOptions(withContext(command)));

/** The same, for a verb that cross-validates: with folds. */
export const withDataset = (command: Command): Command =>
  withJudgements(command).option('--folds-by <path>', 'the fold of a query, in a cross-validation');

/** What `readDataset` is asked for. */
export const datasetOptionsOf = (options: DatasetVerbOptions): DatasetOptions => {
  const { input, absent, judgments, pairs, group, label, queries, id, contextFrom, groupBy, foldsBy, rankable } =
    options;
  return {
    input,
    absent,
    judgements: judgments,
    pairs,
    group,
    label,
    queries,
    id,
    contextFrom,
    groupBy,
    foldsBy,
    rankable,
  };
};

/** What is passed on to `tuneWeights` as it is. */
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
