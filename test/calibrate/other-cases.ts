import { compareInterleaved } from '@assize/evaluate';
import { seededRandom } from '../../plugins/@assize/evaluate/src/significance/distributions.js';
import { askWeights } from '@assize/evaluate/tune';
import { none, type Result } from './evaluate-cases.js';
import { normal } from './worlds.js';

/** Interleaved lists of which each side wins half: no verdict is right. The sign test prints no interval. */
export function simulateInterleaving(lists: number, ties: number, repetitions: number, seed: number): Result {
  const random = seededRandom(seed);
  const result = { before: none(repetitions), after: none(repetitions) };
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const credits = Array.from({ length: lists }, () =>
      random() < ties ? { a: 0, b: 0 } : random() < 0.5 ? { a: 1, b: 0 } : { a: 0, b: 1 },
    );
    const { verdict } = compareInterleaved(credits);
    for (const counts of [result.before, result.after]) {
      if (verdict === 'b is preferred') counts.better += 1;
      if (verdict === 'a is preferred') counts.worse += 1;
    }
  }
  return result;
}

/**
 * A person with weights in mind who errs as often as the model expects: are the weights where `ask` says they probably
 * are?
 */
export async function simulateAsking(scorers: number, repetitions: number, seed: number): Promise<Result> {
  const random = seededRandom(seed);
  const result = { before: none(repetitions), after: none(repetitions) };
  const ids = Array.from({ length: scorers }, (_, k) => `s${k}`);
  const profile = { tier2_scorers: ids.map((id) => ({ id, expr: `candidate.${id}` })) };
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const candidates = Array.from({ length: 60 }, () => Object.fromEntries(ids.map((id) => [id, normal(random)])));
    const parts = ids.map(() => -Math.log1p(-random()));
    const sum = parts.reduce((all, one) => all + one, 0);
    const mind = parts.map((part) => part / sum);
    const spread = Math.sqrt(mind.reduce((all, one) => all + one * one, 0));
    const worth = (candidate: Readonly<Record<string, number>>): number =>
      ids.reduce((all, id, k) => all + mind[k]! * candidate[id]!, 0);
    const asked = await askWeights(
      profile,
      candidates,
      {},
      {
        seed: repetition + 1,
        questions: 20,
        ask: ({ a, b }) => {
          const chance = 0.02 + 0.96 / (1 + Math.exp((-8 * (worth(a) - worth(b))) / spread));
          return random() < chance ? 'a' : 'b';
        },
      },
    );
    // Found weights keep the sum of the profile's, and the person's weights sum to 1. Each weight has its own interval.
    const scale = asked.scorers.reduce((all, { weight }) => all + weight, 0);
    for (const counts of [result.before, result.after]) {
      for (const [k, { likely }] of asked.scorers.entries())
        if (likely && likely[0] <= scale * mind[k]! && scale * mind[k]! <= likely[1]) counts.covered += 1 / scorers;
    }
  }
  return result;
}
