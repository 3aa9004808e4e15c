import { fstatSync, writeSync } from 'node:fs';
import type { Progress, Context } from '../../sdk/index.js';
import type { Trust } from '../../profile/index.js';

/** Every exit code of the command. */
export const EXIT_CODES = { fine: 0, problems: 1, usage: 2, unshown: 3, partial: 4 } as const;

/** The exit codes as the help lists them. */
export const EXIT_HELP = `Exit codes:
  0  success
  1  the profile, the candidates, the context or the run has problems
  2  the command line is invalid
  3  no significant gain, so nothing was written (tune, ask)
  4  a profile was written, but parts were not carried over (convert)`;

/** Ends a verb with an exit code other than 0, without another message. */
export class Ending extends Error {
  constructor(readonly exitCode: number) {
    super(`exit code ${exitCode}`);
  }
}

/** The streams, environment and folder of a process. A parameter, so that tests can replace them. */
export interface ProcessIo {
  readonly stdin: AsyncIterable<string | Uint8Array>;
  /** Whether standard input is a terminal, so that no input is piped in. */
  readonly interactive: boolean;
  readonly out: Output;
  readonly err: Output;
  readonly env: Environment;
  /** The working directory: paths in problems are relative to it. */
  readonly folder: string;
}

/** The process as a verb sees it. */
export interface Io extends ProcessIo {
  /** Called with each step of slow work. */
  readonly progress?: Progress | undefined;
  /**
   * Loads the studio for `--open`. Call it first in an action: it reports that the package is missing before slow work,
   * or hands the command line over to another copy of Assize before the engine is loaded.
   *
   * @throws AssizeError (ASZ601) if `@assize/studio` is missing or has another version
   */
  readonly loadStudio: () => Promise<OpenStudio>;
}

/** A stream that a verb writes to, and how it is displayed. */
export interface Output {
  write(text: string | Uint8Array): void;
  /** Resolves when the stream's buffer has space. */
  drained(): Promise<void>;
  /** The width at which lines are wrapped; 80 if the stream has none. */
  readonly columns: number;
  /** The width at which lines are truncated: a terminal's; unlimited elsewhere. */
  readonly limit: number;
  readonly colour: boolean;
  /** Whether scores are also drawn as bars: only if a person sees the output. */
  readonly bars: boolean;
  /** Whether it is a terminal, in which a line can be overwritten. */
  readonly terminal: boolean;
}

/** The widths of a text, and whether it has colours. */
export type OutputStyle = Pick<Output, 'columns' | 'limit' | 'colour'>;

type Environment = Readonly<Record<string, string | undefined>>;

interface OutputStream {
  write(text: string | Uint8Array): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Whether its buffer is over the high-water mark; `drain` is emitted when it no longer is. */
  readonly writableNeedDrain?: boolean;
  once?(event: 'drain', listener: () => void): unknown;
}

const PIPED_COLUMNS = 80;

/**
 * An output on a stream. Colours as in Node: FORCE_COLOR decides (0 and false are off); else any NO_COLOR is off; else a
 * terminal has them.
 */
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

/** The streams, environment and folder of this process. */
export function processIo(): ProcessIo {
  const { stdin, stdout, stderr, env } = process;
  stdout.on('error', exitOnWriteError);
  stderr.on('error', () => {}); // there is nowhere left to report it
  return {
    stdin,
    interactive: stdin.isTTY,
    out: createOutput(isFile(stdout.fd, stdout.isTTY) ? new FileOutput(stdout.fd, exitOnWriteError) : stdout, env),
    err: createOutput(stderr, env),
    env,
    folder: process.cwd(),
  };
}

/** Exits if standard output cannot be written: with 0 if its reader closed it, as in `assize rank … | head`. */
function exitOnWriteError(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(EXIT_CODES.fine);
  process.stderr.write(`assize failed: the output cannot be written: ${error.message}\n`);
  process.exit(EXIT_CODES.problems);
}

/** Characters per write. A system call for each line would cost more than the line. */
const BUFFER_LENGTH = 65_536;

/** Joins short texts into large writes, with back-pressure; the buffer is written in the next turn of the event loop. */
export class BufferedWriter {
  #text = '';
  #scheduled: NodeJS.Immediate | undefined;

  constructor(private readonly out: Output) {}

  /** Adds a text. Await a returned promise: the buffer is full, or its reader is behind. */
  add(text: string): Promise<void> | undefined {
    this.#text += text;
    if (this.#text.length >= BUFFER_LENGTH) return this.flush();
    this.#scheduled ??= setImmediate(() => this.#write());
    return undefined;
  }

  /** Writes the buffer. */
  flush(): Promise<void> {
    this.#write();
    return this.out.drained();
  }

  #write(): void {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    if (this.#text !== '') this.out.write(this.#text);
    this.#text = '';
  }
}

/** Whether a descriptor is a file or a device, not a terminal, pipe or socket. */
function isFile(descriptor: number, terminal: boolean): boolean {
  try {
    const found = fstatSync(descriptor);
    return found.isFile() || (found.isCharacterDevice() && !terminal);
  } catch {
    return false; // it is closed
  }
}

/**
 * A stream on a file: each text is written completely before the next. Node's own stream ignores partial writes, which
 * happen when a disk is full.
 */
class FileOutput {
  /** @param onError called with the error of a text that cannot be written */
  constructor(
    private readonly descriptor: number,
    private readonly onError: (error: NodeJS.ErrnoException) => void,
  ) {}

  write(text: string | Uint8Array): void {
    try {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      for (let rest = bytes; rest.length > 0; ) rest = rest.subarray(writeSync(this.descriptor, rest));
    } catch (error) {
      this.onError(error as NodeJS.ErrnoException);
    }
  }
}

/** What the option `--open` of a verb shows in the studio. */
export interface StudioView {
  /** A preset, or a path. Its weights can be edited. */
  readonly profile: string;
  /** More profiles to compare with the first. */
  readonly others?: readonly string[];
  /** The candidates of one request, with its context. */
  readonly candidates?: readonly object[];
  readonly context?: Context;
  /** Or queries with judgements, as `readDataset` of `@assize/evaluate` returns them. */
  readonly queries?: readonly object[];
  /** The file of the grades that people gave, the path to a candidate's id, and the path to the grade that was removed. */
  readonly gradesFile?: string | undefined;
  readonly id?: string | undefined;
  readonly label?: string | undefined;
  readonly trust?: Trust;
  /** Initial settings that differ from the profile. */
  readonly settings?: {
    readonly weights?: Readonly<Record<string, number>>;
    readonly top?: number;
    readonly minScore?: number;
  };
}

/** Shows a view in the studio, in a browser if one is available, until the process ends. */
export type OpenStudio = (view: StudioView) => Promise<void>;
