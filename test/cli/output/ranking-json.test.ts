import { describe, expect, it } from 'vitest';
import { assize, inFolder, REPOS, TEAM } from '../run-here.js';

inFolder({
  'team.yaml': TEAM,
  'repos.json': JSON.stringify(REPOS),
  // Every kind of term: a case, a skipped scorer, a failed scorer, one that does not take part in the run, a rule.
  'terms.yaml': `candidate: { id: name }
tier2_scorers:
  - { id: popularity, expr: 'min(candidate.stars / 1000, 1)', weight: 3 }
  - { id: downloads, expr: candidate.downloads / 100, on_absent: 0.5 }
  - { id: rating, expr: candidate.rating, on_error: skip }
  - { id: nearby, expr: candidate.stars, when: context.place == "here" }
weights: { by: candidate.kind, cases: { library: { popularity: 1 } } }
adjustments: [{ id: young, when: candidate.stars < 500, multiply: 0.5, add: 0.1 }]
`,
  'kinds.jsonl': [
    { name: 'alpha', stars: 900, downloads: 30, rating: 0.7 },
    { name: 'beta', stars: 400, kind: 'library', rating: 0.1 },
    { name: 'gamma', stars: 100, downloads: 20, rating: 'good' },
  ]
    .map((row) => JSON.stringify(row))
    .join('\n'),
});

const team = ['rank', '--profile', './team.yaml', '--now', '2026-01-01', 'repos.json'];

describe('--format json', () => {
  it('has the documented keys', async () => {
    const { code, out, err } = await assize([...team, '--format', 'json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchInlineSnapshot(`
      {
        "counts": {
          "not_selected": 1,
          "ranked": 4,
          "refused": 1,
          "selected": 3,
        },
        "degraded": [],
        "not_selected": [
          {
            "contributions": {
              "freshness": 0.000054376142464620344,
              "popularity": 0.0225,
            },
            "id": "delta",
            "index": 4,
            "rank": 4,
            "reason": "top",
            "score": 0.02255437614246462,
            "scores": {
              "freshness": 0.00021750456985848138,
              "popularity": 0.03,
            },
            "text": "below the top",
          },
        ],
        "profile": "team",
        "refused": [
          {
            "by": "archived",
            "id": "gamma",
            "index": 2,
            "kind": "veto",
            "reason": "candidate.archived",
          },
        ],
        "report": {},
        "selected": [
          {
            "contributions": {
              "freshness": 0.25,
              "popularity": 0.675,
            },
            "id": "alpha",
            "index": 0,
            "rank": 1,
            "score": 0.925,
            "scores": {
              "freshness": 1,
              "popularity": 0.9,
            },
          },
          {
            "contributions": {
              "freshness": null,
              "popularity": 0.4,
            },
            "id": "beta",
            "index": 1,
            "partial": {
              "of": 2,
              "present": 1,
            },
            "rank": 2,
            "score": 0.4,
            "scores": {
              "freshness": null,
              "popularity": 0.4,
            },
            "states": {
              "freshness": "absent",
            },
            "weights": {
              "freshness": null,
              "popularity": 1,
            },
          },
          {
            "contributions": {
              "freshness": 0.125,
              "popularity": 0.09,
            },
            "id": "a-repository-with-a-name-that-is-longer-than-any-table-likes",
            "index": 3,
            "rank": 3,
            "score": 0.215,
            "scores": {
              "freshness": 0.5,
              "popularity": 0.12,
            },
          },
        ],
        "warnings": [],
        "weights": {
          "freshness": 0.25,
          "popularity": 0.75,
        },
      }
    `);
  });

  it('selects as many as --top states, and still has all', async () => {
    const { out } = await assize([...team, '--format', 'json', '--top', '1']);
    expect(JSON.parse(out)).toMatchObject({
      counts: { ranked: 4, selected: 1, not_selected: 3, refused: 1 },
      not_selected: [{ rank: 2 }, { rank: 3 }, { rank: 4 }],
      selected: [{ rank: 1 }],
    });
  });

  it('has the candidates if requested', async () => {
    const { out } = await assize([...team, '--format', 'json', '--candidates']);
    expect(JSON.parse(out)).toMatchObject({
      selected: expect.arrayContaining([expect.objectContaining({ candidate: REPOS[0] })]) as unknown[],
      refused: [{ candidate: REPOS[2] }],
    });
  });

  it('has the warnings, and standard error has none', async () => {
    const stdin = '[{"name":"x","stars":1},{"name":"x","stars":2}]';
    const { out, err } = await assize(['rank', '-p', './team.yaml', '--format', 'json'], { stdin });
    expect(err).toBe('');
    expect(JSON.parse(out)).toMatchObject({
      warnings: expect.arrayContaining([
        { severity: 'warning', code: 'ASZ711', message: '2 candidates have the id x: @0, @1' },
      ]),
    });
  });
});

describe('--format jsonl', () => {
  it('has a line for each selected candidate', async () => {
    const { out } = await assize([...team, '--format', 'jsonl']);
    const rows = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(Object.keys(rows[0] ?? {})).toEqual([
      'rank',
      'id',
      'index',
      'score',
      'scores',
      'weights',
      'contributions',
      'candidate',
    ]);
    expect(rows.map(({ rank }) => rank)).toEqual([1, 2, 3]);
    expect(rows[0]).toMatchObject({ id: 'alpha', candidate: REPOS[0] });
  });
});

describe('the parts of a score', () => {
  const terms = ['-p', './terms.yaml', 'kinds.jsonl', '--now', '2026-01-01', '--format'];
  const linesOf = (out: string) =>
    out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('are in each line', async () => {
    const { out } = await assize(['score', ...terms, 'jsonl']);
    expect(out).toMatchInlineSnapshot(`
      "{"id":"alpha","index":0,"score":0.7400000000000001,"scores":{"popularity":0.9,"downloads":0.3,"rating":0.7,"nearby":null},"states":{"nearby":"not_evaluated"},"weights":{"popularity":0.6,"downloads":0.2,"rating":0.2,"nearby":null},"contributions":{"popularity":0.54,"downloads":0.06,"rating":0.13999999999999999,"nearby":null},"combined":0.7400000000000001,"rules":[]}
      {"id":"beta","index":1,"score":0.21666666666666667,"scores":{"popularity":0.4,"downloads":0.5,"rating":0.1,"nearby":null},"states":{"downloads":"absent","nearby":"not_evaluated"},"case":"library","weights":{"popularity":0.3333333333333333,"downloads":0.3333333333333333,"rating":0.3333333333333333,"nearby":null},"contributions":{"popularity":0.13333333333333333,"downloads":0.16666666666666666,"rating":0.03333333333333333,"nearby":null},"combined":0.3333333333333333,"rules":[{"id":"young","add":0.1,"multiply":0.5,"score":0.21666666666666667}]}
      {"id":"gamma","index":2,"score":0.1125,"partial":{"present":2,"of":3},"scores":{"popularity":0.1,"downloads":0.2,"rating":null,"nearby":null},"states":{"rating":"failed","nearby":"not_evaluated"},"weights":{"popularity":0.75,"downloads":0.25,"rating":null,"nearby":null},"contributions":{"popularity":0.07500000000000001,"downloads":0.05,"rating":null,"nearby":null},"combined":0.125,"rules":[{"id":"young","add":0.1,"multiply":0.5,"score":0.1125}]}
      "
    `);
  });

  it('are the same with several threads', async () => {
    const numbers = ({ id, score, scores, states, weights, contributions, combined, rules }: Record<string, unknown>) =>
      JSON.stringify({ id, score, scores, states, weights, contributions, combined, rules });
    const scored = linesOf((await assize(['score', ...terms, 'jsonl'])).out);
    const ranked = linesOf((await assize(['rank', ...terms, 'jsonl'])).out);
    expect(ranked.map(numbers).toSorted()).toEqual(scored.map(numbers).toSorted());
    const threads = await assize(['score', ...terms, 'jsonl', '--workers', '2']);
    expect(linesOf(threads.out)).toEqual(scored);
    const top = await assize(['rank', ...terms, 'jsonl', '--workers', '2', '--top', '2']);
    expect(linesOf(top.out)).toEqual(ranked.slice(0, 2));
  });

  it('are in the json, with weights once, and in a row only if they differ', async () => {
    const { out } = await assize(['rank', ...terms, 'json', '--top', '2']);
    const {
      weights,
      selected,
      not_selected: others,
    } = JSON.parse(out) as Record<string, readonly Record<string, unknown>[]>;
    expect(weights).toEqual({ popularity: 0.6, downloads: 0.2, rating: 0.2, nearby: null });
    expect([...selected!, ...others!].map((row) => row['weights'])).toEqual([
      undefined,
      { popularity: 1 / 3, downloads: 1 / 3, rating: 1 / 3, nearby: null },
      { popularity: 0.75, downloads: 0.25, rating: null, nearby: null },
    ]);
    expect(others?.map(({ id, reason }) => [id, reason])).toEqual([['gamma', 'top']]);
  });
});
