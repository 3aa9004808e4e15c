import type { Command } from 'commander';
import { createStyler, escapeInvisible, formatOption, type Io, jsonText, tableText } from 'assize/verbs';
import type { FailedPart, JobStatus, QueueJobs } from '../queue-jobs.js';
import { addressOf, type AddressOptions, withAddress } from './queue-options.js';

interface ControlOptions extends AddressOptions {
  readonly format?: 'text' | 'table' | 'json';
  readonly discard?: true;
}

const JOB = 'the id of the job, or its first characters';

const STATUS_HELP = `
The rate counts the last parts, up to 50. The time left assumes this rate.
Without JOB, the command shows all jobs that are running or paused. JSON is a
list of jobs in both cases.

Examples:
  assize jobs status -q redis://db:6379
  assize jobs status 3f2a -q redis://db:6379 --format json`;

const PAUSE_HELP = `
Workers finish the parts that they compute, and take no others of this job. Its
waiting process continues to wait.

Examples:
  assize jobs pause 3f2a -q redis://db:6379`;

const RESUME_HELP = `
A cancelled job continues differently: run its assize jobs rank command again.

Examples:
  assize jobs resume 3f2a -q redis://db:6379`;

const CANCEL_HELP = `
Workers finish the parts that they compute, and take no others of this job. Its
waiting process ends with exit code 1. Redis keeps the finished parts for a week:
the same assize jobs rank command continues with them, unless you --discard them.

Examples:
  assize jobs cancel 3f2a -q redis://db:6379`;

const LIST_HELP = `
Redis keeps a job for an hour after it has finished, and for a week if no process
waits for it.

Examples:
  assize jobs list -q redis://db:6379`;

/** `assize jobs status`, `list`, `pause`, `resume` and `cancel`. */
export function jobsControl(parent: Command, io: Io): void {
  withAddress(parent.command('status'))
    .summary('show the progress, the rate and the time left of a job')
    .description('Shows the progress of a job: its parts, their rate, the time left, and errors.')
    .argument('[job]', JOB)
    .addOption(formatOption('text', 'json'))
    .addHelpText('after', STATUS_HELP)
    .action((id: string | undefined, options: ControlOptions) => status(id, options, io));
  withAddress(parent.command('list'))
    .summary('list the jobs of a queue')
    .description('Lists the jobs of a queue, the oldest first.')
    .addOption(formatOption('table', 'json'))
    .addHelpText('after', LIST_HELP)
    .action((options: ControlOptions) => list(options, io));
  withAddress(parent.command('pause'))
    .summary('stop workers from taking parts of a job')
    .description('Stops workers from taking parts of a job, until you resume it.')
    .argument('<job>', JOB)
    .addHelpText('after', PAUSE_HELP)
    .action((prefix: string, options: ControlOptions) =>
      change('pause', prefix, options, io, async (jobs, job) => {
        await jobs.pause(job);
        return `is paused; continue it with assize jobs resume ${job.job.id}`;
      }),
    );
  withAddress(parent.command('resume'))
    .summary('continue a paused job')
    .description('Continues a paused job.')
    .argument('<job>', JOB)
    .addHelpText('after', RESUME_HELP)
    .action((prefix: string, options: ControlOptions) =>
      change('resume', prefix, options, io, async (jobs, job) => {
        await jobs.resume(job);
        return 'is running';
      }),
    );
  withAddress(parent.command('cancel'))
    .summary('cancel a job, and keep its finished parts')
    .description('Cancels a job. Its finished parts are kept.')
    .argument('<job>', JOB)
    .option('--discard', 'delete the finished parts, so that the next ranking starts from scratch')
    .addHelpText('after', CANCEL_HELP)
    .action((prefix: string, options: ControlOptions) =>
      change('cancel', prefix, options, io, async (jobs, job) => {
        await jobs.cancel(job, options.discard === true);
        return options.discard ? 'is cancelled, and its parts are deleted' : 'is cancelled; finished parts are kept';
      }),
    );
}

/** Runs an action with the jobs of a queue, and closes the connection. */
async function withJobs<R>(
  verb: string,
  options: ControlOptions,
  io: Io,
  action: (jobs: QueueJobs, queue: string) => Promise<R>,
): Promise<R> {
  const address = addressOf(verb, options, io);
  const [{ checkUrl, connectQueue, queueNameOf }, { QueueJobs: Jobs }] = await Promise.all([
    import('../queue-connection.js'),
    import('../queue-jobs.js'),
  ]);
  const queue = `the queue ${queueNameOf(address)} at ${checkUrl(address.url)}`;
  // A lost connection is retried without limit: report why the command waits.
  const connection = await connectQueue(address, ({ message }) =>
    io.err.write(`${queue} failed, retrying: ${message}\n`),
  );
  try {
    return await action(new Jobs(connection, queue), queue);
  } finally {
    await connection.close();
  }
}

const change = (
  verb: string,
  prefix: string,
  options: ControlOptions,
  io: Io,
  action: (jobs: QueueJobs, job: Awaited<ReturnType<QueueJobs['find']>>) => Promise<string>,
): Promise<void> =>
  withJobs(verb, options, io, async (jobs) => {
    const found = await jobs.find(prefix);
    const effect = await action(jobs, found);
    const { finished, total } = (await jobs.status(found)).parts;
    io.out.write(`job ${found.job.id} ${effect} (${finished} of ${total} parts are finished)\n`);
  });

const status = (prefix: string | undefined, options: ControlOptions, io: Io): Promise<void> =>
  withJobs('status', options, io, async (jobs, queue) => {
    const found = prefix === undefined ? await jobs.list() : [await jobs.find(prefix)];
    const all = await Promise.all(found.map((job) => jobs.status(job)));
    const shown = prefix === undefined ? all.filter(({ state }) => state === 'running' || state === 'paused') : all;
    if (options.format === 'json') io.out.write(jsonText(shown));
    else if (shown.length > 0) io.out.write(shown.map((job) => statusText(job, io)).join('\n'));
    else io.out.write(`${queue} has no job that is running or paused; assize jobs list shows the others\n`);
  });

const list = (options: ControlOptions, io: Io): Promise<void> =>
  withJobs('list', options, io, async (jobs, queue) => {
    const all = await Promise.all((await jobs.list()).map((job) => jobs.status(job)));
    if (options.format === 'json') return io.out.write(jsonText(all));
    if (all.length === 0) return io.out.write(`${queue} has no jobs; add one with assize jobs rank\n`);
    const column = (head: string, align: 'left' | 'right', cell: (job: JobStatus) => string) => {
      return { head, align, cells: all.map((job) => escapeInvisible(cell(job))) };
    };
    const columns = [
      column('job', 'left', ({ id }) => id.slice(0, SHORT_ID)),
      column('state', 'left', ({ state }) => state),
      column('parts', 'right', ({ parts }) => `${parts.finished}/${parts.total}`),
      column('left', 'right', ({ secondsLeft }) => (secondsLeft === undefined ? '' : durationText(secondsLeft))),
      column('added', 'left', ({ added }) => added),
      column('profile', 'left', ({ profile }) => profile),
      column('input', 'left', ({ input }) => input),
    ];
    io.out.write(tableText(columns, createStyler(io.out.colour)));
  });

/** The characters of an id in a table. */
const SHORT_ID = 12;

/** Progress, rate and problems of a job, a line each. */
function statusText(job: JobStatus, { out }: Io): string {
  const { id, state, profile, input, parts, workers, waiting, partsPerMinute, secondsLeft, failed, refusals } = job;
  const percent = parts.total === 0 ? 100 : Math.floor((parts.finished / parts.total) * 100);
  const isOpen = state === 'running' || state === 'paused';
  const rate =
    partsPerMinute === undefined
      ? []
      : [`${partsPerMinute.toFixed(1)} parts per minute, about ${durationText(secondsLeft ?? 0)} left`];
  const lines = [
    `${createStyler(out.colour)('bold', `job ${id}`)}: ${state}`,
    `  ${profile} ranks ${input}`,
    `  ${parts.finished} of ${parts.total} parts are finished (${percent} %), workers compute ${parts.active}`,
    ...rate.map((line) => `  ${line}`),
    `  ${workers} ${workers === 1 ? 'worker is' : 'workers are'} connected${
      isOpen && workers === 0 ? ': start one with assize jobs worker' : ''
    }`,
    ...(isOpen && !waiting ? ['  no process waits for this job: run its assize jobs rank command again'] : []),
    ...(isOpen && waiting && parts.finished === parts.total ? ['  the waiting process merges the parts'] : []),
    ...(state === 'cancelled' || (state === 'failed' && failed.length > 0)
      ? ['  to continue with the finished parts, run its assize jobs rank command again']
      : []),
    ...failed.map((part) => `  ${failureText(part)}`),
    ...Object.entries(refusals).map(([worker, reason]) => `  worker ${worker} refused the job: ${reason}`),
  ];
  return lines.map((line) => `${escapeInvisible(line).replaceAll('\n', '\n  ')}\n`).join('');
}

function failureText({ part, retried, message }: FailedPart): string {
  const next = retried ? 'workers retry it' : 'the waiting process ranks it at the end';
  return `part ${part} failed; ${next}: ${message}`;
}

/** A time such as 45 s, 12 min or 3 h 5 min. */
function durationText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
