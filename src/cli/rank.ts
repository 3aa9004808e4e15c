import type { Command } from 'commander';
import {
  budgetOption,
  type CandidateOptions,
  candidatesOption,
  formatOption,
  generateOption,
  type SessionOptions,
  topOption,
  type WorkersOptions,
  withInput,
  withSession,
  workersOption,
} from './session/options.js';
import { rankTop } from './session/rank-top.js';
import { openCliSession, rankInput } from './session/session.js';
import type { Io } from './terminal/io.js';

/** The options of `assize rank`, as commander gives them. */
interface RankVerbOptions extends SessionOptions, CandidateOptions, WorkersOptions {
  readonly top?: number;
  readonly budget?: number;
  readonly format: 'table' | 'json' | 'jsonl';
  readonly candidates?: true;
}

const HELP = `\
With neither a file nor anything piped in, a profile with strategies makes its
own candidates, as it does with --generate.

Output:
  table   the selected, best first; what was refused and left out
  json    one object: profile, counts, ranked, selected, leftOut, refused,
          pruned, report, degraded, warnings
  jsonl   a line for each of the selected: rank, id, score, candidate
What failed without failing the run, and warnings, go to standard error, or into
the json.

With --workers, memory grows with what is selected and not with the file, where
every entry judges a candidate alone; of ids that several have, those are named
that may be selected. What threads cannot share, one does, and it is said why.

Examples:
  assize rank --profile knowledgepulse traces.jsonl --top 10
  assize rank --profile ./movies.yaml --now 2011-01-01 movies.json
  assize rank --profile ./team.yaml --format jsonl < repos.jsonl | head -3
  assize rank --profile ./team.yaml --top 10 --workers 4 repos.jsonl`;

/** `assize rank`: candidates in, the ranking out. */
export function addRank(program: Command, io: Io): void {
  const verb = program
    .command('rank')
    .summary('rank candidates by a profile')
    .description('Ranks the candidates of a file or of standard input by a profile.');
  withInput(withSession(verb))
    .addOption(budgetOption())
    .addOption(topOption('show so many of the best; the profile selects as it does'))
    .addOption(formatOption('table', 'json', 'jsonl'))
    .addOption(candidatesOption())
    .addOption(generateOption())
    .addOption(workersOption())
    .addHelpText('after', HELP)
    .action((file: string | undefined, options: RankVerbOptions) => rank(file, options, io));
}

async function rank(file: string | undefined, options: RankVerbOptions, io: Io): Promise<void> {
  const session = await openCliSession('rank', options, io);
  const engine = await import('./lazy-imports.js');
  const { format, top, candidates, workers = 1 } = options;
  if (format === 'json') {
    const ranking = await rankInput(session, file, options, io);
    engine.writeProfileWarnings(session.pipeline, io);
    if (workers > 1) io.err.write('one thread: the json has every candidate\n');
    return io.out.write(engine.rankingJson(ranking, { top, candidates }));
  }
  const best = await rankTop(session, file, options, io);
  engine.writeProfileWarnings(session.pipeline, io);
  const { scorers } = session.pipeline.describe();
  if (format === 'jsonl') io.out.write(engine.rankingJsonLines(best));
  else io.out.write(engine.rankingTable(best, scorers, io.out) + engine.summary(best, io.out));
  io.err.write(best.notices.map((notice) => `${notice}\n`).join('') + engine.runWarningsText(best, io.err));
}
