import type { Command } from 'commander';
import {
  budgetOption,
  type CandidateOptions,
  candidatesOption,
  formatOption,
  generateOption,
  offsetOption,
  type OverrideOptions,
  type SessionOptions,
  timed,
  type TimingsOptions,
  timingsOption,
  type WorkersOptions,
  withInput,
  withLimits,
  withSession,
  workersOption,
} from './options.js';
import { rankingJsonText, rankingJsonLines } from './output/json.js';
import { rankingTable } from './output/ranking-table.js';
import { type RankingView, rankingView } from './output/ranking-view.js';
import { isUrgent, runWarningsText, summary } from './output/summary.js';
import type { CliSession } from './session/session.js';
import type { Io } from './terminal/io.js';
import { writeProblems } from './terminal/problems.js';

interface RankVerbOptions extends SessionOptions, CandidateOptions, OverrideOptions, WorkersOptions, TimingsOptions {
  readonly budget?: number;
  readonly format: 'table' | 'json' | 'jsonl';
  readonly candidates?: true;
}

const HELP = `\
With neither a file nor anything piped in, a profile with strategies makes its
own candidates, as it does with --generate.

Output:
  table   the selected, best first, with the weights and the rules that changed
          a score; what was refused and left out
  json    one object: profile, counts, weights, ranked, selected, leftOut,
          refused, pruned, report, degraded, warnings
  jsonl   a line for each of the selected: rank, id, index, score, candidate
In both a row has what its score is made of: scores, states, weights and
contributions by scorer, combined and rules.
Failures that did not fail the run, and warnings, go to standard error, or into
the json.

With --workers, memory grows with what is selected and not with the file, where
every entry judges a candidate alone; duplicate ids are then reported only among
candidates that may be selected. Work that threads cannot share is done in one,
and a line on standard error says why.

Examples:
  assize rank --profile knowledgepulse traces.jsonl --top 10
  assize rank --profile ./movies.yaml --now 2011-01-01 movies.json
  assize rank --profile ./team.yaml --format jsonl < repos.jsonl | head -3
  assize rank -p ./team.yaml --weight popularity=1 --min-score 0.2 repos.json
  assize rank --profile ./team.yaml --top 2 --offset 2 repos.json
  assize rank --profile ./team.yaml --top 10 --workers 4 repos.jsonl`;

/** `assize rank`: ranks candidates. */
export function rank(command: Command, io: Io): void {
  withLimits(withInput(withSession(command)))
    .summary('rank candidates by a profile')
    .description('Ranks the candidates of a file or of standard input by a profile.')
    .addOption(offsetOption())
    .addOption(budgetOption())
    .addOption(formatOption('table', 'json', 'jsonl'))
    .addOption(candidatesOption())
    .addOption(generateOption())
    .addOption(workersOption())
    .addOption(timingsOption())
    .addHelpText('after', HELP)
    .action((file: string | undefined, options: RankVerbOptions) => timed(options, io, () => run(file, options, io)));
}

async function run(file: string | undefined, options: RankVerbOptions, io: Io): Promise<void> {
  const { openCliSession, rankInput } = await import('./session/session.js');
  const session = await openCliSession('rank', options, io);
  const { format, candidates, workers = 1 } = options;
  if (format === 'json') {
    const ranking = await rankInput(session, file, options, io);
    writeProblems(session.pipeline.warnings, io);
    if (workers > 1) io.err.write('one thread: the json has every candidate\n');
    return io.out.write(rankingJsonText(ranking, { candidates }));
  }
  const ranking = await rankTop(session, file, options, io);
  writeProblems([...session.pipeline.warnings, ...ranking.warnings.filter(isUrgent)], io);
  if (format === 'jsonl') io.out.write(rankingJsonLines(ranking));
  else io.out.write(rankingTable(ranking, session.pipeline.describe().scorers, io.out) + summary(ranking, io.out));
  io.err.write(ranking.notices.map((notice) => `${notice}\n`).join('') + runWarningsText(ranking, io.err));
}

/** Ranks for the best rows alone: in several threads with `--workers`, where they can share the file. */
async function rankTop(
  session: CliSession,
  file: string | undefined,
  options: RankVerbOptions,
  io: Io,
): Promise<RankingView> {
  const { workers = 1 } = options;
  const { deferredScorers, rankInput } = await import('./session/session.js');
  const reason = singleThreadReason(file, options, deferredScorers(session, options));
  if (workers > 1 && file !== undefined && reason === undefined) {
    const { rankInWorkers } = await import('./session/rank-in-workers.js');
    return rankInWorkers(session, file, options, io);
  }
  const ranking = await rankInput(session, file, options, io);
  return rankingView(ranking, workers > 1 ? [`one thread: ${reason}`] : []);
}

/** Why one thread does all the work, where that is known before the file is opened. */
function singleThreadReason(
  file: string | undefined,
  { generate }: RankVerbOptions,
  deferred: readonly string[],
): string | undefined {
  if (generate === true) return 'the candidates are made, and not read';
  if (file === undefined || file === '-') return 'standard input can only be read from its beginning';
  if (deferred.length === 0) return undefined;
  return `candidates that cannot be selected are pruned before ${deferred.join(', ')} runs`;
}
