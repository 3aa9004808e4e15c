import { expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { defineSignal, z } from 'assize/sdk';

class Mood {
  static readonly meta = defineSignal({ summary: 'A mood.', params: z.strictObject({}) });
  prepare(): string {
    return 'good';
  }
}

test('a disabled signal is absent, and its readers still work', async () => {
  const profile = (enabled: boolean): ProfileInput => ({
    signals: [{ id: 'mood', class: 'Mood', enabled }],
    phases: { calm: { when: 'signals.?mood.orValue("good") == "good"' }, other: {} },
    tier2_scorers: [{ id: 's', expr: 'has(signals.mood) ? 1 : 2' }],
  });
  const score = async (enabled: boolean) =>
    (await (await createPipeline(profile(enabled), { units: { Mood } })).rank([{}])).ranked[0]?.score;
  expect(await score(true)).toBe(1);
  expect(await score(false)).toBe(2);
});

test('cases that a profile inherits may contain weights of a disabled scorer', async () => {
  const pipeline = createPipeline({
    extends: ['knowledgepulse'],
    tier2_scorers: [{ id: 'novelty', enabled: false }],
  });
  await expect(pipeline).resolves.toBeDefined();
});
