import { AssizeError } from '../../diagnostics/index.js';
import type { OpenJob } from '../open-job.js';

/** How long a refusal stands before the job is tried again: somebody may have put right what was wrong. */
const REFUSAL_STANDS_MS = 10_000;
/** How many jobs are kept open. */
const OPEN_JOBS = 4;

/** The jobs that a worker opened last, and why it cannot open others. */
export class OpenJobs {
  readonly #jobs = new Map<string, Promise<OpenJob | undefined>>();

  constructor(private readonly openById: (id: string) => Promise<OpenJob | undefined>) {}

  /** @returns undefined where the job is not there: it is finished, or Redis has lost it, and may be given it again */
  open(id: string): Promise<OpenJob | undefined> {
    const known = this.#jobs.get(id);
    if (known) return known;
    const opening = this.openById(id);
    this.#jobs.set(id, opening);
    const forget = (): void => void (this.#jobs.get(id) === opening && this.#jobs.delete(id));
    opening.then(
      (job) => void (job ?? forget()),
      (error: unknown) => {
        if (error instanceof AssizeError) setTimeout(forget, REFUSAL_STANDS_MS).unref();
        else forget();
      },
    );
    const oldest = this.#jobs.keys().next();
    if (this.#jobs.size > OPEN_JOBS && !oldest.done) this.#jobs.delete(oldest.value);
    return opening;
  }
}
