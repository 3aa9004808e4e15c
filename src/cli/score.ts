import type { Command } from 'commander';
import { AssizeError, type Problem } from '../contract/problem.js';
import type { ScoreRow } from '../files/row-json.js';
import type { Degraded } from '../stages/failures.js';
import { noCandidates } from './session/candidates.js';
import {
  formatOption,
  type InputOptions,
  type SessionOptions,
  type WorkersOptions,
  withInput,
  withSession,
  workersOption,
} from './session/options.js';
import { openSession, rankGiven, type Session } from './session/session.js';
import { Flow } from './terminal/flow.js';
import type { Io } from './terminal/io.js';

/** The options of `assize score`, as commander gives them. */
interface ScoreOptions extends SessionOptions, InputOptions, WorkersOptions {
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
    .action((file: string | undefined, options: ScoreOptions) => score(file, options, io));
}

/** What is known of rows once they have been read. */
interface Known {
  readonly degraded: readonly Degraded[];
  readonly warnings: readonly Problem[];
}

/** Rows to be read once. */
type Rows = AsyncIterable<ScoreRow> & Known;

/** Why no more came. */
type Failure = { readonly error: unknown } | undefined;

async function score(file: string | undefined, options: ScoreOptions, io: Io): Promise<void> {
  const session = await openSession('score', options, io);
  if (file === undefined && io.typed) throw noCandidates('give a file or pipe them in');
  const engine = await import('./engine.js');
  const shared = await inThreads(session, file, options, io);
  const { known, failure } = shared
    ? { known: shared, failure: await writeLines(shared, options, io) }
    : await inOne(session, file, options, io);
  engine.tellWarnings(session.pipeline, io);
  if (!failure || isAboutRows(failure.error)) io.err.write(engine.notices(known, io.err));
  if (failure) throw engine.placedIn(session.context, failure.error);
}

/** By one thread, a row at a time. */
async function inOne(
  session: Session,
  file: string | undefined,
  options: ScoreOptions,
  io: Io,
): Promise<{ readonly known: Known; readonly failure: Failure }> {
  const rows = await rowsOf(session, file, options, io);
  const failure =
    options.format === 'table'
      ? await writeTable(rows, session.pipeline.name, io)
      : await writeLines(linesOf(rows, options), options, io);
  return { known: rows, failure };
}

/** What a run that failed says of its entries is in the failure itself. */
const isAboutRows = (error: unknown): boolean =>
  error instanceof AssizeError && error.problems.every(({ code }) => code === 'ASZ103');

/** The rows of a file as text, by several threads, where that is asked for and they can share it. */
async function inThreads(
  { edition, profile, pipeline, context }: Session,
  file: string | undefined,
  { workers = 1, format, input, candidates = false }: ScoreOptions,
  { err, progress, out }: Io,
): Promise<(AsyncIterable<string> & Known) | undefined> {
  if (workers === 1) return undefined;
  const because = async () => {
    if (file === undefined || file === '-') return 'standard input can only be read from its beginning';
    if (format === 'table') return 'the table has every candidate';
    const [first] = pipeline.needsAll;
    if (first !== undefined) return `${first} needs all candidates at once`;
    const { checkFile, placedIn, scoreFileBy } = await import('./engine.js');
    checkFile(file, input);
    const heard = out.terminal ? undefined : progress; // rows on the same terminal say well enough how far it is
    const options = { context, workers, input, candidates, progress: heard };
    return scoreFileBy({ edition, profile }, file, options).catch((error: unknown) => {
      throw placedIn(context, error);
    });
  };
  const shared = await because();
  if (typeof shared === 'object' && Symbol.asyncIterator in shared) return shared;
  const why = typeof shared === 'string' ? shared : shared.because;
  if (why !== undefined) err.write(`one thread: ${why}\n`);
  return undefined;
}

async function rowsOf(session: Session, file: string | undefined, options: ScoreOptions, io: Io): Promise<Rows> {
  const { pipeline, context } = session;
  if (pipeline.needsAll.length > 0) return collected(session, file, options, io);
  const { streamCandidates } = await import('./engine.js');
  // Rows on the same terminal say well enough how far it is.
  const quiet = io.out.terminal && options.format !== 'table';
  const candidates = streamCandidates(file ?? '-', quiet ? { ...io, progress: undefined } : io, options.input);
  return pipeline.scoreStream(candidates, context);
}

/** Each row as a line. */
async function* linesOf(rows: Rows, { candidates = false }: ScoreOptions): AsyncGenerator<string, void> {
  const { rowJson } = await import('./engine.js');
  for await (const row of rows) yield `${rowJson(row, candidates)}\n`;
}

/** Writes rows while they come. What stopped them is told after those that came before. */
async function writeLines(lines: AsyncIterable<string>, { format }: ScoreOptions, io: Io): Promise<Failure> {
  const flow = new Flow(io.out);
  let before = '[\n';
  let failure: Failure;
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
  await flow.end();
  return failure;
}

/** Writes a table of all that came. */
async function writeTable(rows: Rows, profile: string, io: Io): Promise<Failure> {
  const { scoreTable } = await import('./engine.js');
  const kept: ScoreRow[] = [];
  let failure: Failure;
  try {
    for await (const row of rows) kept.push(row);
  } catch (error) {
    failure = { error };
    if (kept.length === 0) return failure;
  }
  const flow = new Flow(io.out);
  await flow.add(scoreTable(profile, kept, io.out));
  await flow.end();
  return failure;
}

/** All at once, where an entry needs all of them. */
async function collected(session: Session, file: string | undefined, options: ScoreOptions, io: Io): Promise<Rows> {
  const ranking = await rankGiven(session, file ?? '-', { ...options, spare: false }, io);
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
