import { Writable } from 'node:stream';
import type { SingleBar } from 'cli-progress';
import type { ProgressStep } from '../../contract/trace.js';
import { escapeInvisible, truncateMiddle } from '../../text/wrap.js';
import type { Output } from '../terminal/io.js';
import { bar, count } from './format.js';

/** Tasks that end sooner have no bar. */
const SHOW_AFTER_MS = 500;
const BAR_WIDTH = 24;
const MAX_TASK_WIDTH = 40;

/** Draws the progress of a slow task on a terminal, and removes it at the end. */
export class ProgressBar {
  #step: ProgressStep | undefined;
  #timer: NodeJS.Timeout | undefined;
  #bar: SingleBar | undefined;

  constructor(private readonly terminal: Pick<Output, 'write' | 'columns'>) {}

  /** Takes the next step of a task. */
  readonly update = (step: ProgressStep): void => {
    if (step.done === step.total) return this.stop();
    if (step.task !== this.#step?.task) {
      this.stop();
      this.#timer = setTimeout(() => void this.#show(), SHOW_AFTER_MS).unref();
    }
    this.#step = step;
    this.#bar?.update(step.done, { step });
  };

  /** Removes the bar; to be called before anything else is written to the terminal. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#step = undefined;
    this.#bar?.stop();
    this.#bar = undefined;
  }

  async #show(): Promise<void> {
    const task = this.#step?.task;
    const { default: progress } = await import('cli-progress');
    const step = this.#step;
    if (step === undefined || step.task !== task || this.#bar) return; // it ended meanwhile
    const line = (_options: unknown, _params: unknown, { step: latest }: { step: ProgressStep }): string =>
      progressLine(latest);
    this.#bar = new progress.SingleBar({
      stream: streamTo(this.terminal),
      format: line,
      clearOnComplete: true,
      hideCursor: null,
      linewrap: true, // no mode of the terminal is changed, so that an early exit leaves none behind
      fps: 5,
    });
    this.#bar.start(step.total ?? 0, step.done, { step });
  }
}

/** The terminal as the stream that cli-progress writes to. */
const streamTo = ({ write, columns }: Pick<Output, 'write' | 'columns'>): Writable =>
  Object.assign(
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        write(text);
        done();
      },
    }),
    { isTTY: true, columns },
  );

/** A step as one line: `embedding  ██████▌  27 %  494 of 1,832 texts`. */
export function progressLine({ task, unit, done, total }: ProgressStep): string {
  const name = truncateMiddle(escapeInvisible(task), MAX_TASK_WIDTH);
  const amount = (n: number): string => (unit === 'bytes' ? (n / 1e6).toFixed(1) : count(n));
  const noun = unit === 'bytes' ? 'MB' : unit;
  if (total === undefined) return done > 0 ? `${name}  ${amount(done)} ${noun}` : name;
  const share = `${Math.floor((done / total) * 100)} %`.padStart(5);
  const drawn = `${name}  ${bar(done, total, BAR_WIDTH)}${share}`;
  return unit === 'percent' ? drawn : `${drawn}  ${amount(done)} of ${amount(total)} ${noun}`;
}
