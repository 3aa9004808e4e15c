import type { Context } from '../../contract/index.js';
import type { CandidateSource } from '../../input/read-candidates.js';
import type { InputFormat } from '../../input/index.js';
import type { JudgedQuery } from '../judged-query.js';

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
