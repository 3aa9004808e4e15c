/** One side of a comparison: called with the data sets in turn. */
export type Side<D> = (data: D) => unknown;

const ROUNDS = 11;

async function once<D>(side: Side<D>, sets: readonly D[], millis: number): Promise<number> {
  const start = performance.now();
  let calls = 0;
  while (performance.now() - start < millis || calls < sets.length) {
    const given = side(sets[calls % sets.length]!);
    if (given instanceof Promise) await given; // what is there at once is not waited for
    calls += 1;
    if (performance.now() - start > 20 * millis) break;
  }
  return (performance.now() - start) / calls;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Medians of milliseconds a call, and the median of the ratios of neighbouring rounds, which drift together. */
export interface Compared {
  readonly ours: number;
  readonly rival: number;
  readonly ratio: number;
}

/** Runs both in turn, in alternating order, and compares. */
export async function compare<D>(ours: Side<D>, rival: Side<D>, sets: readonly D[], millis = 60): Promise<Compared> {
  await once(ours, sets, millis);
  await once(rival, sets, millis);
  const rounds: { ours: number; rival: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const first = round % 2 === 0 ? ours : rival;
    const a = await once(first, sets, millis);
    const b = await once(first === ours ? rival : ours, sets, millis);
    rounds.push(first === ours ? { ours: a, rival: b } : { ours: b, rival: a });
  }
  return {
    ours: median(rounds.map((round) => round.ours)),
    rival: median(rounds.map((round) => round.rival)),
    ratio: median(rounds.map((round) => round.ours / round.rival)),
  };
}

/** A comparison as one line. `per` is how many items one call handles. */
export function line(name: string, { ours, rival, ratio }: Compared, per = 1): string {
  const nanos = (millis: number) => `${((millis / per) * 1e6).toFixed(1)} ns`;
  return `${name.padEnd(52)} ${nanos(ours).padStart(14)}   by hand ${nanos(rival).padStart(14)}   ratio ${ratio.toFixed(2)}`;
}

/** A repeatable source of numbers from 0 to 1. */
export function random(seed = 12_345): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff; // the product of doubles would lose its end
    return state / 0x7f_ff_ff_ff;
  };
}
