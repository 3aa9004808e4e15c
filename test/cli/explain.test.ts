import { describe, expect, it } from 'vitest';
import { assize, inFolder, REPOS, TEAM } from './run-here.js';

inFolder({
  'team.yaml': TEAM,
  'repos.json': JSON.stringify(REPOS),
  'strategies.yaml':
    'strategies: [{ id: ask, depth: 3 }, { id: close, depth: 1 }]\ntier2_scorers: [{ id: depth, expr: candidate.strategy.depth }]',
});

const team = ['explain', '--profile', './team.yaml', '--now', '2026-01-01'];

describe('assize explain', () => {
  it('writes Markdown', async () => {
    const { code, out } = await assize([...team, 'beta', 'repos.json', '--format', 'markdown']);
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "**beta**: 0.4, 2nd of 4, selected (team)

      - **Vetoes**
        - **archived** passed: candidate.archived
          - archived = false
      - **weighted mean** 0.4: scored on 1 of 2: weights × 1.333
        - **popularity** 0.4 × 1 = 0.4: min(candidate.stars / 1000, 1)
          - stars = 400
        - **freshness**: absent: pushed\\_at is absent (on\\_absent: skip)
          - pushed\\_at is absent
      "
    `);
    const refused = await assize([...team, 'beta', 'repos.json', '--format', 'markdown', '--to', 'win']);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--to has no output in markdown')]);
    const compared = await assize(['compare', ...team.slice(1), 'alpha', 'beta', 'repos.json', '--format', 'markdown']);
    expect([compared.code, compared.err]).toEqual([2, expect.stringContaining('expected text or json')]);
  });

  it('answers what would make a candidate win', async () => {
    const { code, out } = await assize([...team, 'beta', 'repos.json', '--to', 'win']);
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "beta: 0.4, 2nd of 4, selected (team)
        first now: alpha

      beta would be first with any one of these changes
        stars 926 or more (is 400)

      Each change was applied, and the candidates were ranked again: 95 runs. Not
      enough on their own: archived, pushed_at, the weight of popularity, the weight
      of freshness.
      "
    `);
    const json = await assize([...team, 'beta', 'repos.json', '--to', 'selected', '--format', 'json']);
    expect(JSON.parse(json.out)).toMatchObject({ id: 'beta', goal: 'selected', reached: true, fields: [] });
    const wrong = await assize([...team, 'beta', 'repos.json', '--to', 'lose']);
    expect({ code: wrong.code, err: wrong.err.includes('win') }).toEqual({ code: 2, err: true });
  });

  it('shows how a score was computed', async () => {
    const { code, out, err } = await assize([...team, 'beta', 'repos.json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatchInlineSnapshot(`
      "beta: 0.4, 2nd of 4, selected (team)

        scorer         raw  × weight  = adds  why
        popularity     0.4         1     0.4  min(candidate.stars / 1000, 1)
                                              stars = 400
        freshness      –           –     –    absent: pushed_at is absent (on_absent:
                                              skip)
        weighted mean                    0.4  scored on 1 of 2: weights × 1.333

      Vetoes passed: archived
      "
    `);
  });

  it('names the veto that refused a candidate', async () => {
    expect((await assize([...team, 'gamma', 'repos.json'])).out).toMatchInlineSnapshot(`
      "gamma: refused by archived (team)
        archived (veto): candidate.archived

      Vetoes
        archived  refused  candidate.archived
                           archived = true

      Not evaluated
        scorers popularity, freshness (archived refused)
      "
    `);
  });

  it('prints the tree as JSON', async () => {
    const { out } = await assize([...team, '--format', 'json', 'alpha', 'repos.json']);
    expect(JSON.parse(out)).toMatchObject({
      profile: 'team',
      id: 'alpha',
      outcome: { kind: 'ranked', rank: 1, selected: 'score' },
      kind: 'candidate',
      details: [
        { id: 'veto' },
        {
          kind: 'combine',
          id: 'weighted_mean',
          details: [
            {
              id: 'popularity',
              raw: 0.9,
              share: 0.75,
              details: [{ kind: 'field', id: 'candidate.stars', value: 900 }],
            },
            {},
          ],
        },
        { id: 'select' },
      ],
    });
  });

  it('uses colours on a terminal', async () => {
    const { out } = await assize([...team, 'alpha', 'repos.json'], { terminal: 80 });
    expect(out).toContain('\u001b[1malpha: ');
  });

  it('explains generated candidates, and candidates from standard input', async () => {
    const made = await assize(['explain', '-p', './strategies.yaml', 'close/close', '--generate']);
    expect(made.out).toContain('close/close: 1, 2nd of 2, selected');
    const piped = await assize([...team, 'alpha', '-'], { stdin: JSON.stringify(REPOS) });
    expect(piped.out).toContain('alpha: 0.925, 1st of 4');
  });

  it('reports an unknown id', async () => {
    expect(await assize([...team, 'aplha', 'repos.json'])).toMatchInlineSnapshot(`
      {
        "code": 1,
        "err": "error ASZ504 no candidate has the id aplha
        did you mean alpha?
      ",
        "out": "",
      }
    `);
  });

  it('reports that there are no candidates, and how to provide them', async () => {
    expect(await assize([...team, 'alpha'], { stdin: '' })).toEqual({
      code: 1,
      out: '',
      err: `warning ASZ717 there are no candidates in stdin
  name a file, or pipe them in
error ASZ504 no candidate has the id alpha
  there are no candidates
`,
    });
  });

  it.each([
    ['no id', ['explain', '--profile', './team.yaml']],
    ['no profile', ['explain', 'alpha', 'repos.json']],
  ])('is called incorrectly: %s', async (_, args) => {
    const { code, out, err } = await assize(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^error ASZ601 /);
  });
});
