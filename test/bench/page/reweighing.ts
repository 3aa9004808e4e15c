import { createPipeline } from 'assize/browser';
import { random } from '../random.js';

const SCORERS = 8;
const TOP = 10;

/** By subject, the milliseconds of one reweighing in each round. */
export interface Reweighings {
  readonly byHand: readonly number[];
  readonly ours: readonly number[];
}

/** The positions of the best ten, by the weighted mean of the columns. */
function bestByHand(columns: readonly Float64Array[], weights: readonly number[]): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const best: number[] = [];
  const scores = new Float64Array(columns[0]!.length);
  for (let i = 0; i < scores.length; i++) {
    let sum = 0;
    for (let k = 0; k < columns.length; k++) sum += weights[k]! * columns[k]![i]!;
    const score = sum / total;
    scores[i] = score;
    if (best.length === TOP && score <= scores[best[TOP - 1]!]!) continue;
    let at = best.length;
    while (at > 0 && scores[best[at - 1]!]! < score) at--;
    best.splice(at, 0, i);
    if (best.length > TOP) best.pop();
  }
  return best;
}

/** The time of one pass, in turns of several milliseconds: the clock of a page is coarse. */
function timeOf(pass: () => unknown, millis: number): number {
  const start = performance.now();
  let passes = 0;
  do {
    pass();
    passes += 1;
  } while (performance.now() - start < millis);
  return (performance.now() - start) / passes;
}

/** Runs in a page: reweighs a ranking repeatedly, as a slider does, and compares with the same arithmetic by hand. */
export async function reweighings(rows: number, rounds: number, millis: number): Promise<Reweighings> {
  const next = random();
  const ids = Array.from({ length: SCORERS }, (_, k) => `s${k}`);
  const candidates = Array.from({ length: rows }, () => Object.fromEntries(ids.map((id) => [id, next()])));
  const pipeline = await createPipeline({
    tier2_scorers: ids.map((id) => ({ id, expr: `candidate.${id}` })),
    select: { top: TOP },
  });
  const ranking = await pipeline.rank(candidates, {}, { prune: false });
  const columns = ids.map((id) => Float64Array.from(candidates, (candidate) => candidate[id] ?? Number.NaN));
  let weight = 1;
  const slide = (): readonly number[] => {
    weight = (weight * 1.1) % 5;
    return ids.map((_, k) => (k === 0 ? weight : k));
  };
  const byWeights = (weights: readonly number[]) => Object.fromEntries(ids.map((id, k) => [id, weights[k] ?? 0]));
  const ours = (weights: readonly number[]): readonly number[] =>
    ranking.reweigh({ weights: byWeights(weights) }).selected.map(({ index }) => index);
  const weights = slide();
  if (ours(weights).join() !== bestByHand(columns, weights).join()) throw new Error('they select differently');
  const times: { byHand: number[]; ours: number[] } = { byHand: [], ours: [] };
  for (let round = 0; round < rounds; round++) {
    times.byHand.push(timeOf(() => bestByHand(columns, slide()), millis));
    times.ours.push(timeOf(() => ours(slide()), millis));
  }
  return times;
}
