import type { Progress } from '../../services/progress.js';
import { EXIT_CODES } from './exit-codes.js';

/** The terminal as every verb sees it: given from outside, so that a test can be one. */
export interface Io {
  readonly stdin: AsyncIterable<string | Uint8Array>;
  /** Whether somebody sits at the keyboard: then nothing is piped in. */
  readonly interactive: boolean;
  readonly out: Output;
  readonly err: Output;
  readonly env: Environment;
  /** What problems shorten their paths by. */
  readonly folder: string;
  /** Hears of slow work; nobody does when not given. */
  readonly progress?: Progress | undefined;
}

/** Where a verb writes, and what may be written there. */
export interface Output {
  write(text: string): void;
  /** Resolves when there is room for more: at once, unless its reader is slower than we are. */
  drained(): Promise<void>;
  /** How wide a line may be that can be wrapped; 80 where nobody says. */
  readonly columns: number;
  /** How wide one may be before it is cut: as wide as a terminal, and anything where there is none. */
  readonly limit: number;
  readonly colour: boolean;
  /** Whether a person looks at it: then scores have bars. */
  readonly bars: boolean;
  /** Whether it is a terminal: only there a line can be written over. */
  readonly terminal: boolean;
}

/** How wide a text may be that is written there, and whether in colour. */
export type OutputStyle = Pick<Output, 'columns' | 'limit' | 'colour'>;

export type Environment = Readonly<Record<string, string | undefined>>;

interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Whether it holds more than it wants to; `drain` says when it does no longer. */
  readonly writableNeedDrain?: boolean;
  once?(event: 'drain', listener: () => void): unknown;
}

const PIPED_COLUMNS = 80;

/** FORCE_COLOR says yes or, being 0, no, as it does to Node; else NO_COLOR says no, whatever it is set to. */
export function createOutput(stream: OutputStream, env: Environment): Output {
  const terminal = stream.isTTY === true;
  const force = env['FORCE_COLOR'];
  const forced = force !== undefined && force !== '0' && force !== 'false';
  const refused = force === undefined ? Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb' : !forced;
  return {
    write: (text) => void stream.write(text),
    drained: () =>
      stream.writableNeedDrain === true && stream.once
        ? new Promise((resolve) => void stream.once?.('drain', resolve))
        : Promise.resolve(),
    columns: stream.columns ?? PIPED_COLUMNS,
    limit: terminal ? (stream.columns ?? PIPED_COLUMNS) : Number.POSITIVE_INFINITY,
    colour: forced || (terminal && !refused),
    bars: forced || terminal,
    terminal,
  };
}

/** This process's own. */
export function processIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  stdout.on('error', exitOnWriteError);
  stderr.on('error', () => {}); // nobody is left to be told
  return {
    stdin,
    interactive: stdin.isTTY,
    out: createOutput(stdout, env),
    err: createOutput(stderr, env),
    env,
    folder: process.cwd(),
  };
}

/** Whoever reads has seen enough, as in `assize rank … | head`: that is no failure. A full disk is one. */
function exitOnWriteError(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(EXIT_CODES.fine);
  process.stderr.write(`assize failed: the output cannot be written: ${error.message}\n`);
  process.exit(EXIT_CODES.problems);
}
