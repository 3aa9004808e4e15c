import { describe, expect, test } from 'vitest';
import { onTruths, type Reached } from './truths.js';

// The short form of `npm run evaluate truths`: one seed, the truths that weights or curves express.
describe('tuning with a known true order', async () => {
  const all: Reached[] = [];
  for await (const one of onTruths([1], ['linear', 'monotone', 'correlated'])) all.push(one);
  const valueOf = (truth: string, method: string): number =>
    all.find((one) => one.truth === truth)?.values[method] ?? 0;

  test.each(['linear', 'correlated'])('finds weights that are close to the best possible order: %s', (truth) => {
    expect(valueOf(truth, 'weights')).toBeGreaterThan(valueOf(truth, 'best possible') - 0.02);
    expect(valueOf(truth, 'weights')).toBeGreaterThan(valueOf(truth, 'equal weights'));
  });

  test('finds curves if weights do not suffice', () => {
    expect(valueOf('monotone', 'five curves')).toBeGreaterThan(valueOf('monotone', 'weights'));
  });

  test.each(['linear', 'monotone', 'correlated'])(
    'is as good as logistic regression and coordinate ascent: %s',
    (truth) => {
      const best = Math.max(valueOf(truth, 'weights'), valueOf(truth, 'five curves'));
      expect(best).toBeGreaterThan(valueOf(truth, 'logistic regression') - 0.01);
      expect(best).toBeGreaterThan(valueOf(truth, 'coordinate ascent') - 0.01);
    },
  );
});
