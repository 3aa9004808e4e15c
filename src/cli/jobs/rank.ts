import { type Command, Option } from 'commander';
import { AssizeError } from '../../base/index.js';
import type { QueueProgress } from '../../jobs/index.js';
import {
  budgetOption,
  formatOption,
  offsetOption,
  type OverrideOptions,
  overridesOf,
  parseInteger,
  type SessionOptions,
  withLimits,
  withSession,
} from '../options.js';
import { writeRanking } from '../output/ranking-table.js';
import type { Io } from '../terminal/io.js';
import { addressOf, httpOf, type QueueOptions, withQueue } from './options.js';

interface JobsRankOptions extends SessionOptions, OverrideOptions, QueueOptions {
  readonly budget?: number;
  readonly format: 'table' | 'jsonl';
  readonly shardBytes?: number;
  readonly watch?: true;
}

const HELP = `
The candidates are JSON Lines: a file in --files or, if --files is a base URL, an
object on a server that supports range requests. The profile is a preset, or a
file in --profiles. Workers find both by the same names in their own folders.
They check that profile, plugins, Assize and Node have the same versions.

If a worker dies or hangs, another one takes its part. If this process ends, run
the same command again: it continues with the finished parts. Lines that cannot
be read are reported with their places; the others are ranked, and the exit code
is 1.

If a profile compares the texts of candidates (novelty), the workers embed the
texts and store the vectors next to the file, so a second run embeds nothing.
This process then ranks all candidates in order.

The output is that of assize rank: a table or JSON Lines.

Examples:
  assize jobs rank -q redis://db:6379 -p ./team.yaml repos.jsonl --watch
  assize jobs rank -q redis://db:6379 -p ./team.yaml --files https://host/data/ \\
    https://host/data/repos.jsonl --top 10`;

/** `assize jobs rank`: ranks a file with the workers of a queue. */
export function jobsRank(command: Command, io: Io): void {
  withLimits(withSession(withQueue(command)))
    .summary('rank a file with the workers of a queue')
    .description('Adds the parts of a file to a queue, waits for its workers, and merges their results.')
    .argument('<file>', 'the candidates: JSON Lines, by their path or their URL')
    .addOption(offsetOption())
    .addOption(budgetOption())
    .addOption(formatOption('table', 'jsonl'))
    .addOption(
      new Option('--shard-bytes <number>', 'the size of a part; a megabyte by default').argParser(
        parseInteger('--shard-bytes', 1),
      ),
    )
    .option('--watch', 'write progress to standard error')
    .addHelpText('after', HELP)
    .action((file: string, options: JobsRankOptions) => run(file, options, io));
}

async function run(file: string, options: JobsRankOptions, io: Io): Promise<void> {
  const address = addressOf('rank', options, io);
  const { locateContextProblems, openCliSession } = await import('../session/session.js');
  const { warnOfNoCandidates } = await import('../session/session.js');
  const { createJob, nameInFiles, openAllowedInput, profileName, rankInQueue } = await import('../../jobs/index.js');
  const session = await openCliSession('jobs rank', options, io);
  const { profiles, files, vectors, budget, shardBytes } = options;
  const input = await openAllowedInput({ profiles, files }, nameInFiles(files, file), httpOf(options));
  const job = await createJob(profileName(profiles, session.profile), input, session.context, {
    folder: profiles,
    budget,
    shardBytes,
    ...overridesOf(options),
  }).catch((error: unknown) => {
    throw locateContextProblems(session.context, error);
  });
  const progress = progressWriter(job.id, options, io);
  const { ranking, unreadable } = await rankInQueue(address, job, { folder: profiles, input, vectors, progress });
  if (unreadable.length === 0) warnOfNoCandidates(ranking, { files: [file], format: 'jsonl' }, io);
  writeRanking(session.pipeline, ranking, options.format, io);
  if (unreadable.length > 0) throw new AssizeError(unreadable);
}

/** Milliseconds to wait for a first worker before a message says that there is none yet. */
const ALONE_MS = 3000;

/** Writes the events of a job: each refusal and each connection error once, and progress with `--watch`. */
function progressWriter(made: string, { watch }: JobsRankOptions, { err, progress }: Io): (now: QueueProgress) => void {
  const start = Date.now();
  const said = new Set<string>();
  const say = (line: string): void => {
    if (!said.has(line)) err.write(`${line}\n`);
    said.add(line);
  };
  return (step) => {
    const { job, done, total, workers, refusals, trouble } = step;
    if (job !== made) say(`continuing job ${job} from an earlier call`);
    for (const [worker, reason] of Object.entries(refusals)) say(`worker ${worker} refused the job: ${reason}`);
    if (trouble !== undefined) say(`the queue failed, retrying: ${trouble}`);
    if (workers === 0 && done !== total && Date.now() - start > ALONE_MS) {
      say('no worker is connected to the queue: start one with assize jobs worker --queue URL');
    }
    if (watch) say(`job ${job}: ${done} of ${total} parts, ${workers} ${workers === 1 ? 'worker' : 'workers'}`);
    else progress?.(step);
  };
}
