import { count, escapeInvisible, truncateEnd, truncateMiddle } from '../../base/index.js';
import type { ProgressStep } from '../../sdk/index.js';
import type { Output } from '../terminal/io.js';
import { bar } from './format.js';

/** Shorter tasks show no progress. */
const SHOW_AFTER_MS = 500;
const REDRAW_EVERY_MS = 200;
const BAR_WIDTH = 24;
const MAX_TASK_WIDTH = 40;
/** Moves the cursor to the start of the line and clears the line. */
const CLEAR_LINE = '\r\u001b[2K';

/** Draws the progress of a slow task as one line of a terminal, and clears the line at the end. */
export class ProgressBar {
  #step: ProgressStep | undefined;
  #timer: NodeJS.Timeout | undefined;
  #drawn = '';

  constructor(private readonly terminal: Pick<Output, 'write' | 'columns'>) {}

  /** Takes the next step of a task. The last step, or a step of another task, ends the task before. */
  readonly update = (step: ProgressStep): void => {
    if (step.done === step.total) return this.stop();
    if (step.task !== this.#step?.task) {
      this.stop();
      this.#timer = setTimeout(() => this.#start(), SHOW_AFTER_MS).unref();
    }
    this.#step = step;
  };

  /** Clears the line. Call it before anything else writes to the terminal. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#step = undefined;
    if (this.#drawn !== '') this.terminal.write(CLEAR_LINE);
    this.#drawn = '';
  }

  #start(): void {
    this.#draw();
    this.#timer = setInterval(() => this.#draw(), REDRAW_EVERY_MS).unref();
  }

  #draw(): void {
    if (this.#step === undefined) return;
    const line = truncateEnd(progressLine(this.#step), this.terminal.columns - 1);
    if (line === this.#drawn) return;
    this.terminal.write(CLEAR_LINE + line);
    this.#drawn = line;
  }
}

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
