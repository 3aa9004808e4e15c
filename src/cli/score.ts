import type { Command } from 'commander';
import { AssizeError, type Problem } from '../contract/problem.js';
import type { Degraded } from '../stages/failures.js';
import type { ScoreRow } from './output/json/row-json.js';
import { noCandidates } from './session/candidates.js';
import { formatOption, type InputOptions, type SessionOptions, withInput, withSession } from './session/options.js';
import { openSession, rankGiven, type Session } from './session/session.js';
import { Flow } from './terminal/flow.js';
import type { Io } from './terminal/io.js';

/** The options of `assize score`, as commander gives them. */
interface ScoreOptions extends SessionOptions, InputOptions {
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
    .addHelpText('after', HELP)
    .action((file: string | undefined, options: ScoreOptions) => score(file, options, io));
}

/** Rows to be read once, and what is to be told afterwards. */
interface Rows extends AsyncIterable<ScoreRow> {
  readonly degraded: readonly Degraded[];
  readonly warnings: readonly Problem[];
}

async function score(file: string | undefined, options: ScoreOptions, io: Io): Promise<void> {
  const session = await openSession('score', options, io);
  if (file === undefined && io.typed) throw noCandidates('give a file or pipe them in');
  const engine = await import('./engine.js');
  const rows = session.pipeline.needsAll.length > 0 ? await collected(session, file, options, io) : await streamed();
  const failure = await write(rows, session.pipeline.name, options, io);
  engine.tellWarnings(session.pipeline, io);
  if (!failure || isAboutRows(failure.error)) io.err.write(engine.notices(rows, io.err));
  if (failure) throw engine.placedIn(session.context, failure.error);

  async function streamed(): Promise<Rows> {
    // Rows on the same terminal say well enough how far it is.
    const quiet = io.out.terminal && options.format !== 'table';
    const candidates = engine.streamCandidates(file ?? '-', quiet ? { ...io, progress: undefined } : io, options.input);
    return session.pipeline.scoreStream(candidates, session.context);
  }
}

/** What a run that failed says of its entries is in the failure itself. */
const isAboutRows = (error: unknown): boolean =>
  error instanceof AssizeError && error.problems.every(({ code }) => code === 'ASZ103');

/** Writes rows while they come. What stopped them is told after those that came before. */
async function write(
  rows: Rows,
  profile: string,
  { format, candidates = false }: ScoreOptions,
  io: Io,
): Promise<{ readonly error: unknown } | undefined> {
  const { rowJson, scoreTable } = await import('./engine.js');
  const flow = new Flow(io.out);
  const kept: ScoreRow[] = [];
  let before = '[\n';
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const row of rows) {
      if (format === 'table') kept.push(row);
      else if (format === 'jsonl') await flow.add(`${rowJson(row, candidates)}\n`);
      else await flow.add(`${before}${rowJson(row, candidates)}`);
      before = ',\n';
    }
  } catch (error) {
    failure = { error };
  }
  const none = before === '[\n';
  if (none && failure) return failure;
  if (format === 'json') await flow.add(none ? '[]\n' : '\n]\n');
  if (format === 'table') await flow.add(scoreTable(profile, kept, io.out));
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
