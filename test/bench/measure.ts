import type { Result } from './result.js';
import type { Effort } from './section.js';
import { type Spread, spread } from './statistics.js';

/** Who takes part. */
export interface Subject {
  readonly name: string;
  /** How many of what is measured one pass handles. */
  readonly per: number;
  /** All of the data once. What it gives is kept from V8's dead-code elimination. */
  readonly pass: () => unknown;
}

/** By subject, what each round took: nanoseconds for one of what it handles. */
export class Times {
  readonly #rounds: ReadonlyMap<string, readonly number[]>;

  constructor(rounds: ReadonlyMap<string, readonly number[]>) {
    this.#rounds = rounds;
  }

  of(subject: string): readonly number[] {
    const times = this.#rounds.get(subject);
    if (!times) throw new RangeError(`nobody measured ${subject}`);
    return times;
  }

  /** Round by round, what each of some subjects took. */
  byRound(subjects: readonly string[]): readonly (readonly number[])[] {
    const times = subjects.map((subject) => this.of(subject));
    return times[0]?.map((_, round) => times.map((own) => own[round] ?? Number.NaN)) ?? [];
  }

  /** What one took as a multiple of what another took in the same round: neighbours drift together. */
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

/** What passes gave last: read by nobody, and for V8 that is impossible to know. */
export const kept = (): unknown => last;

/** A pass that is longer than this many turns needs none before it: what is cold at its start is lost in it. */
const LONG = 10;

async function turn({ pass, per }: Subject, millis: number, warmUp: boolean): Promise<number> {
  // What the one before left in the young generation is not this one's to clean up. A full collection would make
  // everything slower for a while, and so every ratio better.
  globalThis.gc?.({ execution: 'sync', type: 'minor' });
  if (warmUp) last = await pass();
  let passes = 0;
  const start = performance.now();
  let took = 0;
  do {
    const made = pass();
    // Waiting for what is no promise would cost more than a fast pass.
    // oxlint-disable-next-line no-await-in-loop -- one after another is what is measured
    last = made instanceof Promise ? await made : made;
    passes += 1;
    took = performance.now() - start;
  } while (took < millis);
  return (took * 1e6) / (passes * per);
}

/** All subjects in turn, round after round, each time beginning with another one and in alternating direction. */
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
