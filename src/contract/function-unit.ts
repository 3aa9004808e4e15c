import * as z from 'zod';
import { type Ask, askEach, type AskOptions, checkAskOptions } from './ask-each.js';
import { defineScorer, defineVeto, type UnitFacts, type UnitMeta } from './meta.js';
import type { Run } from './run.js';
import type { Score } from './score.js';
import type { UnitClass } from './unit.js';

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
