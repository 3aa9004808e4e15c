import type { Command } from 'commander';
import { integerOption, type Io, usageError } from 'assize/verbs';
import type { HttpInputOptions } from '../job-input.js';
import type { QueueAddress } from '../queue-connection.js';

/** The options of `withAddress`. */
export interface AddressOptions {
  readonly queue?: string;
  readonly name?: string;
}

/** The options of `withQueue`. */
export interface QueueOptions extends AddressOptions {
  readonly profiles: string;
  readonly files: string;
  readonly vectors?: string;
  readonly timeout?: number;
}

/** Adds `--queue` and `--name`. */
export const withAddress = (command: Command): Command =>
  command
    .option('-q, --queue <url>', 'the Redis server: redis://HOST:PORT; by default the variable ASSIZE_QUEUE')
    .option('--name <name>', 'the name of the queue, if a Redis server has several');

/** Adds `--queue`, `--name`, `--profiles`, `--files`, `--timeout` and `--vectors`. */
export const withQueue = (command: Command): Command =>
  withAddress(command)
    .option('--profiles <folder>', 'the folder of the profiles on each machine', '.')
    .option('--files <folder-or-url>', 'the folder or base URL of the candidates on each machine', '.')
    .addOption(
      integerOption(
        '--timeout <seconds>',
        'how long to wait for a server of candidates before a retry; 30 by default',
        1,
      ),
    )
    .option('--vectors <folder>', 'the shared folder of embedding vectors; by default next to the candidates');

/** Where the queue is. */
export function addressOf(verb: string, { queue, name }: AddressOptions, { env }: Io): QueueAddress {
  const url = queue ?? env['ASSIZE_QUEUE'];
  if (url !== undefined && url !== '') return { url, name };
  throw usageError('--queue is missing', `assize jobs ${verb} --queue redis://127.0.0.1:6379`);
}

/** The HTTP options for candidates behind a URL. */
export const httpOf = ({ timeout }: QueueOptions): HttpInputOptions =>
  timeout === undefined ? {} : { timeout: timeout * 1000 };
