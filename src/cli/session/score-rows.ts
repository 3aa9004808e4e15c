import type { Problem } from '../../base/index.js';
import type { Degraded } from '../../engine/index.js';
import { entriesNeedingWhole } from '../../profile/index.js';
import { type ScoreRow, SAMPLE_SIZE } from '../../ranking/index.js';
import type { InputOptions, OverrideOptions, WorkersOptions } from '../options.js';
import type { Io } from '../terminal/io.js';
import {
  checkCandidateFile,
  type CliSession,
  locateContextProblems,
  rankInput,
  streamCandidateFile,
} from './session.js';

/** Failures and warnings of scored rows, complete when the rows have been read. */
export interface ScoreDiagnostics {
  readonly degraded: readonly Degraded[];
  readonly warnings: readonly Problem[];
}

/** Rows in the order of the input. They can be read once. */
export type ScoreRows = AsyncIterable<ScoreRow> & ScoreDiagnostics;

interface ScoreRowsOptions extends InputOptions, Pick<OverrideOptions, 'weight'>, WorkersOptions {
  readonly format: 'table' | 'json' | 'jsonl';
  readonly candidates?: boolean;
}

/** Opens the rows of an input in this thread: as a stream, unless an entry compares all candidates. A memory does not. */
export async function openScoreRows(
  session: CliSession,
  file: string | undefined,
  options: ScoreRowsOptions,
  io: Io,
): Promise<ScoreRows> {
  const { pipeline, context } = session;
  if (entriesNeedingWhole(session.compiled.plan.profile).length > 0) return scoreAll(session, file, options, io);
  const hidesProgress = io.out.terminal && options.format !== 'table'; // the rows on the terminal show it
  const source = hidesProgress ? { ...io, progress: undefined } : io;
  const { weight: weights, input, absent, format } = options;
  const terms = format !== 'table';
  const { fields } = session.compiled.plan.columnReader;
  const columns = fields && !options.candidates ? { fields, whole: SAMPLE_SIZE } : undefined;
  return pipeline.scoreStream(
    streamCandidateFile(file ?? '-', source, { input, absent }, columns, session.compiled),
    context,
    {
      terms,
      ...(weights && { weights }),
    },
  );
}

/** Scores all candidates in one ranking, and puts the rows into the order of the input. */
async function scoreAll(
  session: CliSession,
  file: string | undefined,
  options: ScoreRowsOptions,
  io: Io,
): Promise<ScoreRows> {
  const ranking = await rankInput(session, file ?? '-', { ...options, prune: false }, io);
  const { ranked, refused, selected, degraded, warnings } = ranking;
  const others = selected.filter(({ because, index }) => because !== undefined && index >= 0);
  const rows: ScoreRow[] = [...ranked, ...others, ...refused];
  rows.sort((a, b) => a.index - b.index);
  const withTerms = (row: ScoreRow): ScoreRow => ('rank' in row ? { ...row, ...ranking.terms(row) } : row);
  return {
    degraded,
    warnings,
    async *[Symbol.asyncIterator]() {
      for (const row of rows) yield options.format === 'table' ? row : withTerms(row);
    },
  };
}

/**
 * Scores a file in several threads.
 *
 * @returns the rows as lines of JSON; undefined without `--workers`, or if threads cannot share the file: the reason is
 *   then written to standard error
 */
export async function scoreInWorkers(
  session: CliSession,
  file: string | undefined,
  options: ScoreRowsOptions,
  io: Io,
): Promise<(AsyncIterable<string> & ScoreDiagnostics) | undefined> {
  if ((options.workers ?? 1) === 1) return undefined;
  const shared = await tryWorkers(session, file, options, io);
  if (typeof shared === 'object' && Symbol.asyncIterator in shared) return shared;
  const reason = typeof shared === 'string' ? shared : shared.reason;
  if (reason !== undefined) io.err.write(`one thread: ${reason}\n`);
  return undefined;
}

/** The rows, or the reason why one thread must do all the work. */
async function tryWorkers(
  { compiled, profile, trust, pipeline, context }: CliSession,
  file: string | undefined,
  { workers = 1, format, input, absent, candidates = false, weight: weights }: ScoreRowsOptions,
  { progress, out }: Io,
) {
  if (file === undefined || file === '-') return 'standard input can only be read from its beginning';
  if (format === 'table') return 'the table has every candidate';
  const [first] = pipeline.needsAll;
  if (first !== undefined) return `${first} needs all candidates at once`;
  checkCandidateFile(file, input);
  const { scoreFileWith } = await import('../../scale/threads/score-file.js');
  const options = {
    context,
    workers,
    input,
    absent,
    candidates,
    weights,
    progress: out.terminal ? undefined : progress,
  };
  return scoreFileWith({ compiled, profile, trust }, file, options).catch((error: unknown) => {
    throw locateContextProblems(context, error);
  });
}
