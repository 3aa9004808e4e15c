import type { Problem } from 'assize';
import { type Command, Option } from 'commander';
import {
  formatOption,
  integerOption,
  type Io,
  openRanking,
  type RankingOptions,
  usageError,
  withRanking,
} from 'assize/verbs';
import type { QueueProgress } from '../rank-in-queue.js';
import { addressOf, httpOf, type QueueOptions, withQueue } from './queue-options.js';

interface JobsRankOptions extends RankingOptions, QueueOptions {
  readonly format: 'table' | 'jsonl';
  readonly shardBytes?: number;
  readonly watch?: true;
  readonly partitionBy?: string;
}

const HELP = `
The candidates are JSON Lines: a file in --files or, if --files is a base URL, an
object on a server that supports range requests. The profile is a preset, or a
file in --profiles. Workers find both by the same names in their own folders.
They check that profile, plugins, Assize and Node have the same versions.

If a worker dies or hangs, another one takes its part. If this process ends, or a
user cancels the job, run the same command again: it continues with the finished
parts. Lines that cannot be read are reported with their places; the others are
ranked, and the exit code is 1.

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
  withRanking(withQueue(command))
    .summary('rank a file with the workers of a queue')
    .description('Adds the parts of a file to a queue, waits for its workers, and merges their results.')
    .argument('<file>', 'the candidates: JSON Lines, by their path or their URL')
    .addOption(formatOption('table', 'jsonl'))
    .addOption(integerOption('--shard-bytes <number>', 'the size of a part; a megabyte by default', 1))
    // Known only to be refused with a way that works.
    .addOption(new Option('--partition-by <path>').hideHelp())
    .option('--watch', 'write progress to standard error')
    .addHelpText('after', HELP)
    .action((file: string, options: JobsRankOptions) => run(file, options, io));
}

async function run(file: string, options: JobsRankOptions, io: Io): Promise<void> {
  if (options.partitionBy !== undefined)
    throw usageError(
      '--partition-by: a part of a job ends at a line, which may be inside a group',
      'use assize rank --partition-by --workers 4 on one machine, or the Python module for Spark',
    );
  const address = addressOf('rank', options, io);
  const [{ createJob }, { nameInFiles, openAllowedInput, profileName }, { rankInQueue }, { AssizeError }] =
    await Promise.all([
      import('../create-job.js'),
      import('../queue-worker.js'),
      import('../rank-in-queue.js'),
      import('assize'),
    ]);
  const session = await openRanking('jobs rank', options, io);
  const { profiles, files, vectors, shardBytes } = options;
  const input = await openAllowedInput({ profiles, files }, nameInFiles(files, file), httpOf(options));
  const job = await session
    .located(() =>
      createJob(profileName(profiles, session.profile), input, session.context, {
        folder: profiles,
        shardBytes,
        ...session.options,
      }),
    )
    .catch((error: unknown) => {
      if (!(error instanceof AssizeError)) throw error;
      throw new AssizeError(error.problems.map((problem) => withVerbHint(problem, session.profile, file)));
    });
  const progress = progressWriter(job.id, options, io);
  const { ranking, unreadable } = await rankInQueue(address, job, { folder: profiles, input, vectors, progress });
  if (unreadable.length === 0) session.warnIfEmpty(ranking, file);
  session.write(ranking, options.format);
  if (unreadable.length > 0) throw new AssizeError(unreadable);
}

/** A problem of a profile that cannot be ranked in parts, with a hint for the command line rather than for programs. */
function withVerbHint(problem: Problem, profile: string, file: string): Problem {
  if (problem.code !== 'ASZ518') return problem;
  const isUnlimited = problem.path === 'select';
  const hint = isUnlimited
    ? 'limit it with --top 100, or in the profile with select: { top: 100 }'
    : `rank it in one process: assize rank --profile ${profile} ${file}`;
  return { ...problem, hint };
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
    const { job, done, total, workers, paused, refusals, trouble } = step;
    if (job !== made) say(`continuing job ${job} from an earlier call`);
    for (const [worker, reason] of Object.entries(refusals)) say(`worker ${worker} refused the job: ${reason}`);
    if (paused) say(`job ${job} is paused: continue it with assize jobs resume ${job}`);
    if (trouble !== undefined) say(`the queue failed, retrying: ${trouble}`);
    if (workers === 0 && done !== total && Date.now() - start > ALONE_MS) {
      say('no worker is connected to the queue: start one with assize jobs worker --queue URL');
    }
    if (watch) say(`job ${job}: ${done} of ${total} parts, ${workers} ${workers === 1 ? 'worker' : 'workers'}`);
    else progress?.(step);
  };
}
