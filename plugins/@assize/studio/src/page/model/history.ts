import type { Settings } from '../settings/settings.js';
import type { Snapshot } from './snapshot.js';

/** What a ranking was kept for. */
export type KeptFor = 'opened' | 'pinned' | 'saved' | 'reloaded' | 'named' | 'profile';

/** A ranking that is kept, to compare with and to go back to. */
export interface Kept {
  readonly key: number;
  readonly name: string;
  readonly for: KeptFor;
  /** When, in milliseconds since 1970. */
  readonly at: number;
  readonly snapshot: Snapshot;
  /** The version of the file that it was ranked by; missing of a preset. */
  readonly version?: string;
  /** All that was set or written, to go back to; missing of another profile. */
  readonly settings?: Settings;
}

/** Whether a ranking was kept because it is that of the file, and not because a person kept it. */
export const isOfFile = (kept: Pick<Kept, 'for'>): boolean => ['opened', 'saved', 'reloaded'].includes(kept.for);

/** A named state, to go back to. */
export interface NamedState {
  readonly name: string;
  /** When it was named, in milliseconds since 1970. */
  readonly at: number;
  readonly settings: Settings;
}

/** A kept ranking without the key and the time, which the history adds. */
export type Keeping = Omit<Kept, 'key' | 'at'>;

/** The rankings that were kept since the page was opened, the last first. */
export class History {
  #kept: readonly Kept[] = [];
  #next = 1;

  constructor(private readonly clock: () => number = Date.now) {}

  get kept(): readonly Kept[] {
    return this.#kept;
  }

  add(keeping: Keeping, at = this.clock()): Kept {
    const kept = { ...keeping, key: this.#next, at };
    this.#next += 1;
    this.#kept = [kept, ...this.#kept];
    return kept;
  }

  /** The same rankings under the same keys, as they come out now; without those that no longer do. */
  async mapped(now: (kept: Kept) => Promise<Pick<Kept, 'snapshot' | 'settings'> | undefined>): Promise<History> {
    const next = new History(this.clock);
    next.#next = this.#next;
    for (const kept of this.#kept) {
      // oxlint-disable-next-line no-await-in-loop -- one page ranks one after another
      const mapped = await now(kept);
      if (mapped) next.#kept = [...next.#kept, { ...kept, ...mapped }];
    }
    return next;
  }
}
