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
The candidates are JSON Lines: a file in --files, or, where that is the start of
URLs, an object whose server gives ranges. The profile is a preset, or a file in
--profiles. Workers have both by the same names, wherever their folders are, and
check that they compute the same: the profile, its plugins, Assize and Node.

A worker that dies or hangs is replaced by another. Where this process ends, the
same command goes on with the parts that are there. Lines that cannot be read
are reported with their places, the others are ranked, and the exit code is 1.

Where a profile compares candidates with each other by their texts (novelty), the
workers embed these, and keep the vectors beside the file: a second run embeds
nothing. This process then ranks all candidates, in their order.

The output is that of assize rank, as a table or as JSON Lines.

Examples:
  assize jobs rank -q redis://db:6379 -p ./team.yaml repos.jsonl --watch
  assize jobs rank -q redis://db:6379 -p ./team.yaml --files https://host/data/ \\
    https://host/data/repos.jsonl --top 10`;

/** `assize jobs rank`: ranks a file by the workers of a queue. */
export function jobsRank(command: Command, io: Io): void {
  withLimits(withSession(withQueue(command)))
    .summary('rank a file by the workers of a queue')
    .description('Adds the parts of a file to a queue, waits for its workers, and merges what they find.')
    .argument('<file>', 'the candidates: JSON Lines, by their path or their URL')
    .addOption(offsetOption())
    .addOption(budgetOption())
    .addOption(formatOption('table', 'jsonl'))
    .addOption(
      new Option('--shard-bytes <number>', 'of a part; a megabyte').argParser(parseInteger('--shard-bytes', 1)),
    )
    .option('--watch', 'write how far it is to standard error')
    .addHelpText('after', HELP)
    .action((file: string, options: JobsRankOptions) => run(file, options, io));
}

async function run(file: string, options: JobsRankOptions, io: Io): Promise<void> {
  const address = addressOf('rank', options, io);
  const { locateContextProblems, openCliSession } = await import('../session/session.js');
  const { warnOfNoCandidates } = await import('../session/session.js');
  const { createJob, nameInFiles, openAllowedInput, profileName, rankInQueue } = await import('../../jobs.js');
  const session = await openCliSession('jobs rank', options, io);
  const { profiles, files, vectors, budget, shardBytes } = options;
  const input = await openAllowedInput({ profiles, files }, nameInFiles(files, file), httpOf(options));
  const job = await createJob(profileName(profiles, session.profile), input, {
    folder: profiles,
    context: session.context,
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

/** How long a queue may have no worker before that is said, in milliseconds. */
const ALONE_MS = 3000;

/** Writes what happens to a job: each refusal and each trouble once, and how far it is with `--watch`. */
function progressWriter(made: string, { watch }: JobsRankOptions, { err, progress }: Io): (now: QueueProgress) => void {
  const start = Date.now();
  const said = new Set<string>();
  const say = (line: string): void => {
    if (!said.has(line)) err.write(`${line}\n`);
    said.add(line);
  };
  return (step) => {
    const { job, done, total, workers, refusals, trouble } = step;
    if (job !== made) say(`going on with job ${job}, which was asked for before`);
    for (const [worker, reason] of refusals) say(`worker ${worker} does not do the job: ${reason}`);
    if (trouble !== undefined) say(`trouble with the queue, which is tried again: ${trouble}`);
    if (workers === 0 && done !== total && Date.now() - start > ALONE_MS) {
      say('no worker listens to the queue yet: assize jobs worker --queue URL starts a worker');
    }
    if (watch) say(`job ${job}: ${done} of ${total} parts, ${workers} ${workers === 1 ? 'worker' : 'workers'}`);
    else progress?.(step);
  };
}
