import { expect, test } from 'vitest';
import { createPipeline, type ProfileInput, scorer } from 'assize';

const readsOf = async (profile: ProfileInput, units: Readonly<Record<string, unknown>> = {}) =>
  (await createPipeline(profile, { units })).candidateReads.map(({ by, field, optional }) => [by, field, optional]);

test('each part of a profile reports its reads', async () => {
  const reads = await readsOf({
    candidate: { id: 'sku', pinned: 'candidate.keep' },
    tier1_scorers: [{ id: 'gone', expr: 'candidate.gone' }],
    measures: [{ id: 'tools', class: 'CountScorer', params: { items: 'steps', distinct: 'tool.name' } }],
    tier2_scorers: [
      { id: 'fresh', class: 'DecayScorer', params: { field: 'at', curve: { type: 'exponential', half_life: '1d' } } },
      {
        id: 'both',
        class: 'CompositeScorer',
        params: { scorers: [{ expr: 'candidate.?a.b.orValue(0)' }, { expr: 'candidate["x y"] * 2' }] },
      },
    ],
    weights: { by: 'candidate.kind', cases: { book: { fresh: 2 } } },
    adjustments: [{ id: 'solved', when: 'candidate.metadata.success', add: 0.1 }],
    select: { duplicates: 'candidate.text', per: { by: 'candidate.brand', top: 2 }, ties: ['candidate.price'], top: 3 },
  });
  expect(reads).toEqual([
    ['candidate.id', 'sku', false],
    ['candidate.pinned', 'keep', false],
    ['gone', 'gone', false],
    ['tools', 'steps', false],
    ['fresh', 'at', false],
    ['both', 'a.b', true],
    ['both', '["x y"]', false],
    ['weights.by', 'kind', false],
    ['solved', 'metadata.success', false],
    ['select.duplicates', 'text', false],
    ['select.per', 'brand', false],
    ['select.ties', 'price', false],
  ]);
});

test('an unknown read may be of any field', async () => {
  const reads = await readsOf(
    {
      context: { name: { type: 'string' } },
      tier2_scorers: [
        { id: 'computed', expr: 'candidate[context.name]' },
        { id: 'inside', expr: 'candidate.tags[context.name]' },
        { id: 'whole', expr: 'size(candidate)' },
        { id: 'elements', expr: 'candidate.steps.filter(candidate, candidate.ok).size()' },
        { id: 'code', class: 'Stars' },
      ],
    },
    { Stars: scorer((repo: { stars: number }) => repo.stars) },
  );
  expect(reads).toEqual([
    ['candidate.id', 'id', true],
    ['computed', undefined, true],
    ['inside', 'tags', false],
    ['whole', undefined, true],
    ['elements', 'steps', false],
    ['code', undefined, true],
  ]);
});

test('a reader in a file has its place', async () => {
  const yaml =
    'tier2_scorers:\n  - { id: a, expr: candidate.price }\nadjustments:\n  - { id: r, add: candidate.bonus }\n';
  const { candidateReads } = await createPipeline({ yaml, name: 'priced.yaml' });
  expect(candidateReads.map(({ by, path, place }) => [by, path, place?.line, place?.column])).toEqual([
    ['candidate.id', undefined, undefined, undefined],
    ['a', 'tier2_scorers[0]', 2, 5],
    ['r', undefined, 4, 19],
  ]);
});
