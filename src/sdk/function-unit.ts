import * as z from 'zod';
import { defineScorer, defineVeto, type UnitFacts, type UnitMeta } from './meta.js';
import type { Run, Score, UnitClass } from './unit.js';

/** Created by the first function, because a program that has none starts faster without any schema. */
let noParams: z.ZodObject<Record<string, never>, z.core.$strict> | undefined;

/** Optional facts about a function, such as its range, its cost or its summary. */
export type FunctionFacts = Partial<UnitFacts<Record<string, never>>>;

/** Optional facts about an async function, and how to call it. */
export type AsyncFunctionFacts = FunctionFacts & AskOptions;

type Define = (
  meta: FunctionFacts & Pick<UnitMeta, 'summary'> & { readonly params: NonNullable<typeof noParams> },
) => UnitMeta;
type Given = Score<never, unknown> | Ask<never, unknown>;

// An async function usually calls a service, which takes long, for one candidate at a time.
const ASYNC_FACTS = { summary: 'An async function.', cost: 1_000_000, scope: 'candidate' } as const;

/** Whether a function is async: it is declared `async`, or has an option that only async functions have. */
const isAsk = (given: Given, { concurrency, timeout }: AskOptions): given is Ask<never, unknown> =>
  concurrency !== undefined ||
  timeout !== undefined ||
  Object.prototype.toString.call(given) === '[object AsyncFunction]';

/** @throws TypeError if the first argument is not a function */
function checkFunction(call: 'scorer' | 'veto', given: unknown): void {
  if (typeof given === 'function') return;
  const found = shown(given);
  throw new TypeError(`${call}: expected a function of a candidate as the first argument, found ${found}`);
}

function functionUnit(define: Define, given: Given, { concurrency, timeout, ...facts }: AsyncFunctionFacts): UnitClass {
  const options = { concurrency, timeout };
  const params = (noParams ??= z.strictObject({}));
  if (!isAsk(given, options)) return rowUnit(define({ summary: 'A function.', ...facts, params }), given);
  checkAskOptions(options);
  return askingUnit(define({ ...ASYNC_FACTS, ...facts, params }), given, options);
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
 * Makes a scorer class from an async function of one candidate. Each run calls it for all candidates before scoring, several
 * at once. If a call fails or takes too long, the entry's `on_error` applies to that candidate. If it returns `undefined`,
 * the scorer abstains.
 *
 * ```ts
 * units: { Review: scorer(async ({ text }: Page, { signal }) => await review(text, signal), { concurrency: 4, timeout: 5000, range: [0, 1] }) }
 * ```
 *
 * @param facts without a `range`, the function is called for every candidate; with a range, only for candidates that can
 *   still be selected
 * @throws RangeError if `concurrency` or `timeout` is invalid
 */
export function scorer<T>(ask: Ask<T, number>, facts?: AsyncFunctionFacts): UnitClass;
/** Makes a scorer class from a function of one candidate: `units: { Stars: scorer((repo: Repo) => repo.stars / 1000) }`. */
export function scorer<T>(score: Score<T>, facts?: FunctionFacts): UnitClass;
export function scorer(given: Score<never> | Ask<never, number>, facts: AsyncFunctionFacts = {}): UnitClass {
  checkFunction('scorer', given);
  return functionUnit(defineScorer, given, facts);
}

/**
 * Makes a veto class from an async function of one candidate, called as for `scorer`. It refuses candidates by returning
 * true, and clears them by returning false. If it returns `undefined` or fails, the candidate is refused, unless the entry
 * has `on_absent: pass` or `on_error: pass`.
 */
export function veto<T>(ask: Ask<T, boolean>, facts?: AsyncFunctionFacts): UnitClass;
/** Makes a veto class from a function of one candidate. It refuses candidates by returning true. */
export function veto<T>(refuses: Score<T, boolean>, facts?: FunctionFacts): UnitClass;
export function veto(given: Score<never, boolean> | Ask<never, boolean>, facts: AsyncFunctionFacts = {}): UnitClass {
  checkFunction('veto', given);
  return functionUnit(defineVeto, given, isAsk(given, facts) ? { onAbsent: 'refuse', ...facts } : facts);
}

/** The second argument of an async function. */
export interface Asked {
  /** Aborts when the call takes too long, when the entry's `timeout` is over, and when the caller stops the run. */
  readonly signal: AbortSignal;
  /** The position of the candidate among those that the function is called for. */
  readonly index: number;
}

/** An async function of one candidate. It abstains with `undefined`. A rejection fails only this candidate. */
export type Ask<T, V> = (candidate: T, asked: Asked) => PromiseLike<V | undefined>;

/** How to call an async function. */
export interface AskOptions {
  /** The number of concurrent calls, from 1. Default: 8. */
  readonly concurrency?: number | undefined;
  /** The time limit of one call, in milliseconds. After it, only its candidate fails. Default: 30,000. */
  readonly timeout?: number | undefined;
}

const DEFAULTS = { concurrency: 8, timeout: 30_000 } as const;

const shown = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : `a value of the type ${typeof value}`;

/** @throws RangeError if an option is invalid */
function checkAskOptions({ concurrency, timeout }: AskOptions): void {
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
 * @throws the reason of the abort, at once, if the caller aborts the run
 */
async function askEach<T, V>(run: Run<T>, ask: Ask<T, V>, options: AskOptions): Promise<Score<T, V>> {
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
        if (abort.aborted) return; // The score is already in use and must not change.
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

/** The running calls. Each has a time limit and stops when the run is aborted, because a promise may never settle. */
class Calls {
  readonly #running = new Set<(reason: unknown) => void>();

  constructor(
    private readonly abort: AbortSignal,
    private readonly timeout: number,
  ) {
    abort.addEventListener('abort', this.#stopAll);
  }

  /** @throws the call's own error, an error that it took too long, or the reason of the abort */
  async make<R>(call: (signal: AbortSignal) => PromiseLike<R>): Promise<R> {
    const own = new AbortController();
    let stop: (reason: unknown) => void = () => {};
    const stopped = new Promise<never>((_resolve, reject) => {
      stop = (reason) => {
        reject(reason instanceof Error ? reason : new Error(String(reason)));
        own.abort(reason);
      };
    });
    stopped.catch(() => {}); // not awaited if the call throws before it returns a promise
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
 * The reason of `run.abort` when the `timeout` of an entry is over. The score that the unit passed to `run.partial` then
 * counts. The entry's `on_error` applies to the candidates for which that score throws this error.
 */
export class EntryTimedOut extends Error {
  constructor(readonly timeout: number) {
    super(`it was not ready after ${timeout} ms (its timeout)`);
  }
}

/** The longest time of a timer, about 24.8 days. A longer timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Converts milliseconds to what a timer accepts: a whole number up to the longest time. */
export const timerMs = (ms: number): number => Math.min(Math.ceil(ms), MAX_TIMER_MS);

/** A signal that aborts after any time that a profile may set. `AbortSignal.timeout` alone accepts only timer values. */
export const timeoutSignal = (ms: number): AbortSignal => AbortSignal.timeout(timerMs(ms));
