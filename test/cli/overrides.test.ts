import { type Explanation, explanationParts } from 'assize';
import { describe, expect, it } from 'vitest';
import { assize, inFolder, REPOS, TEAM } from './run-here.js';

inFolder({
  'team.yaml': TEAM,
  'packs.yaml': `${TEAM.replace('top: 3', 'pack: { cost: candidate.stars, budget: 1000, class: GreedyPack }')}plugins: [cupel]\n`,
  'repos.json': JSON.stringify(REPOS),
});

/** Runs a command with the profile team. */
const team = (verb: string, ...args: readonly string[]): ReturnType<typeof assize> =>
  assize([verb, '--profile', './team.yaml', '--now', '2026-01-01', ...args, 'repos.json']);

/** The rows of JSON Lines. */
const rowsOf = (out: string): readonly { readonly id: string; readonly rank: number; readonly score: number }[] =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('weights and limits on the command line', () => {
  it('replace those of the profile', async () => {
    const all = await team('rank', '--format', 'jsonl', '--top', '100');
    expect(rowsOf(all.out).map(({ rank }) => rank)).toEqual([1, 2, 3, 4]);
    const page = await team('rank', '--format', 'jsonl', '--top', '2', '--offset', '2');
    expect(rowsOf(page.out)).toEqual(rowsOf(all.out).slice(2));
    const high = await team('rank', '--format', 'jsonl', '--min-score', '0.9');
    expect(rowsOf(high.out)).toEqual(rowsOf(all.out).slice(0, 1));
    const low = await team('rank', '--format', 'jsonl', '--min-score', '-1');
    expect(rowsOf(low.out)).toHaveLength(3);
  });

  it('can be several weights; the last one of a scorer counts', async () => {
    const weights = ['--weight', 'popularity=7', '--weight', 'freshness=1.5', '--weight', 'popularity=0'];
    const ranked = rowsOf((await team('rank', '--format', 'jsonl', ...weights)).out);
    const scored = rowsOf((await team('score', '--format', 'jsonl', ...weights)).out);
    for (const { id, score } of ranked) expect(scored.find((row) => row.id === id)?.score).toBe(score);
    expect(ranked[0]).toMatchObject({ id: 'alpha', score: 1 });
    const { out } = await assize(
      ['explain', '--profile', './team.yaml', '--now', '2026-01-01', 'alpha', ...weights, '--format', 'json'].concat(
        'repos.json',
      ),
    );
    const { scorers } = explanationParts(JSON.parse(out) as Explanation);
    expect(scorers.map(({ weight }) => weight)).toEqual([0, 1]);
    const compare = ['compare', '--profile', './team.yaml', '--now', '2026-01-01', 'alpha', 'beta'];
    expect((await assize([...compare, '--weight', 'freshness=0', 'repos.json'])).code).toBe(0);
  });

  it('also apply to packing, which has no pages', async () => {
    const pack = ['pack', '--profile', './packs.yaml', '--now', '2026-01-01'];
    const { code, out } = await assize([...pack, '--top', '1', '--format', 'json', 'repos.json']);
    expect([code, (JSON.parse(out) as { selected: unknown[] }).selected.length]).toEqual([0, 1]);
    expect((await assize([...pack, '--offset', '1', 'repos.json'])).err).toContain('unknown option --offset');
    const ranked = await assize(['rank', '--profile', './packs.yaml', '--offset', '1', 'repos.json']);
    expect(ranked).toMatchObject({ code: 2, out: '' });
    expect(ranked.err).toContain('packs.yaml:8:17 error ASZ534 profile packs has select.pack');
  });

  it.each<[verb: string, args: readonly string[], message: string]>([
    ['rank', ['--weight', 'popularty=2'], 'the profile has no scorer popularty\n  did you mean popularity?'],
    ['score', ['--weight', 'archived=2'], 'the profile has no scorer archived'],
    ['rank', ['--weight', 'popularity'], '--weight: expected the id of a scorer, = and a number, found "popularity"'],
    ['rank', ['--weight', 'popularity='], 'found "popularity="'],
    ['rank', ['--weight', 'popularity=much'], 'found "popularity=much"'],
    ['rank', ['--weight', 'popularity=1=2'], 'found "popularity=1=2"'],
    ['rank', ['--weight', 'popularity=-1'], 'popularity is the number -1; expected a number of at least 0'],
    ['rank', ['--weight', 'popularity=0', '--weight', 'freshness=0'], 'all weights are 0'],
    ['rank', ['--min-score', 'high'], '--min-score: expected a number, found "high"'],
    ['rank', ['--offset', '-1'], '--offset: expected a whole number of at least 0, found "-1"'],
    ['rank', ['--offset', '1.5'], '--offset: expected a whole number of at least 0, found "1.5"'],
  ])('%s %j reports a usage error', async (verb, args, message) => {
    const { code, out, err } = await team(verb, ...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
    expect(err).not.toContain('    at ');
  });

  it('are checked before any file is read', async () => {
    const { err } = await assize(['rank', '-p', './team.yaml', '--weight', 'x=1', 'nowhere.json']);
    expect(err).toContain('the profile has no scorer x');
  });
});
