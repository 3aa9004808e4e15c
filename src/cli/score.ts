import type { Command } from 'commander';
import {
  count,
  counted,
  AssizeError,
  extentOf,
  lastColumn,
  type TableColumn,
  tableText,
  escapeInvisible,
  truncateMiddle,
} from '../base/index.js';
import { nameWithPosition } from '../engine/index.js';
import type { Pipeline } from '../pipeline/index.js';
import type { Labels } from '../profile/index.js';
import { rowJson, type ScoreRow } from '../ranking/index.js';
import {
  formatOption,
  type InputOptions,
  type OverrideOptions,
  type SessionOptions,
  timed,
  timingsOption,
  type TimingsOptions,
  weightOption,
  withInput,
  withSession,
  workersOption,
  type WorkersOptions,
} from './options.js';
import { columnFormatter } from './output/format.js';
import { refuserText, runWarningsText } from './output/summary.js';
import type { ScoreDiagnostics, ScoreRows } from './session/score-rows.js';
import { createStyler } from './terminal/styler.js';
import { BufferedWriter, type Io, type OutputStyle } from './terminal/io.js';
import { noCandidatesError, writeProblems } from './terminal/problems.js';

interface ScoreVerbOptions
  extends SessionOptions,
    InputOptions,
    Pick<OverrideOptions, 'weight'>,
    WorkersOptions,
    TimingsOptions {
  readonly format: 'table' | 'json' | 'jsonl';
  readonly candidates?: boolean;
}

const HELP = `
Rows have the order of the input, without selection (use rank for that). If no
entry compares candidates, json and jsonl are written while the input is read,
in constant memory. Otherwise all candidates are read first. A memory does not
compare candidates: it is stored part by part, before the rows are written.

Output:
  table   the score of each candidate, or why it was refused
  json    a list of rows: id, index, score; scores, states, weights and
          contributions by scorer; combined and rules. If a row has no score,
          it is null, and kind, by and reason say why
  jsonl   the same, a row per line
Lines that cannot be read are reported at the end. The others are scored, unless
the profile needs all of them.
If --workers cannot share the work between threads, one thread does it, and a
line on standard error says why.

Examples:
  assize score --profile ./team.yaml repos.json
  assize score --profile ./team.yaml --format jsonl < repos.jsonl > scores.jsonl`;

/** `assize score`: scores each candidate. */
export function score(command: Command, io: Io): void {
  withInput(withSession(command))
    .summary('score each candidate, in the order of the input')
    .description('Scores each candidate of a file or of standard input by a profile.')
    .addOption(weightOption())
    .addOption(formatOption('table', 'json', 'jsonl'))
    .option('--candidates', 'include the candidates in the rows')
    .addOption(workersOption())
    .addOption(timingsOption())
    .addHelpText('after', HELP)
    .action((file: string | undefined, options: ScoreVerbOptions) => timed(options, io, () => run(file, options, io)));
}

/** The error that ended the rows early. */
type StreamFailure = { readonly error: unknown } | undefined;

/** Rows that were written. */
interface WrittenRows {
  readonly diagnostics: ScoreDiagnostics;
  readonly failure: StreamFailure;
}

async function run(file: string | undefined, options: ScoreVerbOptions, io: Io): Promise<void> {
  const { locateContextProblems, openCliSession } = await import('./session/session.js');
  const { openScoreRows, scoreInWorkers } = await import('./session/score-rows.js');
  const session = await openCliSession('score', options, io, file === undefined ? [] : [file]);
  if (file === undefined && io.interactive)
    throw noCandidatesError('give a file, or pipe candidates to standard input');
  const shared = await scoreInWorkers(session, file, options, io);
  const { diagnostics, failure } = shared
    ? { diagnostics: shared, failure: await writeLines(shared, options, io) }
    : await writeRows(await openScoreRows(session, file, options, io), session.pipeline, options, io);
  writeProblems(session.pipeline.warnings, io);
  if (!failure || isRowProblem(failure.error)) io.err.write(runWarningsText(diagnostics, io.err));
  if (failure) throw locateContextProblems(session.context, failure.error);
}

/** Whether only rows were skipped. The error of a failed run already names its entries. */
const isRowProblem = (error: unknown): boolean =>
  error instanceof AssizeError && error.problems.every(({ code }) => code === 'ASZ103');

/** Writes rows in the format of `--format`. */
async function writeRows(rows: ScoreRows, profile: ScoredBy, options: ScoreVerbOptions, io: Io): Promise<WrittenRows> {
  const failure =
    options.format === 'table'
      ? await writeTable(rows, profile, io)
      : await writeLines(rowLines(rows, options), options, io);
  return { diagnostics: rows, failure };
}

/** Each row as a line of JSON. */
async function* rowLines(rows: ScoreRows, { candidates = false }: ScoreVerbOptions): AsyncGenerator<string, void> {
  for await (const row of rows) yield `${rowJson(row, candidates)}\n`;
}

/** Writes rows as they arrive. An error is returned after the rows before it are written. */
async function writeLines(lines: AsyncIterable<string>, { format }: ScoreVerbOptions, io: Io): Promise<StreamFailure> {
  const writer = new BufferedWriter(io.out);
  let before = '[\n';
  let failure: StreamFailure;
  try {
    for await (const text of lines) {
      await writer.add(format === 'jsonl' ? text : before + text.slice(0, -1).replaceAll('\n', ',\n'));
      before = ',\n';
    }
  } catch (error) {
    failure = { error };
  }
  const none = before === '[\n';
  if (none && failure) return failure;
  if (format === 'json') await writer.add(none ? '[]\n' : '\n]\n');
  await writer.flush();
  return failure;
}

/** Writes all rows as one table. */
async function writeTable(rows: ScoreRows, profile: ScoredBy, io: Io): Promise<StreamFailure> {
  const all: ScoreRow[] = [];
  let failure: StreamFailure;
  try {
    for await (const row of rows) all.push(row);
  } catch (error) {
    failure = { error };
    if (all.length === 0) return failure;
  }
  const writer = new BufferedWriter(io.out);
  await writer.add(scoreTable(profile, all, io.out));
  await writer.flush();
  return failure;
}

const MAX_ID_WIDTH = 40;

/** The profile of some rows: its name, and the labels of its entries. */
type ScoredBy = Pick<Pipeline, 'name' | 'labels'>;

/** Rows in their order, each with its score or the reason why it has none. */
function scoreTable(
  { name: profile, labels }: ScoredBy,
  rows: readonly ScoreRow[],
  { limit, colour }: OutputStyle,
): string {
  const paint = createStyler(colour);
  const refused = rows.filter((row) => 'kind' in row).length;
  const parts = [counted(rows.length, 'candidate'), ...(refused > 0 ? [`${count(refused)} refused`] : [])];
  const head = `${paint('bold', escapeInvisible(profile))}: ${parts.join(', ')}\n`;
  if (rows.length === 0) return head;
  const scores = rows.map((row) => ('score' in row ? row.score : undefined));
  const format = columnFormatter(extentOf(scores.map((value) => value ?? Number.NaN)));
  const notes = rows.map((row) => missingScoreText(row, labels));
  const body: TableColumn[] = [
    {
      head: 'id',
      align: 'left',
      cells: rowNames(rows).map((name) => truncateMiddle(escapeInvisible(name), MAX_ID_WIDTH)),
    },
    {
      head: 'score',
      align: 'right',
      cells: scores.map((value) => paint('bold', value === undefined ? '–' : format(value))),
    },
  ];
  if (notes.some((note) => note !== '')) body.push(lastColumn('', notes, body, limit));
  return `${head}\n${tableText(body, paint)}`;
}

/** The names of the rows: their ids, with their positions if several rows have the same id. */
function rowNames(rows: readonly ScoreRow[]): readonly string[] {
  const seen = new Set<string>();
  const shared = new Set(rows.map(({ id }) => id).filter((id) => seen.size === seen.add(id).size));
  return rows.map(({ id, index }) => (shared.has(id) ? nameWithPosition(id, index) : id));
}

/** Why a row has no score, or the number of scorers that scored it. */
function missingScoreText(row: ScoreRow, labels: Labels | undefined): string {
  if ('kind' in row) return `${refuserText(labels, row.by, row.kind)}: ${escapeInvisible(row.reason)}`;
  if (row.because) return row.because;
  return row.partial ? `on ${row.partial.present} of ${row.partial.of} scorers` : '';
}
