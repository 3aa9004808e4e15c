import { describe, expect, test } from 'vitest';
import { formatProblems } from '../../src/diagnostics/format.js';
import { createPipeline, type ProfileInput } from '../../src/index.js';
import { defineScorer, z } from '../../src/sdk.js';

interface Film {
  readonly id: string;
  readonly critics?: number;
  readonly public?: number | string;
  readonly fresh?: number;
  readonly banned?: boolean;
}

const films: readonly Film[] = [
  { id: 'whole', critics: 0.5, public: 0.5, fresh: 1 },
  { id: 'unseen', public: 0.5, fresh: 1 },
  { id: 'odd', critics: 0.5, public: 'good', fresh: 1 },
  { id: 'bare', fresh: 1 },
  { id: 'banned', banned: true },
];

const profile: ProfileInput = {
  name: 'films',
  tier1_scorers: [{ id: 'banned', expr: 'candidate.?banned.orValue(false)' }],
  tier2_scorers: [
    { id: 'critics', expr: 'candidate.critics', weight: 0.5 },
    { id: 'public', expr: 'candidate.public * 1.0', weight: 0.25, on_error: 'skip' },
    { id: 'fresh', expr: 'candidate.fresh', weight: 0.25 },
  ],
  combine: 'weighted_sum',
};

const isRescaling = ({ code }: { readonly code: string }): boolean => code === 'ASZ718';

async function warned(given: ProfileInput, candidates = films): Promise<string> {
  const { warnings } = await (await createPipeline<Film>(given)).rank(candidates);
  return formatProblems(warnings.filter(isRescaling));
}

describe('a weighted_sum that was scaled up for what was skipped', () => {
  test('says on how many candidates, for which entries, and what to do', async () => {
    expect(await warned(profile)).toMatchInlineSnapshot(`
      "tier2_scorers[0] warning ASZ718 3 scores of the weighted_sum are scaled up for entries that were skipped: critics (2), public (2); the first is unseen, by 2
        on_absent: 0 (on_error: 0, where it failed) takes weights as they are; defaults: { on_absent: 0 } for all"
    `);
    expect(await warned(profile, films.slice(1, 2))).toMatchInlineSnapshot(`
      "tier2_scorers[0] warning ASZ718 1 score of the weighted_sum is scaled up for entries that were skipped: critics (1); the first is unseen, by 2
        on_absent: 0 (on_error: 0, where it failed) takes weights as they are; defaults: { on_absent: 0 } for all"
    `);
  });

  test('is silent where every score is there', async () => {
    expect(await warned(profile, films.slice(0, 1))).toBe('');
    expect(await warned({ ...profile, defaults: { on_absent: 0 } }, [films[0]!, films[1]!, films[3]!])).toBe('');
  });

  test('is silent where weights are relative, and where what is missing weighs nothing', async () => {
    expect(await warned({ ...profile, combine: 'weighted_mean' })).toBe('');
    const [critics, ...others] = profile.tier2_scorers!;
    expect(
      await warned({ ...profile, tier2_scorers: [{ ...critics!, weight: 0 }, ...others] }, films.slice(0, 2)),
    ).toBe('');
  });

  test('weighs the case of each candidate', async () => {
    const weights = { by: 'candidate.id', cases: { unseen: { critics: 0 } } };
    expect(await warned({ ...profile, weights }, films.slice(0, 2))).toBe('');
    expect(await warned({ ...profile, weights }, films.slice(3, 4))).toContain('bare, by 4');
  });

  test('counts an entry that could not be prepared for every candidate', async () => {
    class Down {
      static readonly meta = defineScorer({ summary: 'Is down.', params: z.strictObject({}) });
      prepare(): never {
        throw new Error('down');
      }
    }
    const entries = [...profile.tier2_scorers!, { id: 'down', class: 'Down', weight: 1, on_error: 'skip' as const }];
    const pipeline = await createPipeline<Film>({ ...profile, tier2_scorers: entries }, { units: { Down } });
    const { warnings } = await pipeline.rank(films.slice(0, 1));
    expect(warnings.find(isRescaling)?.message).toContain('down (1); the first is whole, by 2');
  });

  test('is the same of a stream, and of a ranking weighed again', async () => {
    const pipeline = await createPipeline<Film>(profile);
    const whole = await pipeline.rank(films);
    const stream = await pipeline.rankStream(films, {}, { top: 9 });
    expect(stream.warnings.filter(isRescaling)).toEqual(whole.warnings.filter(isRescaling));
    const again = whole.reweigh({ weights: { critics: 0, public: 0 } });
    expect(again.warnings.filter(isRescaling)).toEqual([]);
  });
});
