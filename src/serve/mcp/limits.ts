import { toAssizeError, type Problem } from '../../base/index.js';
import { isDeeperThan, MAX_DEPTH, TOO_DEEP } from '../../data/index.js';
import type { ServedProfiles } from '../profiles/served-profiles.js';

/** What one call may take. */
export interface ToolLimits {
  /** The most candidates that a call may bring. */
  readonly candidates: number;
  /** The most rows that an answer lists. */
  readonly rows: number;
  /** How long a call may take, in milliseconds. */
  readonly milliseconds: number;
  /** The most bytes of a message. */
  readonly bytes: number;
  /** The most calls at the same time. */
  readonly calls: number;
}

/** An agent reads and writes all of it, token by token. */
export const DEFAULT_LIMITS: ToolLimits = {
  candidates: 1000,
  rows: 100,
  milliseconds: 30_000,
  bytes: 4 * 1024 * 1024,
  calls: 16,
};

const refusal = (problem: Problem): Error => toAssizeError([problem]);

/** @throws AssizeError (ASZ593) where there are more than a call may bring */
export function checkCount(candidates: readonly unknown[] | undefined, { candidates: most }: ToolLimits): void {
  if (candidates === undefined || candidates.length <= most) return;
  const message = `${candidates.length} candidates are more than the ${most} that a call may bring`;
  throw refusal({ code: 'ASZ593', message, hint: 'send those that matter, or rank a file with assize rank' });
}

/** @throws AssizeError (ASZ593) if the arguments of a call are nested deeper than a file may be */
export function checkDepth(input: unknown): void {
  if (!isDeeperThan(MAX_DEPTH, input)) return;
  throw refusal({ code: 'ASZ593', message: TOO_DEEP, path: 'arguments' });
}

/** Counts calls, and says when there are too many. */
export class Calls {
  readonly #running = new Set<Promise<unknown>>();

  constructor(private readonly limits: ToolLimits) {}

  /**
   * Does the work of a call, in its time.
   *
   * @throws AssizeError (ASZ594) where others are at work, (ASZ595) where it takes too long; the reason of an abort
   */
  async run<R>(abort: AbortSignal, work: (abort: AbortSignal) => Promise<R>): Promise<R> {
    const { calls, milliseconds } = this.limits;
    if (this.#running.size >= calls) {
      throw refusal({ code: 'ASZ594', message: `${calls} calls are under way`, hint: 'try again in a moment' });
    }
    const timeout = AbortSignal.timeout(milliseconds);
    const call = work(AbortSignal.any([abort, timeout]));
    this.#running.add(call);
    try {
      return await call;
    } catch (error) {
      if (!timeout.aborted || abort.aborted) throw error;
      throw refusal({ code: 'ASZ595', message: `the call took longer than ${milliseconds / 1000} s` });
    } finally {
      this.#running.delete(call);
    }
  }

  /** Waits for those that are under way. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running); // oxlint-disable-line no-await-in-loop -- new ones may come
  }
}

/** What a server of the protocol is made with, whatever it speaks over. */
export interface McpOptions {
  readonly profiles: ServedProfiles;
  readonly limits: ToolLimits;
  /** The version of the package, which clients show. */
  readonly version: string;
  /** Hears of messages that are no protocol, and of connections that break. */
  readonly report: (error: Error) => void;
}
