import type { Command } from 'commander';
import { AssizeError, type Problem } from '../diagnostics/problem.js';
import type { Degraded } from '../engine/failures.js';
import type { ScoreRow } from '../ranking/row-json.js';
import { noCandidatesError } from './session/load-candidates.js';
import {
  formatOption,
  type InputOptions,
  type SessionOptions,
  type WorkersOptions,
  withInput,
  withSession,
  workersOption,
} from './session/options.js';
import { type CliSession, openCliSession, rankInput } from './session/session.js';
import { BufferedWriter } from './terminal/buffered-writer.js';
import type { Io } from './terminal/io.js';

/** The options of `assize score`, as commander gives them. */
interface ScoreVerbOptions extends SessionOptions, InputOptions, WorkersOptions {
  readonly format: 'table' | 'json' | 'jsonl';
  readonly candidates?: boolean;
}

const HELP = `
Rows come in the order of the input; what the profile selects is left to rank.
Where every entry judges a candidate alone, json and jsonl are written while the
input is read, in memory that does not grow. Else all of it is read first.

Output:
  table   the score of each candidate, or why it was refused
  json    a list of rows: id, index, score; score is null where there is none,
          and kind, by and reason say why
  jsonl   the same, a row a line
Lines that cannot be read are reported at the end, and the others are scored
all the same, unless the profile needs all of them.
What threads cannot share with --workers, one does, and it is said why.

Examples:
  assize score --profile ./team.yaml repos.json
  assize score --profile ./team.yaml --format jsonl < repos.jsonl > scores.jsonl`;

/** `assize score`: candidates in, a score for each out. */
export function addScore(program: Command, io: Io): void {
  const verb = program
    .command('score')
    .summary('score each candidate, in the order of the input')
    .description('Scores each candidate of a file or of standard input by a profile.');
  withInput(withSession(verb))
    .addOption(formatOption('table', 'json', 'jsonl'))
    .option('--candidates', 'put the candidates themselves into the rows')
    .addOption(workersOption())
    .addHelpText('after', HELP)
    .action((file: string | undefined, options: ScoreVerbOptions) => score(file, options, io));
}

/** What is known of rows once they have been read. */
interface ScoreDiagnostics {
  readonly degraded: readonly Degraded[];
  readonly warnings: readonly Problem[];
}

/** Rows to be read once. */
type ScoreRows = AsyncIterable<ScoreRow> & ScoreDiagnostics;

/** Why no more came. */
type StreamFailure = { readonly error: unknown } | undefined;

async function score(file: string | undefined, options: ScoreVerbOptions, io: Io): Promise<void> {
  const session = await openCliSession('score', options, io);
  if (file === undefined && io.interactive) throw noCandidatesError('give a file or pipe them in');
  const engine = await import('./lazy-imports.js');
  const shared = await scoreInWorkers(session, file, options, io);
  const { known, failure } = shared
    ? { known: shared, failure: await writeLines(shared, options, io) }
    : await scoreInOneThread(session, file, options, io);
  engine.writeProfileWarnings(session.pipeline, io);
  if (!failure || isRowProblem(failure.error)) io.err.write(engine.runWarningsText(known, io.err));
  if (failure) throw engine.locateContextProblems(session.context, failure.error);
}

/** By one thread, a row at a time. */
async function scoreInOneThread(
  session: CliSession,
  file: string | undefined,
  options: ScoreVerbOptions,
  io: Io,
): Promise<{ readonly known: ScoreDiagnostics; readonly failure: StreamFailure }> {
  const rows = await openScoreRows(session, file, options, io);
  const failure =
    options.format === 'table'
      ? await writeTable(rows, session.pipeline.name, io)
      : await writeLines(rowLines(rows, options), options, io);
  return { known: rows, failure };
}

/** What a run that failed says of its entries is in the failure itself. */
const isRowProblem = (error: unknown): boolean =>
  error instanceof AssizeError && error.problems.every(({ code }) => code === 'ASZ103');

/** The rows of a file as text, by several threads, where that is asked for and they can share it. */
async function scoreInWorkers(
  { compiled, profile, pipeline, context }: CliSession,
  file: string | undefined,
  { workers = 1, format, input, candidates = false }: ScoreVerbOptions,
  { err, progress, out }: Io,
): Promise<(AsyncIterable<string> & ScoreDiagnostics) | undefined> {
  if (workers === 1) return undefined;
  const because = async () => {
    if (file === undefined || file === '-') return 'standard input can only be read from its beginning';
    if (format === 'table') return 'the table has every candidate';
    const [first] = pipeline.needsAll;
    if (first !== undefined) return `${first} needs all candidates at once`;
    const { checkCandidateFile, locateContextProblems, scoreFileWith } = await import('./lazy-imports.js');
    checkCandidateFile(file, input);
    const heard = out.terminal ? undefined : progress; // rows on the same terminal say well enough how far it is
    const options = { context, workers, input, candidates, progress: heard };
    return scoreFileWith({ compiled, profile }, file, options).catch((error: unknown) => {
      throw locateContextProblems(context, error);
    });
  };
  const shared = await because();
  if (typeof shared === 'object' && Symbol.asyncIterator in shared) return shared;
  const why = typeof shared === 'string' ? shared : shared.because;
  if (why !== undefined) err.write(`one thread: ${why}\n`);
  return undefined;
}

async function openScoreRows(
  session: CliSession,
  file: string | undefined,
  options: ScoreVerbOptions,
  io: Io,
): Promise<ScoreRows> {
  const { pipeline, context } = session;
  if (pipeline.needsAll.length > 0) return scoreAllAtOnce(session, file, options, io);
  const { streamCandidateFile } = await import('./lazy-imports.js');
  // Rows on the same terminal say well enough how far it is.
  const quiet = io.out.terminal && options.format !== 'table';
  const candidates = streamCandidateFile(file ?? '-', quiet ? { ...io, progress: undefined } : io, options.input);
  return pipeline.scoreStream(candidates, context);
}

/** Each row as a line. */
async function* rowLines(rows: ScoreRows, { candidates = false }: ScoreVerbOptions): AsyncGenerator<string, void> {
  const { rowJson } = await import('./lazy-imports.js');
  for await (const row of rows) yield `${rowJson(row, candidates)}\n`;
}

/** Writes rows while they come. What stopped them is told after those that came before. */
async function writeLines(lines: AsyncIterable<string>, { format }: ScoreVerbOptions, io: Io): Promise<StreamFailure> {
  const flow = new BufferedWriter(io.out);
  let before = '[\n';
  let failure: StreamFailure;
  try {
    for await (const text of lines) {
      await flow.add(format === 'jsonl' ? text : before + text.slice(0, -1).replaceAll('\n', ',\n'));
      before = ',\n';
    }
  } catch (error) {
    failure = { error };
  }
  const none = before === '[\n';
  if (none && failure) return failure;
  if (format === 'json') await flow.add(none ? '[]\n' : '\n]\n');
  await flow.flush();
  return failure;
}

/** Writes a table of all that came. */
async function writeTable(rows: ScoreRows, profile: string, io: Io): Promise<StreamFailure> {
  const { scoreTable } = await import('./lazy-imports.js');
  const kept: ScoreRow[] = [];
  let failure: StreamFailure;
  try {
    for await (const row of rows) kept.push(row);
  } catch (error) {
    failure = { error };
    if (kept.length === 0) return failure;
  }
  const flow = new BufferedWriter(io.out);
  await flow.add(scoreTable(profile, kept, io.out));
  await flow.flush();
  return failure;
}

/** All at once, where an entry needs all of them. */
async function scoreAllAtOnce(
  session: CliSession,
  file: string | undefined,
  options: ScoreVerbOptions,
  io: Io,
): Promise<ScoreRows> {
  const ranking = await rankInput(session, file ?? '-', { ...options, prune: false }, io);
  const { ranked, refused, selected, degraded, warnings } = ranking;
  const others = selected.filter(({ because, index }) => because !== undefined && index >= 0);
  const rows: ScoreRow[] = [...ranked, ...others, ...refused];
  rows.sort((a, b) => a.index - b.index);
  return {
    degraded,
    warnings,
    async *[Symbol.asyncIterator]() {
      yield* rows;
    },
  };
}
