import type { Problem } from 'assize';
import type { Command } from 'commander';
import {
  formatOption,
  integerOption,
  type Io,
  isForTable,
  openRanking,
  type RankingOptions,
  type TableOptions,
  usageError,
  withRanking,
  withTable,
} from 'assize/verbs';
import type { GroupsRun } from '../group-job.js';
import type { GroupEvents, SharedGroups } from '../group-work.js';
import type { Job } from '../job.js';
import type { QueueProgress, QueueRanking, RankInQueueOptions } from '../rank-in-queue.js';
import { addressOf, httpOf, type QueueOptions, withQueue } from './queue-options.js';

interface JobsRankOptions extends RankingOptions, QueueOptions, TableOptions {
  readonly format: 'table' | 'jsonl';
  readonly shardBytes?: number;
  readonly watch?: true;
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

With --partition-by, workers rank whole groups, and the rows of a group must be
adjacent. This process keeps the rows of the result in memory until it writes
them. Lines that cannot be read, and groups that fail, end the ranking as in
assize rank.

The output is that of assize rank: a table, JSON Lines, or a file of --output.

Examples:
  assize jobs rank -q redis://db:6379 -p ./team.yaml repos.jsonl --watch
  assize jobs rank -q redis://db:6379 -p ./team.yaml --files https://host/data/ \\
    https://host/data/repos.jsonl --top 10`;

/** `assize jobs rank`: ranks a file with the workers of a queue. */
export function jobsRank(command: Command, io: Io): void {
  withTable(withRanking(withQueue(command)))
    .summary('rank a file with the workers of a queue')
    .description('Adds the parts of a file to a queue, waits for its workers, and merges their results.')
    .argument('<file>', 'the candidates: JSON Lines, by their path or their URL')
    .addOption(formatOption('table', 'jsonl'))
    .addOption(integerOption('--shard-bytes <number>', 'the size of a part; a megabyte by default', 1))
    .option('--watch', 'write progress to standard error')
    .addHelpText('after', HELP)
    .action((file: string, options: JobsRankOptions) => run(file, options, io));
}

async function run(file: string, options: JobsRankOptions, io: Io): Promise<void> {
  const isTable = isForTable(options);
  checkTable(options);
  const address = addressOf('rank', options, io);
  const [{ nameInFiles, openAllowedInput, profileName }, { AssizeError }] = await Promise.all([
    import('../queue-worker.js'),
    import('assize'),
  ]);
  const session = await openRanking('jobs rank', options, io);
  const { profiles, files, vectors, shardBytes } = options;
  const input = await openAllowedInput({ profiles, files }, nameInFiles(files, file), httpOf(options));
  const profile = profileName(profiles, session.profile);
  const where = { folder: profiles, shardBytes };
  const optionsOf = (job: Job): RankInQueueOptions => {
    return { folder: profiles, input, vectors, progress: progressWriter(job.id, options, io) };
  };
  const create = <J>(work: () => Promise<J>): Promise<J> =>
    session.located(work).catch((error: unknown) => {
      if (!(error instanceof AssizeError)) throw error;
      const { partitionBy } = options;
      throw new AssizeError(error.problems.map((problem) => withVerbHint(problem, session.profile, file, partitionBy)));
    });
  const rankAll = async (): Promise<QueueRanking> => {
    const [{ createJob }, { rankInQueue }] = await Promise.all([
      import('../create-job.js'),
      import('../rank-in-queue.js'),
    ]);
    const job = await create(() => createJob(profile, input, session.context, { ...where, ...session.options }));
    return rankInQueue(address, job, optionsOf(job));
  };
  if (!isTable) {
    const { ranking, unreadable } = await rankAll();
    if (unreadable.length === 0) session.warnIfEmpty(ranking, file);
    session.write(ranking, options.format);
    if (unreadable.length > 0) throw new AssizeError(unreadable);
    return;
  }
  const shareGroups = async function* (groups: GroupsRun, events: GroupEvents): SharedGroups {
    const [{ createGroupJob }, { rankGroupsInQueue }] = await Promise.all([
      import('../group-job.js'),
      import('../rank-in-queue.js'),
    ]);
    const job = await create(() => createGroupJob(profile, input, groups, where));
    yield* rankGroupsInQueue(address, job, events, optionsOf(job));
  };
  const rankTop = async (): Promise<QueueRanking['ranking']> => {
    const { ranking, unreadable } = await rankAll();
    if (unreadable.length > 0) throw new AssizeError(unreadable); // as one process: the table is complete, or absent
    session.warnIfEmpty(ranking, file);
    return ranking;
  };
  await session.writeTable(file, { ...options, shareGroups }, rankTop);
}

/** Checks the options of tables that need all rows in one process. */
function checkTable({ sort, all, partitionBy }: JobsRankOptions): void {
  if (sort)
    throw usageError(
      '--sort: a part of a file of JSON Lines cannot be sorted on its own',
      'sort the file first, or use assize rank --sort in one process',
    );
  if (all && partitionBy === undefined)
    throw usageError(
      '--all without --partition-by: workers return only rows that may be selected',
      'use assize rank --output FILE --all in one process',
    );
}

/** A problem of a profile that cannot be ranked in parts, with a hint for the command line rather than for programs. */
function withVerbHint(problem: Problem, profile: string, file: string, by: string | undefined): Problem {
  if (problem.code !== 'ASZ518') return problem;
  const isUnlimited = problem.path === 'select';
  const hint = isUnlimited
    ? 'limit it with --top 100, or in the profile with select: { top: 100 }'
    : `rank it in one process: assize rank --profile ${profile}${by === undefined ? '' : ` --partition-by ${by}`} ${file}`;
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
