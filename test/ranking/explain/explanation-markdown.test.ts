import { beforeAll, describe, expect, test } from 'vitest';
import { explanationMarkdown, type ProfileInput, type Ranking } from 'assize';
import { rankBy } from '../../properties/ranked.js';

const PROFILE: ProfileInput = {
  name: 'repos',
  tier1_scorers: [
    { id: 'archived', expr: 'candidate.archived' },
    { id: 'huge', expr: 'candidate.size > 5000' },
  ],
  measures: [{ id: 'issues', expr: 'size(candidate.issues)' }],
  tier2_scorers: [
    { id: 'popularity', expr: 'min(candidate.stars / 1000, 1)', weight: 3, label: 'Stars *of* people' },
    {
      id: 'blend',
      class: 'CompositeScorer',
      params: { scorers: [{ expr: 'candidate.stars / 2000', weight: 2 }, { expr: 'candidate.forks' }] },
    },
  ],
  adjustments: [
    { id: 'lift', when: 'measures.issues > 1', add: 0.1, max: 0.9 },
    { id: 'sink', when: 'score > 2', multiply: 0.5 },
  ],
};

const REPOS = [
  { id: 'com_pass', stars: 850, size: 10, archived: false, issues: ['a', 'b'], forks: 1 },
  { id: 'atlas', stars: 2400, archived: true },
  { id: 'low', size: 1 },
];

describe('an explanation as Markdown', () => {
  let ranking: Ranking<object>;
  beforeAll(async () => {
    ranking = await rankBy(PROFILE, REPOS);
  });

  test('has each number, weight, rule and field', () => {
    expect(explanationMarkdown(ranking.explain('com_pass'))).toMatchInlineSnapshot(`
      "**com\\_pass**: 0.8917, 1st of 1, selected (repos)

      - **Vetoes**
        - **archived** passed: candidate.archived
          - archived = false
        - **huge** passed: candidate.size \\> 5000
          - size = 10
      - **Measures**
        - **issues** 2: size(candidate.issues)
          - issues = \\["a","b"\\]
      - **weighted mean** 0.7917
        - **Stars \\*of\\* people** 0.85 × 0.75 = 0.6375: min(candidate.stars / 1000, 1)
          - stars = 850
        - **blend** 0.6167 × 0.25 = 0.1542: weighted mean of 2 scorers
          - **candidate.stars / 2000** 0.425, weight 2
            - stars = 850
          - **candidate.forks** 1, weight 1
            - forks = 1
      - **Rules**
        - **lift** 0.8917: measures.issues \\> 1
          - **+ 0.1** → 0.8917
          - **at most 0.9** → 0.8917
          - measures.issues = 2
        - **sink** not fired: score \\> 2
      "
    `);
  });

  test('says which veto refused, and what was not evaluated', () => {
    expect(explanationMarkdown(ranking.explain('atlas'))).toMatchInlineSnapshot(`
      "**atlas**: refused by archived (repos)

      - **Vetoes**
        - **archived** refused: candidate.archived
          - archived = true
        - **huge** not evaluated: archived refused
      - **Measures**
        - **issues** not evaluated: archived refused
      - **weighted mean**
        - **Stars \\*of\\* people** not evaluated: archived refused
        - **blend** not evaluated: archived refused
      - **Rules**
        - **lift** not evaluated: archived refused
        - **sink** not evaluated: archived refused
      "
    `);
  });

  test('says what is absent', () => {
    expect(explanationMarkdown(ranking.explain('low'))).toMatchInlineSnapshot(`
      "**low**: refused by combine (repos)

      - **Vetoes**
        - **archived**: absent
          - archived is absent
        - **huge** passed: candidate.size \\> 5000
          - size = 1
      - **Measures**
        - **issues**: absent
          - issues is absent
      - **weighted mean**: nothing to combine: unscored; scored on 0 of 2
        - **Stars \\*of\\* people**: absent (on\\_absent: skip)
          - stars is absent
        - **blend**: absent: none of 2 scorers applies (on\\_absent: skip)
          - **candidate.stars / 2000**, weight 2: absent (on\\_absent: skip)
            - stars is absent
          - **candidate.forks**, weight 1: absent (on\\_absent: skip)
            - forks is absent
      - **Rules**
        - **lift** not evaluated: combine refused
        - **sink** not evaluated: combine refused
      "
    `);
  });

  test('of another combine has its numbers', async () => {
    const product = await rankBy({ ...PROFILE, combine: 'geometric_mean' }, REPOS);
    expect(explanationMarkdown(product.explain('com_pass'))).toContain('0.85 ^ 0.75 = ');
    const byFormula = await rankBy(
      { tier2_scorers: [{ id: 'stars', expr: 'candidate.stars / 1000' }], combine: { formula: 'stars * 2 + 0.1' } },
      REPOS,
    );
    expect(explanationMarkdown(byFormula.explain('com_pass'))).toContain(String.raw`**formula** 1.8: stars \* 2 + 0.1`);
  });

  test('has no text that Markdown would read', async () => {
    const odd = await rankBy({ tier2_scorers: [{ id: 'n', expr: 'candidate["- n"]' }] }, [{ id: '*a*', '- n': 1 }]);
    const text = explanationMarkdown(odd.explain('*a*'));
    expect(text).toContain(String.raw`**\*a\***`);
    expect(text).not.toMatch(/^ *- -/m);
  });
});
