import { existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { createPipeline } from 'assize';
import { compilePath, formatNumber, packageVersion } from 'assize/internal';
import {
  escapeInvisible,
  type Io,
  readCandidateFile,
  readContext,
  truncateEnd,
  usageError,
  createStyler,
  type OutputStyle,
  type TableColumn,
  tableText,
} from 'assize/verbs';
import { pairLines, readPairs } from '../dataset/pairs.js';
import {
  type Asked,
  askedYaml,
  type AskOptions,
  askWeights,
  type Question,
  type Reply,
  type AskedScorer,
  askedText,
} from '../tune/ask/ask-weights.js';
import type { AskVerbOptions } from './dataset-options.js';
import { changeFrom, checkNew, extendedFrom } from './tuned.js';

const REPLIES: Readonly<Record<string, Reply>> = { a: 'a', b: 'b', '=': 'same', q: 'stop' };

/** Asks the user at standard input, and finds the weights. */
export async function askPerson(
  profile: string,
  file: string,
  options: AskVerbOptions,
  io: Io,
): Promise<{ readonly asked: Asked<object>; readonly yaml: string }> {
  if (file === '-') throw usageError('candidates cannot come from standard input, which has the answers: give a file');
  const { out, top, questions, only, seed, date, answers } = options;
  if (out !== undefined) checkNew(out, io.folder);
  const candidates = await readCandidateFile(file, io, options);
  const context = await readContext(options);
  const lines = createInterface({ input: Readable.from(io.stdin), crlfDelay: Number.POSITIVE_INFINITY });
  try {
    const typed = lines[Symbol.asyncIterator]();
    const ask = (question: Question<object>): Promise<Reply> => askOnce(question, typed, io);
    const names = await namesOf(profile, candidates);
    const kept = answers === undefined ? [] : await readKept(answers, names);
    const asked = await askWeights(profile, candidates, context, { ask, top, questions, only, seed, earlier: kept });
    if (answers !== undefined) await keepAnswers(answers, asked, kept, names, options.person);
    const from = extendedFrom(profile, out, io.folder);
    const written = { ...asked, change: changeFrom(asked.change, out, io.folder) };
    return { asked, yaml: askedYaml(written, { extends: from, version: packageVersion(), data: file, date }) };
  } finally {
    lines.close();
  }
}

/** The name of each candidate in a file of answers, by position. */
async function namesOf(profile: string, candidates: readonly object[]): Promise<readonly string[]> {
  const { candidateReads } = await createPipeline<object>(profile);
  const id = compilePath(candidateReads[0]?.field ?? 'id');
  return candidates.map((one, k) => {
    const name = id(one);
    return typeof name === 'string' || typeof name === 'number' ? String(name) : `@${k}`;
  });
}

type Kept = NonNullable<AskOptions<object>['earlier']>;

/** The answers of a file, if it exists, about candidates that are present. */
async function readKept(file: string, names: readonly string[]): Promise<Kept> {
  if (!existsSync(file)) return [];
  const positions = new Map(names.map((name, k) => [name, k]));
  return (await readPairs(file)).flatMap(({ a, b, winner }) => {
    const [first, second] = [positions.get(a), positions.get(b)];
    return first === undefined || second === undefined ? [] : [{ a: first, b: second, choice: winner }];
  });
}

/** Appends the new answers to the file. */
async function keepAnswers(
  file: string,
  { answers }: Asked<object>,
  kept: Kept,
  names: readonly string[],
  person: string | undefined,
): Promise<void> {
  const isKept = ({ a, b, choice }: (typeof answers)[number]): boolean =>
    kept.some((one) => one.a === a && one.b === b && one.choice === choice);
  const added = answers.filter((one) => !isKept(one));
  const pairs = added.map(({ a, b, choice }) => ({
    a: names[a]!,
    b: names[b]!,
    winner: choice,
    ...(person !== undefined && { person }),
  }));
  if (pairs.length > 0) await appendFile(file, pairLines(pairs));
}

/** Repeats the question until the reply is valid. The end of the input stops. */
async function askOnce(question: Question<object>, typed: AsyncIterator<string>, { err }: Io): Promise<Reply> {
  const { a, b, answered, agreement } = question;
  const sure = `${Math.round(agreement * 100)} % sure`;
  err.write(`\n${answered + 1}. Which should come first? (${sure})\n`);
  err.write(`   a  ${candidateLine(a, err.columns)}\n   b  ${candidateLine(b, err.columns)}\n`);
  for (;;) {
    err.write('a, b, = (neither), q (stop): ');
    // oxlint-disable-next-line no-await-in-loop -- the next line is read only after an invalid reply
    const { value, done } = await typed.next();
    if (done === true) return 'stop';
    const reply = REPLIES[value.trim().toLowerCase()];
    if (reply) return reply;
  }
}

/** A candidate on one line: its fields that are texts, numbers or booleans. */
function candidateLine(candidate: object, columns: number): string {
  const fields = Object.entries(candidate).filter(([, value]) => value !== null && typeof value !== 'object');
  const text = fields
    .map(([name, value]) => `${name} ${typeof value === 'number' ? formatNumber(value) : String(value)}`)
    .join(', ');
  return truncateEnd(escapeInvisible(text), Math.max(40, columns - 6));
}

/** The 90 % credible interval of each weight, so that a reader sees how uncertain few answers leave it. */
const likelyColumn = (scorers: readonly AskedScorer[]): TableColumn => ({
  head: 'likely',
  align: 'left',
  cells: scorers.map(({ likely = [] }) => likely.map((bound) => bound.toFixed(2)).join(' to ')),
});

/** The result of the questions: weights, the top by them, and contradictory answers. */
export function askedTable(asked: Asked<object>, { colour }: OutputStyle): string {
  const paint = createStyler(colour);
  const { profile, scorers, top, answers, left } = asked;
  const against = answers.flatMap(({ contradicts }, k) => (contradicts ? [k + 1] : []));
  return [
    `${paint('bold', escapeInvisible(profile))}: ${askedText(asked)}\n\n`,
    tableText(
      [
        { head: 'scorer', align: 'left', cells: scorers.map(({ id }) => escapeInvisible(id)) },
        { head: 'weight', align: 'right', cells: scorers.map(({ weight }) => formatNumber(weight)) },
        ...(answers.length > 0 ? [likelyColumn(scorers)] : []),
        { head: 'was', align: 'right', cells: scorers.map(({ before }) => formatNumber(before)) },
      ],
      paint,
    ),
    ...left.map(({ id, because }) => `${escapeInvisible(id)} is unchanged: ${because}\n`),
    `\n${top.map(({ rank, id }) => `${rank}. ${escapeInvisible(id)}`).join('\n')}\n`,
    against.length > 0
      ? `\nYour other answers contradict answer${against.length > 1 ? 's' : ''} ${against.join(', ')}.\n`
      : '',
  ].join('');
}
