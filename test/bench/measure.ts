import type { Result } from './result.js';
import type { Effort } from './section.js';
import { type Spread, spread } from './statistics.js';

/** The measured subject. */
export interface Subject {
  readonly name: string;
  /** The number of items that one pass handles. */
  readonly per: number;
  /** One pass over all data. The result is kept so that V8 cannot eliminate the work. */
  readonly pass: () => unknown;
}

/** By subject, the nanoseconds per item in each round. */
export class Times {
  readonly #rounds: ReadonlyMap<string, readonly number[]>;

  constructor(rounds: ReadonlyMap<string, readonly number[]>) {
    this.#rounds = rounds;
  }

  of(subject: string): readonly number[] {
    const times = this.#rounds.get(subject);
    if (!times) throw new RangeError(`${subject} was not measured`);
    return times;
  }

  /** The times of several subjects, round by round. */
  byRound(subjects: readonly string[]): readonly (readonly number[])[] {
    const times = subjects.map((subject) => this.of(subject));
    return times[0]?.map((_, round) => times.map((own) => own[round] ?? Number.NaN)) ?? [];
  }

  /** The ratio of two subjects in the same round: noise affects neighbours equally. */
  ratio(subject: string, to: string): Spread {
    const others = this.of(to);
    return spread(this.of(subject).map((nanos, round) => nanos / (others[round] ?? Number.NaN)));
  }

  /** A line of the report. */
  result(work: string, subject: string, per: string, to?: string): Result {
    const result: Result = { work, subject, amount: spread(this.of(subject)), unit: 'ns', per };
    return to === undefined ? result : { ...result, ratio: { to, times: this.ratio(subject, to) } };
  }
}

let last: unknown;

/** The last results of passes: never read, but V8 cannot know that. */
export const kept = (): unknown => last;

/** A pass longer than this many turns needs no warm-up: the cold start is negligible. */
const LONG = 10;

async function turn({ pass, per }: Subject, millis: number, warmUp: boolean): Promise<number> {
  // Collects the garbage of the previous subject. A full collection would slow everything for a while and so improve
  // every ratio.
  globalThis.gc?.({ execution: 'sync', type: 'minor' });
  if (warmUp) last = await pass();
  let passes = 0;
  const start = performance.now();
  let took = 0;
  do {
    const made = pass();
    // Awaiting a value that is not a promise would cost more than a fast pass.
    // oxlint-disable-next-line no-await-in-loop -- one after another is what is measured
    last = made instanceof Promise ? await made : made;
    passes += 1;
    took = performance.now() - start;
  } while (took < millis);
  return (took * 1e6) / (passes * per);
}

/**
 * Runs all subjects in turn, round after round, starting with a different one each time and in alternating direction.
 */
export async function measure(subjects: readonly Subject[], { rounds, millis }: Effort): Promise<Times> {
  const times = new Map<string, number[]>(subjects.map(({ name }) => [name, []]));
  const long = new Set<Subject>();
  const warming = Math.floor(rounds / 5);
  for (let round = -warming; round < rounds; round++) {
    const from = (round + warming) % subjects.length;
    const rotated = [...subjects.slice(from), ...subjects.slice(0, from)];
    for (const subject of round % 2 === 0 ? rotated : rotated.toReversed()) {
      // oxlint-disable-next-line no-await-in-loop -- side by side means one after another
      const nanos = await turn(subject, millis, millis > 0 && !long.has(subject));
      if (nanos * subject.per > LONG * millis * 1e6) long.add(subject);
      if (round >= 0) times.get(subject.name)?.push(nanos);
    }
  }
  return new Times(times);
}
