import type { Command } from 'commander';
import {
  budgetOption,
  type CandidateOptions,
  candidatesOption,
  formatOption,
  generateOption,
  type SessionOptions,
  topOption,
  withInput,
  withSession,
} from './session/options.js';
import { openSession, rankGiven } from './session/session.js';
import type { Io } from './terminal/io.js';

/** The options of `assize rank`, as commander gives them. */
interface RankOptions extends SessionOptions, CandidateOptions {
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
          report, degraded, warnings
  jsonl   a line for each of the selected: rank, id, score, candidate
What failed without failing the run, and warnings, go to standard error, or into
the json.

Examples:
  assize rank --profile knowledgepulse traces.jsonl --top 10
  assize rank --profile ./movies.yaml --now 2011-01-01 movies.json
  assize rank --profile ./team.yaml --format jsonl < repos.jsonl | head -3`;

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
    .addHelpText('after', HELP)
    .action((file: string | undefined, options: RankOptions) => rank(file, options, io));
}

async function rank(file: string | undefined, options: RankOptions, io: Io): Promise<void> {
  const session = await openSession('rank', options, io);
  const ranking = await rankGiven(session, file, options, io);
  const engine = await import('./engine.js');
  const { format, top } = options;
  engine.tellWarnings(session.pipeline, io);
  if (format === 'json') return io.out.write(engine.rankingJson(ranking, { top, candidates: options.candidates }));
  const { scorers } = session.pipeline.describe();
  if (format === 'jsonl') io.out.write(engine.rankingJsonLines(ranking, top));
  else io.out.write(engine.rankingTable(ranking, scorers, io.out, top) + engine.summary(ranking, io.out));
  io.err.write(engine.notices(ranking, io.err));
}
