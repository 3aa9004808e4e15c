import { describe, expect, test } from 'vitest';
import { formatProblems } from '../../src/base/format.js';
import { createPipeline, type ProfileInput } from 'assize';
import { defineScorer, z } from 'assize/sdk';

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
  const { scoreWarnings } = await (await createPipeline<Film>(given)).rank(candidates);
  return formatProblems(scoreWarnings.filter(isRescaling));
}

describe('a weighted_sum that was scaled up for skipped scorers', () => {
  test('is reported with the count of candidates, the entries, and a hint', async () => {
    expect(await warned(profile)).toMatchInlineSnapshot(`
      "tier2_scorers[0] warning ASZ718 3 scores of the weighted_sum are scaled up because entries were skipped: critics (2), public (2); the first is unseen, by 2
        to use the weights as written, set on_absent: 0 (or on_error: 0, if it failed); for all entries: defaults: { on_absent: 0 }"
    `);
    expect(await warned(profile, films.slice(1, 2))).toMatchInlineSnapshot(`
      "tier2_scorers[0] warning ASZ718 1 score of the weighted_sum is scaled up because entries were skipped: critics (1); the first is unseen, by 2
        to use the weights as written, set on_absent: 0 (or on_error: 0, if it failed); for all entries: defaults: { on_absent: 0 }"
    `);
  });

  test('is not reported if every score exists', async () => {
    expect(await warned(profile, films.slice(0, 1))).toBe('');
    expect(await warned({ ...profile, defaults: { on_absent: 0 } }, [films[0]!, films[1]!, films[3]!])).toBe('');
  });

  test('is not reported if weights are relative, or missing scores have no weight', async () => {
    expect(await warned({ ...profile, combine: 'weighted_mean' })).toBe('');
    const [critics, ...others] = profile.tier2_scorers!;
    expect(
      await warned({ ...profile, tier2_scorers: [{ ...critics!, weight: 0 }, ...others] }, films.slice(0, 2)),
    ).toBe('');
  });

  test('uses the case of each candidate', async () => {
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
    const { scoreWarnings } = await pipeline.rank(films.slice(0, 1));
    expect(scoreWarnings.find(isRescaling)?.message).toContain('down (1); the first is whole, by 2');
  });

  test('is computed for the weights of a reweighted ranking', async () => {
    const whole = await (await createPipeline<Film>(profile)).rank(films);
    expect(whole.warnings.filter(isRescaling)).toEqual([]);
    const again = whole.reweigh({ weights: { critics: 0, public: 0 } });
    expect(again.scoreWarnings.filter(isRescaling)).toEqual([]);
  });
});

describe('a selected candidate with less than half of the weight', () => {
  const half = (combine: ProfileInput['combine'], select?: ProfileInput['select']): ProfileInput => ({
    tier2_scorers: ['critics', 'public', 'fresh'].map((id, k) => ({ id, expr: `candidate.${id}`, weight: 3 - k })),
    ...(combine && { combine }),
    ...(select && { select }),
  });
  const thin = async (given: ProfileInput, candidates: readonly Film[]): Promise<readonly string[]> => {
    const pipeline = await createPipeline<Film>(given);
    const streamed = await pipeline.rankStream(candidates).catch(() => undefined);
    const own = ({ warnings }: Pick<Awaited<ReturnType<typeof pipeline.rank>>, 'warnings'>) =>
      warnings.filter(({ code }) => code === 'ASZ720').map(({ path, message }) => `${path}: ${message}`);
    const messages = own(await pipeline.rank(candidates));
    if (streamed) expect(own(streamed)).toEqual(messages);
    return messages;
  };
  const rows: readonly Film[] = [
    { id: 'exact', critics: 0.4 }, // 3 of 6 is not less than half
    { id: 'fresh', fresh: 1 },
    { id: 'public', public: 0.9 },
    { id: 'whole', critics: 0.1, public: 0.1, fresh: 0.1 },
  ];

  test('is named, with its share and the missing scorers, at the entry that is missing most', async () => {
    expect(await thin(half('weighted_mean'), rows)).toEqual([
      'tier2_scorers[0]: 2 of the first 4 selected rest on less than half of the weight: ' +
        'fresh (17 %, without critics, public); public (33 %, without critics, fresh)',
    ]);
    expect(await thin(half('weighted_mean', { top: 1 }), rows)).toEqual([
      'tier2_scorers[0]: 1 of the first 1 selected rests on less than half of the weight: ' +
        'fresh (17 %, without critics, public)',
    ]);
  });

  test('is reported only for the first ten, and not if on_absent gives a value', async () => {
    const many = Array.from({ length: 10 }, (_, k): Film => ({ id: `w${k}`, critics: 2, public: 2, fresh: 2 }));
    expect(await thin(half('weighted_mean'), [...rows, ...many])).toEqual([]);
    expect(await thin({ ...half('weighted_mean'), defaults: { on_absent: 0 } }, rows)).toEqual([]);
  });
});
