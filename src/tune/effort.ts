/** What tuning may take, and who hears of its progress. */
export interface EffortOptions {
  /** Seconds after which the best that was found is kept. No limit when not given. */
  readonly seconds?: number | undefined;
  /** Ends the search as the time does; the best that was found is kept. */
  readonly abort?: AbortSignal | undefined;
  /** Called with each step of the work. */
  readonly progress?: ((step: TuneStep) => void) | undefined;
}

export interface TuneStep {
  /** What is being done: `ranking`, `fitting`, `measuring on what is kept back`. */
  readonly task: string;
  readonly unit: 'queries' | 'folds';
  readonly done: number;
  readonly of: number;
}

/** The budget of one call. Once it is spent it stays spent. */
export class Effort {
  readonly #ends: number;

  constructor(private readonly options: EffortOptions) {
    this.#ends = performance.now() + (options.seconds ?? Number.POSITIVE_INFINITY) * 1000;
  }

  /** Whether to stop searching, and keep what there is. */
  get isSpent(): boolean {
    return this.options.abort?.aborted === true || performance.now() > this.#ends;
  }

  /** The signal as an option of `rank`: what is not ranked yet cannot be kept. */
  get abortOption(): { readonly abort?: AbortSignal } {
    return this.options.abort ? { abort: this.options.abort } : {};
  }

  report(task: string, done: number, of: number, unit: TuneStep['unit'] = 'folds'): void {
    this.options.progress?.({ task, unit, done, of });
  }

  /** Lets timers and signals be heard between two pieces of arithmetic. */
  breathe(): Promise<void> {
    return new Promise((resolve) => void setImmediate(resolve));
  }
}
