import { describe, expect, it } from 'vitest';
import { assize, inFolder, REPOS, TEAM } from '../../run-here.js';

inFolder({ 'team.yaml': TEAM, 'repos.json': JSON.stringify(REPOS) });

const team = ['rank', '--profile', './team.yaml', '--now', '2026-01-01', 'repos.json'];

describe('--format json', () => {
  it('has the documented keys', async () => {
    const { code, out, err } = await assize([...team, '--format', 'json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchInlineSnapshot(`
      {
        "counts": {
          "leftOut": 1,
          "ranked": 4,
          "refused": 1,
          "selected": 3,
        },
        "degraded": [],
        "leftOut": [
          {
            "id": "delta",
            "index": 4,
            "rank": 4,
            "reason": "top",
            "score": 0.02255437614246462,
            "text": "below the top",
          },
        ],
        "profile": "team",
        "ranked": [
          {
            "id": "alpha",
            "index": 0,
            "rank": 1,
            "score": 0.925,
          },
          {
            "id": "beta",
            "index": 1,
            "partial": {
              "of": 2,
              "present": 1,
            },
            "rank": 2,
            "score": 0.4,
          },
          {
            "id": "a-repository-with-a-name-that-is-longer-than-any-table-likes",
            "index": 3,
            "rank": 3,
            "score": 0.215,
          },
          {
            "id": "delta",
            "index": 4,
            "rank": 4,
            "score": 0.02255437614246462,
          },
        ],
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
            "id": "alpha",
            "index": 0,
            "rank": 1,
            "score": 0.925,
          },
          {
            "id": "beta",
            "index": 1,
            "partial": {
              "of": 2,
              "present": 1,
            },
            "rank": 2,
            "score": 0.4,
          },
          {
            "id": "a-repository-with-a-name-that-is-longer-than-any-table-likes",
            "index": 3,
            "rank": 3,
            "score": 0.215,
          },
        ],
        "warnings": [],
      }
    `);
  });

  it('selects so many as --top says, and still has all', async () => {
    const { out } = await assize([...team, '--format', 'json', '--top', '1']);
    expect(JSON.parse(out)).toMatchObject({
      counts: { ranked: 4, selected: 1, leftOut: 3, refused: 1 },
      ranked: [{ rank: 1 }, { rank: 2 }, { rank: 3 }, { rank: 4 }],
      selected: [{ rank: 1 }],
    });
  });

  it('has the candidates where they are asked for', async () => {
    const { out } = await assize([...team, '--format', 'json', '--candidates']);
    expect(JSON.parse(out)).toMatchObject({
      ranked: [{ candidate: REPOS[0] }, {}, {}, {}],
      refused: [{ candidate: REPOS[2] }],
    });
  });

  it('has the warnings, and standard error has none', async () => {
    const stdin = '[{"name":"x","stars":1},{"name":"x","stars":2}]';
    const { out, err } = await assize(['rank', '-p', './team.yaml', '--format', 'json'], { stdin });
    expect(err).toBe('');
    expect(JSON.parse(out)).toMatchObject({
      warnings: expect.arrayContaining([{ code: 'ASZ711', message: '2 candidates have the id x' }]),
    });
  });
});

describe('--format jsonl', () => {
  it('is a line for each of the selected', async () => {
    const { out } = await assize([...team, '--format', 'jsonl']);
    const rows = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rows.map(Object.keys)).toEqual(rows.map(() => ['rank', 'id', 'score', 'candidate']));
    expect(rows.map(({ rank }) => rank)).toEqual([1, 2, 3]);
    expect(rows[0]).toMatchObject({ id: 'alpha', candidate: REPOS[0] });
  });
});
