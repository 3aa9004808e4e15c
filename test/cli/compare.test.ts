import { describe, expect, it } from 'vitest';
import { assize, inFolder, REPOS, TEAM } from './run-here.js';

inFolder({
  'team.yaml': TEAM,
  'repos.json': JSON.stringify(REPOS),
  'strategies.yaml':
    'strategies: [{ id: ask, depth: 3 }, { id: close, depth: 1 }]\ntier2_scorers: [{ id: depth, expr: candidate.strategy.depth }]',
});

const team = ['compare', '--profile', './team.yaml', '--now', '2026-01-01'];

describe('assize compare', () => {
  it('explains why one comes before another, and what would reverse their order', async () => {
    const { code, out, err } = await assize([...team, 'beta', 'alpha', 'repos.json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatchInlineSnapshot(`
      "alpha beats beta by 0.525: 0.925 against 0.4 (team)

        scorer         beta  alpha      weight  difference  favours
        popularity      0.4  0.9    1 and 0.75      −0.275  alpha
        freshness       –    1            0.25      −0.25   alpha
        weighted mean   0.4  0.925                  −0.525

      beta would win if
        stars 926 or more (is 400)
      "
    `);
  });

  it('names the veto that refused one of them', async () => {
    expect((await assize([...team, 'gamma', 'alpha', 'repos.json'])).out).toMatchInlineSnapshot(`
      "alpha comes before gamma, which was refused: no score decides (team)
        gamma: refused by archived (veto): candidate.archived
        alpha: 0.925, 1st of 4, selected

      gamma would not win without archived
        gamma: 0.7518, 2nd of 5, selected
        alpha: 0.925, 1st of 5, selected
      "
    `);
  });

  it('prints the tree as JSON', async () => {
    const { out } = await assize([...team, '--format', 'json', 'alpha', 'beta', 'repos.json']);
    expect(JSON.parse(out)).toMatchObject({
      profile: 'team',
      a: { id: 'alpha' },
      ahead: 'a',
      decided_by: 'score',
      terms: [{ id: 'popularity', favours: 'a' }, { id: 'freshness' }],
      flips: {
        behind: 'b',
        fields: [
          { field: 'archived', state: 'none' },
          { field: 'stars', state: 'flips', to: 926, threshold: 925, beyond: 'more' },
          { field: 'pushed_at', state: 'none', certain: true },
        ],
      },
    });
  });

  it('uses colours on a terminal', async () => {
    const { out } = await assize([...team, 'alpha', 'beta', 'repos.json'], { terminal: 80 });
    expect(out).toContain('\u001b[1malpha beats beta');
  });

  it('compares generated candidates, and candidates from standard input', async () => {
    const made = await assize(['compare', '-p', './strategies.yaml', 'close/close', 'ask/ask', '--generate']);
    expect(made.out).toContain('ask/ask beats close/close by 2: 3 against 1');
    const piped = await assize([...team, 'alpha', 'beta', '-'], { stdin: JSON.stringify(REPOS) });
    expect(piped.out).toContain('alpha beats beta');
  });

  it.each([
    ['an id is unknown', ['alpha', 'bota', 'repos.json'], 'ASZ504 no candidate has the id bota\n  did you mean beta?'],
    ['both are one', ['alpha', 'alpha', 'repos.json'], 'ASZ507 alpha is compared with itself'],
  ])('reports that %s', async (_, args, message) => {
    const { code, out, err } = await assize([...team, ...args]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
  });

  it.each([
    ['one id', [...team, 'alpha']],
    ['no profile', ['compare', 'alpha', 'beta', 'repos.json']],
  ])('is called incorrectly: %s', async (_, args) => {
    const { code, out, err } = await assize(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^error ASZ601 /);
  });
});
