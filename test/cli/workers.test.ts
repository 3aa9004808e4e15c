import { describe, expect, it } from 'vitest';
import { isBuilt } from '../scale/threads/folder.js';
import { assize, inFolder, TEAM } from './run-here.js';

const REPOS = Array.from({ length: 8000 }, (_, i) =>
  JSON.stringify({
    name: `repo-${i}`,
    stars: i % 7 === 3 ? undefined : (i * 37) % 5000,
    archived: i % 11 === 0,
    pushed_at: `20${10 + (i % 15)}-01-01`,
    about: 'ü'.repeat(60 + (i % 40)),
  }),
).join('\r\n');

inFolder({
  'team.yaml': TEAM,
  'odd.yaml': 'tier2_scorers: [{ id: stars, expr: candidate.stars / 2 + candidate.frks }, { id: one, expr: "1.0" }]',
  'repos.jsonl': REPOS,
  'broken.jsonl': `${REPOS}\n{"name":\n${REPOS}\n[1]\n`,
  'repos.csv': 'name,stars\nalpha,900\n',
  'none.jsonl': '\n',
});

const rank = (...args: readonly string[]): ReturnType<typeof assize> =>
  assize(['rank', '--now', '2026-01-01', ...args]);

describe.skipIf(!isBuilt)('assize rank --workers', () => {
  it.each([
    ['the table', '-p', './team.yaml', 'repos.jsonl'],
    ['the first ones', '-p', './team.yaml', 'repos.jsonl', '--top', '2'],
    [
      'a page by other weights',
      '-p',
      './team.yaml',
      'repos.jsonl',
      '--weight',
      'popularity=1',
      '-n',
      '9',
      '--offset',
      '5',
    ],
    ['those above a score', '-p', './team.yaml', 'repos.jsonl', '--min-score', '0.9'],
    ['a warning', '-p', './odd.yaml', 'repos.jsonl', '--top', '5'],
    ['lines', '-p', './team.yaml', 'repos.jsonl', '--format', 'jsonl'],
    ['lines that cannot be read', '-p', './team.yaml', 'broken.jsonl'],
    ['no candidates', '-p', './team.yaml', 'none.jsonl'],
    ['a file that is not there', '-p', './team.yaml', 'nowhere.jsonl'],
  ])('prints the output of one thread: %s', async (_, ...args) => {
    expect(await rank(...args, '--workers', '2')).toEqual(await rank(...args));
  });

  it('reports if it uses one thread', async () => {
    const errs = await Promise.all(
      [
        ['repos.csv', '-w', '2'],
        ['repos.jsonl', '-w', '2', '--format', 'json'],
      ].map(async (args) => (await rank('-p', './team.yaml', ...args)).err.split('\n')[0]),
    );
    expect(errs).toEqual([
      'one thread: repos.csv is CSV, and only JSON Lines and Parquet are ranked in parts',
      'one thread: --format json lists every candidate',
    ]);
  });

  it.each([
    ['a row a line', 'repos.jsonl', '--format', 'jsonl'],
    ['a list', 'repos.jsonl', '--format', 'json', '--candidates'],
    ['rows among lines that cannot be read', 'broken.jsonl', '--format', 'jsonl'],
    ['a warning', 'repos.jsonl', '--format', 'jsonl', '-p', './odd.yaml'],
    ['by other weights', 'repos.jsonl', '--format', 'jsonl', '--weight', 'freshness=9'],
    ['a table', 'repos.csv'],
  ])('scores as one thread does: %s', async (_, ...args) => {
    const score = async (...more: readonly string[]) =>
      assize(['score', '--now', '2026-01-01', '-p', './team.yaml', ...args, ...more]);
    const shared = await score('-w', '2');
    expect({ ...shared, err: shared.err.replace(/^one thread: .*\n/, '') }).toEqual(await score());
  });

  it('requires a number of at least 1', async () => {
    expect(await rank('-p', './team.yaml', 'repos.jsonl', '--workers', '0')).toMatchObject({ code: 2, out: '' });
  });
});
