import { describe, expect, test } from 'vitest';
import { formatProblems } from '../../../src/base/format.js';
import { createPipeline, explanationText, type ProfileInput } from 'assize';

interface Repo {
  readonly id: string;
  readonly archived?: boolean | string;
  readonly stars?: number;
  readonly licence?: string;
}

const repos: readonly Repo[] = [
  { id: 'good', archived: false, stars: 0.9, licence: 'mit' },
  { id: 'old', archived: true, stars: 0.9, licence: 'mit' },
  { id: 'odd', archived: 'maybe', stars: 0.9, licence: 'mit' },
  { id: 'new', archived: false, licence: 'mit' },
  { id: 'closed', archived: false, stars: 0.9, licence: 'none' },
];

const profile: ProfileInput = {
  name: 'repos',
  tier1_scorers: [{ id: 'archived', expr: 'candidate.archived', reason: 'Refused: the repository is archived' }],
  tier2_scorers: [{ id: 'stars', expr: 'candidate.stars', on_absent: 'refuse', reason: 'Nobody has rated it' }],
  adjustments: [
    {
      id: 'licence',
      multiply: { table: { none: 0 }, by: ['candidate.licence'], zero: 'refuse' },
      reason: 'Its licence does not allow it',
    },
  ],
};

describe('the public reason of an entry', () => {
  test('is the reason of a candidate that it refuses', async () => {
    const ranking = await (await createPipeline<Repo>(profile)).rank(repos);
    expect(ranking.refused.map(({ id, by, kind, reason }) => [id, by, kind, reason])).toEqual([
      ['old', 'archived', 'veto', 'Refused: the repository is archived'],
      // A failure has its own reason.
      ['odd', 'archived', 'error', expect.stringContaining('true or false')],
      ['new', 'stars', 'absent', 'Nobody has rated it'],
      ['closed', 'licence', 'veto', 'Its licence does not allow it'],
    ]);
    const explanation = ranking.explain('old');
    expect(explanation.outcome).toMatchObject({ kind: 'refused', reason: 'Refused: the repository is archived' });
    const text = explanationText(explanation);
    expect(text).toContain('archived (veto): Refused: the repository is archived');
    expect(text).toContain('candidate.archived'); // the internal reason is kept too
  });

  test('is used in streams, and with veto_on_first: false', async () => {
    const whole = { ...profile, veto_on_first: false, select: { top: 3 } };
    const { refusedCounts } = await (await createPipeline<Repo>(whole)).rankStream(repos);
    expect(refusedCounts.map(({ examples }) => examples[0]?.reason)).toContain('Refused: the repository is archived');
  });

  test('warns if its entry never refuses', async () => {
    const { warnings } = await createPipeline({
      tier2_scorers: [{ id: 'stars', expr: 'candidate.stars', reason: 'Nobody has rated it' }],
      adjustments: [{ id: 'more', add: 1, reason: 'Its licence does not allow it' }],
    });
    expect(formatProblems(warnings)).toMatchInlineSnapshot(`
      "tier2_scorers[0].reason warning ASZ702 stars never refuses a candidate, so its reason has no effect
        a scorer refuses only with on_absent: refuse
      adjustments[0].reason warning ASZ702 the rule more never refuses a candidate, so its reason has no effect
        a rule refuses with refuse: true, or a table and zero: refuse"
    `);
  });
});
