/* An object has no lines: its problems must not point at lines of the file that it extends. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AssizeError, createPipeline, type ProfileInput } from 'assize';
import { temporaryFolder } from '../../temporary-folder.js';

const folder = temporaryFolder('assize-places-');
writeFileSync(
  join(folder, 'base.yaml'),
  `tier1_scorers: [{ id: gone, expr: candidate.gone }]
tier2_scorers:
  - { id: stars, expr: candidate.stars, weight: 2 }
  - { id: votes, class: DecayScorer, params: { field: at, curve: { type: exponential, half_life: 1d } } }
adjustments: [{ id: late, when: candidate.late, multiply: 0.5 }]
select: { top: 3 }
`,
);

async function problemsOf(profile: unknown): Promise<AssizeError['problems']> {
  const error: unknown = await createPipeline(profile as ProfileInput, { folder }).catch((thrown: unknown) => thrown);
  if (error instanceof AssizeError) return error.problems;
  throw new Error('the profile has no problem');
}

const overrides: readonly object[] = [
  { tier2_scorers: [{ id: 'stars', wieght: 3 }] },
  { tier2_scorers: [{ id: 'stars', weight: 'context.' }] },
  { tier2_scorers: [{ id: 'stars', expr: 'candidate.stars +' }] },
  { tier2_scorers: [{ id: 'votes', params: { curve: { half_life: 'soon' } } }] },
  { tier2_scorers: [{ id: 'own', expr: 'measures.nope' }] },
  { tier1_scorers: [{ id: 'gone', on_absent: 'perhaps' }] },
  { adjustments: [{ id: 'late', multiply: 'scores.nope' }] },
  { select: { top: -1 } },
  { select: { tpo: 1 } },
];

test.each(overrides)('a problem of an object that extends a file has no place in it: %j', async (own) => {
  const problems = await problemsOf({ extends: ['./base.yaml'], ...own });
  expect(problems.map(({ path, place }) => [typeof path, place])).toEqual(problems.map(() => ['string', undefined]));
});

test('a problem of the extended file keeps its place', async () => {
  writeFileSync(join(folder, 'wrong.yaml'), 'tier2_scorers:\n  - { id: a, expr: candidate.a, wieght: 1 }\n');
  const [problem] = await problemsOf({ extends: ['./wrong.yaml'], tier2_scorers: [{ id: 'a', weight: 2 }] });
  expect(problem?.place).toMatchObject({ file: expect.stringContaining('wrong.yaml'), line: 2 });
});
