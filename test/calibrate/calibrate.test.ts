import { describe, expect, test } from 'vitest';
import { SETTINGS } from './settings.js';

/**
 * The short form of `npm run calibrate`: few repetitions, so that only gross errors are found, such as intervals that
 * ignore groups (which covered 79 to 84 %). Seeds are fixed.
 */
const run = (call: string, name: string, repetitions: number) =>
  SETTINGS.find((setting) => setting.call === call && setting.name === name)!.run(repetitions, 1);

describe('95 % intervals contain the true value, and verdicts are rarely wrong', () => {
  test.each([
    ['evaluate, queries', '10 queries'],
    ['evaluate, queries', '4 groups of 10'],
    ['evaluate, queries', 'mean near 1, 10 queries'],
    ['evaluate, queries', '5 comparisons'],
    ['evaluate, rows', '5 positives'],
    ['evaluate, rows', 'groups of 5'],
    ['evaluate, rows', 'AUC near 1, 5 positives'],
  ])('%s: %s', async (call, name) => {
    const { after } = await run(call, name, 150);
    expect(after.covered / 150).toBeGreaterThan(0.89);
    expect(after.valueCovered / 150).toBeGreaterThan(0.89);
    expect(after.better / 150).toBeLessThan(0.06);
    expect(after.unsaid).toBe(0);
  });

  test('detects a gain of 0.1 nDCG in 40 queries', async () => {
    const { before, after } = await run('evaluate, queries', 'gain of 0.1', 100);
    expect(after.better).toBeGreaterThan(0.8 * before.better);
    expect(after.worse).toBe(0);
  });

  test('tune does not find a gain in noise', async () => {
    const { after } = await run('tune', 'noise, 20 queries', 4);
    expect(after.better).toBe(0);
    expect(after.covered).toBeGreaterThanOrEqual(3);
  });

  test('lists that each side wins half of the time show no preference', async () => {
    const { after } = await run('interleaving', '40 lists, a quarter of them ties', 1000);
    expect(Math.max(after.better, after.worse) / 1000).toBeLessThan(0.035);
  });

  test('weights lie in the interval of ask as often as it states', async () => {
    const { after } = await run('ask', '3 scorers (nominal 90 %)', 12);
    expect(after.covered / 12).toBeGreaterThan(0.7);
  });
});
