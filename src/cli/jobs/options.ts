import { type Command, Option } from 'commander';
import type { QueueAddress, HttpInputOptions } from '../../jobs/index.js';
import { parseInteger } from '../options.js';
import type { Io } from '../terminal/io.js';
import { usageError } from '../terminal/problems.js';

/** The options of `withQueue`. */
export interface QueueOptions {
  readonly queue?: string;
  readonly name?: string;
  readonly profiles: string;
  readonly files: string;
  readonly vectors?: string;
  readonly timeout?: number;
}

/** Adds `--queue`, `--name`, `--profiles`, `--files`, `--timeout` and `--vectors`. */
export const withQueue = (command: Command): Command =>
  command
    .option('-q, --queue <url>', 'of the Redis: redis://HOST:PORT; else that of ASSIZE_QUEUE')
    .option('--name <name>', 'of the queue, where a Redis has several')
    .option('--profiles <folder>', 'that the names of profiles start from, on each machine', '.')
    .option('--files <folder-or-url>', 'the same of candidates, which may be behind HTTP', '.')
    .addOption(
      new Option('--timeout <seconds>', 'of silence of the server of a URL before it is asked again; 30').argParser(
        parseInteger('--timeout', 1),
      ),
    )
    .option('--vectors <folder>', 'that keeps the vectors of texts, shared by all; beside the candidates');

/** Where the queue is. */
export function addressOf(verb: string, { queue, name }: QueueOptions, { env }: Io): QueueAddress {
  const url = queue ?? env['ASSIZE_QUEUE'];
  if (url !== undefined && url !== '') return { url, name };
  throw usageError('--queue is missing', `assize jobs ${verb} --queue redis://127.0.0.1:6379`);
}

/** How candidates with a URL are asked for. */
export const httpOf = ({ timeout }: QueueOptions): HttpInputOptions =>
  timeout === undefined ? {} : { timeout: timeout * 1000 };
