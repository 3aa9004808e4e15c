import { type Command, Option } from 'commander';
import { parseInteger } from '../options.js';
import type { Io } from '../terminal/io.js';
import { addressOf, httpOf, type QueueOptions, withQueue } from './options.js';

interface JobsWorkerOptions extends QueueOptions {
  readonly concurrency?: number;
  readonly lock?: number;
}

const HELP = `
It ranks parts of whatever jobs the queue has, until it is ended: by SIGTERM or
Ctrl-C when its part is done, by a second one at once. Nothing is lost then, nor
where it dies: another worker does the part.

A worker does what the queue says, so it takes only presets, profiles that are
in --profiles, and candidates that are in --files. What a job says about a
profile is its name: the plugins that run are those of this machine.

Examples:
  assize jobs worker --queue redis://db:6379 --profiles ./profiles --files /data
  assize jobs worker --queue redis://db:6379 --files https://host/data/`;

/** `assize jobs worker`: ranks parts of the jobs of a queue. */
export function jobsWorker(command: Command, io: Io): void {
  withQueue(command)
    .summary('rank parts of the jobs of a queue')
    .description('Ranks parts of the jobs of a queue, one after another, until it is ended.')
    .addOption(
      new Option('--concurrency <number>', 'parts at a time: for units that wait for another machine').argParser(
        parseInteger('--concurrency', 1),
      ),
    )
    .addOption(
      new Option('--lock <seconds>', 'of silence before another worker has its part; 30').argParser(
        parseInteger('--lock', 1),
      ),
    )
    .addHelpText('after', HELP)
    .action((options: JobsWorkerOptions) => run(options, io));
}

async function run(options: JobsWorkerOptions, io: Io): Promise<void> {
  const address = addressOf('worker', options, io);
  const { startQueueWorker } = await import('../../jobs.js');
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
 * Waits for the first signal to end; the second one ends the process as it would without this. Where a unit keeps the
 * thread busy, both may have come by the time that either is heard.
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
