import * as z from 'zod';
import { defineScorer, defineVeto, type UnitFacts, type UnitMeta } from './meta.js';
import type { Run, Score, UnitClass } from './unit.js';

const noParams = z.strictObject({});

/** What may be said of a function: its range, its cost, one line for lists. */
export type FunctionFacts = Partial<UnitFacts<Record<string, never>>>;

/** The same of an async function, and how it is called. */
export type AsyncFunctionFacts = FunctionFacts & AskOptions;

type Define = (meta: FunctionFacts & Pick<UnitMeta, 'summary'> & { readonly params: typeof noParams }) => UnitMeta;
type Given = Score<never, unknown> | Ask<never, unknown>;

/** An async function calls a service, and takes long; each candidate is asked about alone. */
const ASYNC_FACTS = { summary: 'An async function.', cost: 1_000_000, scope: 'candidate' } as const;

/** Whether a function is awaited: it is declared `async`, or has an option that only such a one has. */
const isAsk = (given: Given, { concurrency, timeout }: AskOptions): given is Ask<never, unknown> =>
  concurrency !== undefined ||
  timeout !== undefined ||
  Object.prototype.toString.call(given) === '[object AsyncFunction]';

function functionUnit(define: Define, given: Given, { concurrency, timeout, ...facts }: AsyncFunctionFacts): UnitClass {
  const options = { concurrency, timeout };
  if (!isAsk(given, options)) return rowUnit(define({ summary: 'A function.', ...facts, params: noParams }), given);
  checkAskOptions(options);
  return askingUnit(define({ ...ASYNC_FACTS, ...facts, params: noParams }), given, options);
}

const rowUnit = (meta: UnitMeta, score: Score<never, unknown>): UnitClass =>
  class {
    static readonly meta = meta;
    compile(): Score<never, unknown> {
      return score;
    }
  };

const askingUnit = (meta: UnitMeta, ask: Ask<never, unknown>, options: AskOptions): UnitClass =>
  class {
    static readonly meta = meta;
    prepare(_params: unknown, run: Run<never>): Promise<Score<never, unknown>> {
      return askEach(run, ask, options);
    }
  };

/**
 * A scorer class of an async function of one candidate, which is asked before the scoring, once a run, about some
 * candidates at once. Where a call fails or takes too long, the entry's `on_error` decides for that candidate; where it
 * gives `undefined`, it abstains.
 *
 * ```ts
 * units: { Review: scorer(async ({ text }: Page, { signal }) => await review(text, signal), { concurrency: 4, timeout: 5000, range: [0, 1] }) }
 * ```
 *
 * @param facts what is said of it: without a `range` it is asked about every candidate, with one only about those that
 *   can still be selected
 * @throws RangeError where `concurrency` or `timeout` is not what it should be
 */
export function scorer<T>(ask: Ask<T, number>, facts?: AsyncFunctionFacts): UnitClass;
/** A scorer class of a function of one candidate: `units: { Stars: scorer((repo: Repo) => repo.stars / 1000) }`. */
export function scorer<T>(score: Score<T>, facts?: FunctionFacts): UnitClass;
export function scorer(given: Score<never> | Ask<never, number>, facts: AsyncFunctionFacts = {}): UnitClass {
  return functionUnit(defineScorer, given, facts);
}

/** A veto class of an async function of one candidate, as for `scorer`: a candidate is refused where it gives true. */
export function veto<T>(ask: Ask<T, boolean>, facts?: AsyncFunctionFacts): UnitClass;
/** A veto class of a function of one candidate, which is refused where it gives true. */
export function veto<T>(refuses: Score<T, boolean>, facts?: FunctionFacts): UnitClass;
export function veto(given: Score<never, boolean> | Ask<never, boolean>, facts: AsyncFunctionFacts = {}): UnitClass {
  return functionUnit(defineVeto, given, facts);
}

/** What an async function is given besides its candidate. */
export interface Asked {
  /** Aborts when the call has taken too long, when the entry's `timeout` is over, and when the caller stops the run. */
  readonly signal: AbortSignal;
  /** The position of the candidate among those that are asked about. */
  readonly index: number;
}

/** Asks about one candidate; `undefined` abstains. What it rejects with is the failure of that candidate alone. */
export type Ask<T, V> = (candidate: T, asked: Asked) => PromiseLike<V | undefined>;

/** How an async function is called. */
export interface AskOptions {
  /** How many calls may run at once: a whole number from 1; 8 when not given. */
  readonly concurrency?: number | undefined;
  /** How many milliseconds one call may take; then its candidate fails, and the others go on. 30,000 when not given. */
  readonly timeout?: number | undefined;
}

const DEFAULTS = { concurrency: 8, timeout: 30_000 } as const;

const shown = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : `a value of the type ${typeof value}`;

/** @throws RangeError where an option is none */
export function checkAskOptions({ concurrency, timeout }: AskOptions): void {
  const check = (name: keyof AskOptions, value: unknown, fits: boolean, expected: string): void => {
    if (value !== undefined && !fits) throw new RangeError(`${name}: expected ${expected}, found ${shown(value)}`);
  };
  check('concurrency', concurrency, Number.isInteger(concurrency) && Number(concurrency) >= 1, 'a whole number from 1');
  const inTime = Number(timeout) > 0 && Number(timeout) <= MAX_TIMER_MS;
  check('timeout', timeout, typeof timeout === 'number' && inTime, `milliseconds above 0, at most ${MAX_TIMER_MS}`);
}

/**
 * Calls an async function for each candidate, several at once. Returns a score that reads the answers. If a call failed, the
 * score throws its error, and the entry's `on_error` decides for that candidate. If the entry's timeout passes, so does each
 * call that has not finished.
 *
 * @throws the reason of the abort if the caller aborts the run: nothing is awaited then
 */
export async function askEach<T, V>(run: Run<T>, ask: Ask<T, V>, options: AskOptions): Promise<Score<T, V>> {
  const { candidates, abort } = run;
  const answers: (V | undefined)[] = Array.from({ length: candidates.length });
  const failures = new Map<number, unknown>();
  const finished = new Uint8Array(candidates.length);
  const score: Score<T, V> = (_candidate, index) => {
    if (failures.has(index)) throw failures.get(index);
    if (finished[index] === 0) throw abort.reason;
    return answers[index];
  };
  const calls = new Calls(abort, options.timeout ?? DEFAULTS.timeout);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < candidates.length; index = next++) {
      abort.throwIfAborted();
      try {
        const answer = await calls.make((signal) => ask(candidates[index]!, { signal, index }));
        if (abort.aborted) return; // The score is in use already: it must not change.
        answers[index] = answer;
      } catch (error) {
        abort.throwIfAborted();
        failures.set(index, error);
      }
      finished[index] = 1;
      run.partial(score); // From the first answer on: without one, the entry fails as a whole.
    }
  };
  const workers = Math.min(options.concurrency ?? DEFAULTS.concurrency, candidates.length);
  try {
    await Promise.all(Array.from({ length: workers }, work));
  } finally {
    calls.end();
  }
  return score;
}

/** The calls that run, each with a time limit, all of them until the run is aborted: a promise may never settle. */
class Calls {
  readonly #running = new Set<(reason: unknown) => void>();

  constructor(
    private readonly abort: AbortSignal,
    private readonly timeout: number,
  ) {
    abort.addEventListener('abort', this.#stopAll);
  }

  /** @throws what the call rejects with, that it took too long, or the reason of the abort */
  async make<R>(call: (signal: AbortSignal) => PromiseLike<R>): Promise<R> {
    const own = new AbortController();
    let stop: (reason: unknown) => void = () => {};
    const stopped = new Promise<never>((_resolve, reject) => {
      stop = (reason) => {
        reject(reason instanceof Error ? reason : new Error(String(reason)));
        own.abort(reason);
      };
    });
    stopped.catch(() => {}); // not awaited where the call throws before it gives a promise
    const timer = setTimeout(() => stop(new Error(`no answer within ${this.timeout} ms`)), this.timeout);
    this.#running.add(stop);
    try {
      return await Promise.race([call(own.signal), stopped]);
    } finally {
      clearTimeout(timer);
      this.#running.delete(stop);
    }
  }

  end(): void {
    this.abort.removeEventListener('abort', this.#stopAll);
    this.#stopAll();
  }

  readonly #stopAll = (): void => {
    for (const stop of this.#running) stop(this.abort.reason ?? new Error('the run has ended'));
  };
}

/**
 * Why `run.abort` is aborted when the `timeout` of an entry is over. What a unit passed to `run.partial` then counts, and the
 * candidates for which that throws this error follow the entry's `on_error`.
 */
export class EntryTimedOut extends Error {
  constructor(readonly timeout: number) {
    super(`it was not ready after ${timeout} ms (its timeout)`);
  }
}

/** The longest time that a timer can wait, about 24.8 days: a longer one would go off at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Milliseconds as a timer takes them: whole ones, and as many as it can wait for. */
export const timerMs = (ms: number): number => Math.min(Math.ceil(ms), MAX_TIMER_MS);

/** A signal that aborts after a time, of which a profile may say any: `AbortSignal.timeout` takes only what a timer does. */
export const timeoutSignal = (ms: number): AbortSignal => AbortSignal.timeout(timerMs(ms));
