import type { Command } from 'commander';
import { integerOption, type Io } from 'assize/verbs';
import { addressOf, httpOf, type QueueOptions, withQueue } from './queue-options.js';

interface JobsWorkerOptions extends QueueOptions {
  readonly concurrency?: number;
  readonly lock?: number;
}

const HELP = `
It ranks parts of all jobs of the queue until you stop it. SIGTERM or Ctrl-C
stops it after its current part; a second signal stops it at once. No work is
lost, even in a crash: another worker takes the part.

A job can only name a preset, a profile in --profiles, and candidates in --files.
The worker runs its own copies of the profile and the plugins, never code from
the queue.

Examples:
  assize jobs worker --queue redis://db:6379 --profiles ./profiles --files /data
  assize jobs worker --queue redis://db:6379 --files https://host/data/`;

/** `assize jobs worker`: ranks parts of the jobs of a queue. */
export function jobsWorker(command: Command, io: Io): void {
  withQueue(command)
    .summary('rank parts of the jobs of a queue')
    .description('Ranks parts of the jobs of a queue, until you stop it.')
    .addOption(integerOption('--concurrency <number>', 'parts at a time; useful if units wait for another machine', 1))
    .addOption(
      integerOption(
        '--lock <seconds>',
        'how long a silent worker keeps its part before another takes it; 30 by default',
        1,
      ),
    )
    .addHelpText('after', HELP)
    .action((options: JobsWorkerOptions) => run(options, io));
}

async function run(options: JobsWorkerOptions, io: Io): Promise<void> {
  const address = addressOf('worker', options, io);
  const { startQueueWorker } = await import('../queue-worker.js');
  const { profiles, files, vectors, concurrency, lock } = options;
  const worker = await startQueueWorker(address, {
    profiles,
    files,
    vectors,
    http: httpOf(options),
    concurrency,
    lockDuration: lock === undefined ? undefined : lock * 1000,
    log: (line) => io.err.write(`${line}\n`),
    progress: io.progress,
  });
  await askedToEnd();
  await worker.close();
}

/**
 * Waits for the first signal to end; the second one ends the process as it would without this. If a unit keeps the
 * thread busy, both signals may have arrived before the first is handled.
 */
const askedToEnd = (): Promise<void> =>
  new Promise((resolve) => {
    let isAsked = false;
    const stopListening = (): unknown => process.off('SIGTERM', end).off('SIGINT', end);
    const end = (signal: NodeJS.Signals): void => {
      if (isAsked) {
        stopListening();
        process.kill(process.pid, signal);
      }
      isAsked = true;
      setImmediate(stopListening);
      resolve();
    };
    process.on('SIGTERM', end).on('SIGINT', end);
  });
