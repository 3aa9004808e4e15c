import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import type { Command } from 'commander';
import { formatByExtension } from '../data/node.js';
import {
  choiceOption,
  type ExplanationOptions,
  withExplanation,
  type ContextOptions,
  formatOption,
  type InputOptions,
  overridesOf,
  topOption,
  type TrustOptions,
  untrustedOption,
  withContext,
  withInput,
} from './options.js';
import { type OneGroupOptions, withGroup } from './table-options.js';
import { jsonText } from './output/json.js';
import { explanationStyle } from './terminal/styler.js';
import type { Io } from './terminal/io.js';
import { usageError, noCandidatesError } from './terminal/problems.js';
import { AssizeError, toAssizeError } from '../base/index.js';
import type { Ranking } from '../ranking/index.js';

const HELP = `
Output:
  text    its rank and score, scorer by scorer, rule by rule, and the vetoes that
          it passed
  json    the same as a tree, with every number and field that was read
  markdown
          the same as nested lists, for a comment or a page
  --to    instead, the single changes of a field or a weight that would rank it
          first (win) or select it (selected); each change was verified by
          ranking again

Examples:
  assize explain --profile knowledgepulse trace-7 traces.jsonl
  assize explain --profile ./movies.yaml --format json 'Toy Story' movies.json
  assize explain --profile ./team.yaml '#3' repos.json
  assize explain --profile ./team.yaml '@3' repos.json --to win
  assize explain -p ./films.yaml --partition-by query --group q1 '@1' candidates.jsonl`;

const GOALS = ['win', 'selected'] as const;

interface ExplainOptions extends ExplanationOptions, OneGroupOptions {
  readonly to?: (typeof GOALS)[number];
}

/** `assize explain`: explains the score, the rank or the refusal of one candidate. */
export function explain(command: Command, io: Io): void {
  const described = command
    .summary('explain the score of a candidate')
    .description('Ranks candidates, and explains the score of one of them, or why it was refused.')
    .argument('<id>', "its id, its row in the table of rank: '#3', or its position in the input: '@3'");
  withGroup(withExplanation(described, 'markdown'))
    .addOption(choiceOption('--to <goal>', 'show what would have to change for it to win, or to be selected', GOALS))
    .addHelpText('after', HELP)
    .action((id: string, file: string | undefined, options: ExplainOptions) => run(id, file, options, io));
}

async function run(id: string, file: string | undefined, options: ExplainOptions, io: Io): Promise<void> {
  if (file === undefined ? io.interactive : !existsSync(file)) checkIsId(id, file);
  const ranking = await rankExplained('explain', file, options, io, [id]);
  if (file === undefined && ranking.counts.given === 0) checkIsId(id);
  const which = namedCandidate(ranking, id);
  if (options.to !== undefined) {
    if (options.format === 'markdown') throw usageError('--to has no output in markdown', 'use --format text or json');
    const ways = await ranking.waysToWin(which, options.to === 'win' ? 'first' : 'selected');
    if (options.format === 'json') return io.out.write(jsonText(ways));
    const { waysToWinText } = await import('../index.js');
    return io.out.write(waysToWinText(ways, explanationStyle(io.out)));
  }
  const explanation = ranking.explain(which);
  if (options.format === 'json') return io.out.write(jsonText(explanation));
  const { explanationMarkdown, explanationText } = await import('../index.js');
  if (options.format === 'markdown') return io.out.write(explanationMarkdown(explanation));
  io.out.write(explanationText(explanation, explanationStyle(io.out)));
}

/**
 * @param second the argument after it, if that is not a file
 * @throws AssizeError (ASZ601) if the id of a candidate is a file of candidates: the id was probably forgotten, or
 *   given after the file
 */
function checkIsId(id: string, second?: string): void {
  if (formatByExtension(extname(id)) === undefined || !existsSync(id)) return;
  if (second !== undefined && second !== '-')
    throw usageError('the id of the candidate comes before the file', `assize explain --profile … ${second} ${id}`);
  const hint = `assize explain --profile … ID ${id}; the row in the table of assize rank is an id, too: '#1'`;
  throw usageError('the id of the candidate is missing', hint);
}

/**
 * Ranks the candidates of a file, or of one of its groups.
 *
 * @param before the arguments before the file, for hints
 */
async function rankExplained(
  verb: string,
  file: string | undefined,
  options: ExplanationOptions & OneGroupOptions,
  io: Io,
  before: readonly string[] = [],
): Promise<Ranking<object>> {
  const { checkOverrides, openCliSession, rankInput, rankInSession } = await import('./session/session.js');
  const session = await openCliSession(verb, options, io, file === undefined ? before : [...before, file]);
  if (options.partitionBy === undefined && options.group === undefined) return rankInput(session, file, options, io);
  checkOverrides(session, options);
  const { readGroup } = await import('./session/groups.js');
  const { candidates, context } = await readGroup(session, file ?? '-', options, io);
  return rankInSession({ ...session, context }, candidates, { budget: options.budget, ...overridesOf(options) });
}

const COMPARE_HELP = `
Output:
  text    which comes first, the difference scorer by scorer, and the single
          changes that would reverse the order
  json    the same as a tree, with the changes that would not reverse it

Examples:
  assize compare --profile knowledgepulse trace-7 trace-9 traces.jsonl
  assize compare --profile ./movies.yaml --format json 'Toy Story' Heat movies.json
  assize compare --profile ./team.yaml '#2' '#1' repos.json`;

/** `assize compare`: explains why one candidate ranks above another. */
export function compare(command: Command, io: Io): void {
  const described = command
    .summary('explain why one candidate ranks above another')
    .description('Ranks candidates, and shows which of two comes first, why, and what would reverse their order.')
    .argument('<a>', "one candidate: its id, its row in the table of rank: '#3', or its position in the input: '@3'")
    .argument('<b>', 'the other candidate');
  withGroup(withExplanation(described))
    .addHelpText('after', COMPARE_HELP)
    .action((a: string, b: string, file: string | undefined, options: ExplanationOptions & OneGroupOptions) =>
      runCompare([a, b], file, options, io),
    );
}

async function runCompare(
  [a, b]: readonly [string, string],
  file: string | undefined,
  options: ExplanationOptions & OneGroupOptions,
  io: Io,
): Promise<void> {
  const ranking = await rankExplained('compare', file, options, io);
  const comparison = await ranking.compare(namedCandidate(ranking, a), namedCandidate(ranking, b));
  if (options.format === 'json') return io.out.write(jsonText(comparison));
  const { comparisonText } = await import('../index.js');
  io.out.write(comparisonText(comparison, explanationStyle(io.out)));
}

interface DiffVerbOptions extends ContextOptions, InputOptions, TrustOptions {
  readonly top?: number;
  readonly format: 'text' | 'json';
}

const DIFF_HELP = `
Both profiles rank the same candidates with the same time (now). A profile is a
preset, or a path, which has a slash or ends in .yaml.

Output:
  text    the number of candidates that moved, entered or left the selection, or
          were refused; then each of them, and the scorers and rules responsible
  json    the same as a tree

Examples:
  assize diff knowledgepulse ./team.yaml traces.jsonl
  assize diff ./team.yaml ./my-profile.yaml --now 2026-06-01 repos.json --top 5`;

/** `assize diff`: compares the rankings of two profiles. */
export function diff(command: Command, io: Io): void {
  const described = command
    .summary('compare the rankings of two profiles')
    .description(
      'Ranks candidates by two profiles, and shows which candidates move, and which scorers and rules move them.',
    )
    .argument('<before>', 'a profile: a preset, or a path')
    .argument('<after>', 'the profile to compare with it');
  withInput(withContext(described.addOption(untrustedOption())))
    .addOption(topOption('how many changed candidates to list; 20 by default'))
    .addOption(formatOption('text', 'json'))
    .addHelpText('after', DIFF_HELP)
    .action((before: string, after: string, file: string | undefined, options: DiffVerbOptions) =>
      runDiff([before, after], file, options, io),
    );
}

async function runDiff(
  [before, after]: readonly [string, string],
  file: string | undefined,
  { input, absent, top, format, ...options }: DiffVerbOptions,
  io: Io,
): Promise<void> {
  if (file === undefined && io.interactive) throw noCandidatesError('give a file or pipe them in');
  const { openCliSession, rankInSession, readCandidateFile, readContext } = await import('./session/session.js');
  const first = await openCliSession('diff', { ...options, profile: before }, io);
  const second = await openCliSession('diff', { ...options, profile: after }, io);
  const candidates = await readCandidateFile(file ?? '-', io, { input, absent });
  const one = await rankInSession(first, candidates);
  const other = await rankInSession({ ...second, context: await readContext(options.context, one.now) }, candidates);
  const { diffRankings, diffText } = await import('../index.js');
  const found = diffRankings(one, other, top === undefined ? {} : { most: top });
  if (format === 'json') return io.out.write(jsonText(found));
  io.out.write(diffText(found, explanationStyle(io.out)));
}

/** A row by its number in the table: `#3`. */
const ROW = /^#(\d+)$/;

/**
 * Resolves the name of a candidate on the command line: an id, `@3` or `widget (@3)` as in code, or `#3`, the row with
 * this number in the table that `assize rank` and `assize pack` print with the same options. An id such as `#3` comes
 * first.
 *
 * @throws AssizeError (ASZ504) if the table has no such row
 */
export function namedCandidate(ranking: Ranking<object>, name: string): string | { readonly index: number } {
  const [, digits] = ROW.exec(name) ?? [];
  if (digits === undefined || isId(ranking, name)) return name;
  const rank = Number(digits);
  const row = ranking.selected.find((one) => one.rank === rank);
  if (row) return { index: row.index };
  throw toAssizeError([{ code: 'ASZ504', message: `the table has no row ${name}`, hint: rowHint(ranking, rank) }]);
}

function isId(ranking: Ranking<object>, name: string): boolean {
  try {
    ranking.terms(name);
    return true;
  } catch (error) {
    if (error instanceof AssizeError && error.code === 'ASZ504') return false;
    throw error;
  }
}

function rowHint(ranking: Ranking<object>, rank: number): string {
  const other = ranking.rankedAt(rank);
  if (other) return `the candidate with this rank is not selected; its name is '${ranking.nameOf(other)}'`;
  const ranks = ranking.selected.flatMap((row) => row.rank ?? []);
  if (ranks.length === 0)
    return `no row has a number; name a candidate by its id, or by its position in the input: '@0'`;
  return `its rows are numbered from #${Math.min(...ranks)} to #${Math.max(...ranks)}; a position in the input, counted from 0, is '@${rank}'`;
}
