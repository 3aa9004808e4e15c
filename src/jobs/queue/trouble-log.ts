import { troubleOf } from './connection.js';

/** Says what goes wrong with a queue once, and when it is over: a connection that is lost fails many times a second. */
export class TroubleLog {
  #said = '';

  constructor(private readonly log: (line: string) => void) {}

  readonly tell = (error: Error): void => {
    const trouble = troubleOf(error);
    if (trouble !== this.#said) this.log(`trouble with the queue: ${trouble}`);
    this.#said = trouble;
  };

  readonly over = (): void => {
    if (this.#said !== '') this.log('the queue works again');
    this.#said = '';
  };
}
