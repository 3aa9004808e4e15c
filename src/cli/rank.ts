import { type Command, InvalidArgumentError, Option } from 'commander';
import { toMillis } from '../expression/time.js';
import type { RowFormat } from '../document/rows.js';
import { usage } from './exit.js';
import type { Io } from './io.js';

/** The options of `assize rank`, as commander gives them. */
interface RankOptions {
  readonly profile?: string;
  readonly top?: number;
  readonly context?: string;
  readonly now?: number | string;
  readonly input?: RowFormat;
  readonly format: 'table' | 'json' | 'jsonl';
  readonly candidates?: true;
  readonly generate?: true;
}

const HELP = `
Candidates are objects: a JSON list of them, one JSON object, or JSON Lines, an
object a line. A file's format is its ending's; that of standard input is seen
from how it begins. With neither a file nor anything piped in, a profile with
strategies makes its own candidates, as it does with --generate.

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
  assize rank --profile ./team.yaml --format jsonl < traces.jsonl | head -3`;

/** `assize rank`: candidates in, the ranking out. */
export function addRank(program: Command, io: Io): void {
  program
    .command('rank')
    .summary('rank candidates by a profile')
    .description('Ranks the candidates of a file or of standard input by a profile.')
    .argument('[file]', 'the candidates, JSON or JSON Lines; - is standard input')
    .option('-p, --profile <preset-or-path>', 'required: a preset, or a path, which has a slash or ends in .yaml')
    .option('-n, --top <number>', 'show so many of the best; the profile selects as it does', toTop)
    .option('-c, --context <file>', 'what is known about this request, as JSON or YAML')
    .option('--now <time>', "the time of the run: ISO 8601, or milliseconds since 1970; the context's now", toTime)
    .addOption(new Option('-i, --input <format>', 'the format of the candidates').choices(['json', 'jsonl']))
    .addOption(
      new Option('-f, --format <format>', 'of the output').choices(['table', 'json', 'jsonl']).default('table'),
    )
    .option('--candidates', 'put the candidates themselves into the json')
    .option('--generate', "rank what the profile's strategies make")
    .addHelpText('after', HELP)
    .action((file: string | undefined, options: RankOptions) => rank(file, options, io));
}

async function rank(file: string | undefined, options: RankOptions, io: Io): Promise<void> {
  // Not commander's to require: it would say this before it says that --porfile is not known.
  if (options.profile === undefined) throw usage('--profile is missing', 'assize rank --profile PRESET_OR_PATH FILE');
  const engine = await import('./engine.js');
  const pipeline = await engine.createPipeline(options.profile);
  const { strategies, scorers } = pipeline.describe();
  const makesOwn = options.generate === true || (file === undefined && io.typed);
  if (makesOwn && file !== undefined) throw usage('there are candidates both from --generate and from a file');
  if (makesOwn && strategies.length === 0) {
    throw usage('there are no candidates', `give a file or pipe them in: profile ${pipeline.name} has no strategies`);
  }
  const context = await engine.readContext(options.context, options.now);
  const candidates = makesOwn ? undefined : await engine.readCandidates(file ?? '-', io.stdin, options.input);
  const ranking = await pipeline.rank(candidates, context).catch((error: unknown) => {
    throw engine.placedIn(context, error);
  });
  const { format, top } = options;
  engine.tellWarnings(pipeline, io);
  if (format === 'json') return io.out.write(engine.rankingJson(ranking, { top, candidates: options.candidates }));
  if (format === 'jsonl') io.out.write(engine.rankingJsonLines(ranking, top));
  else io.out.write(engine.rankingTable(ranking, scorers, io.out, top) + engine.summary(ranking, io.out));
  io.err.write(engine.notices(ranking, io.err));
}

function toTop(text: string): number {
  const top = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(top) && top > 0) return top;
  throw new InvalidArgumentError('expected a whole number of at least 1.');
}

function toTime(text: string): number | string {
  const time = /^-?\d+$/.test(text) && text.length !== 4 ? Number(text) : text; // 2026 is somebody's year
  try {
    toMillis(time);
    return time;
  } catch (error) {
    throw new InvalidArgumentError(`${error instanceof Error ? error.message : String(error)}.`);
  }
}
