import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

/** Sorted by the group: groups of 1 to 60 rows, one without a value, and one that is larger than a part of a thread. */
const GROUPED = Array.from({ length: 350 }, (_, g) =>
  Array.from({ length: g === 200 ? 3000 : 1 + ((g * 37) % 60) }, (_row, k) => ({
    shop: g === 10 ? undefined : `${g} 🦊`,
    id: k % 9 === 0 ? '"ä"' : `d${k}`,
    stars: k % 7 === 3 ? undefined : (k * 37 + g) % 50,
    archived: (g + k) % 11 === 0,
    lang: g % 2 ? 'en' : 'de',
    about: 'ü'.repeat(30 + (k % 10)),
  })),
).flat();
const lines = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join('\n');

inFolder({
  'grouped.jsonl': lines(GROUPED),
  'grouped-broken.jsonl': `${lines(GROUPED)}\n{"shop":\n[1]\n`,
  'grouped-list.jsonl': lines(GROUPED.with(11_000, { ...GROUPED[11_000]!, shop: '[1]' })).replace('"[1]"', '[1]'),
  'grouped-twice.jsonl': lines([...GROUPED, ...GROUPED.slice(0, 3)]),
  'grouped-failing.jsonl': lines(GROUPED.with(11_000, { ...GROUPED[11_000]!, stars: -1 })),
  'shops.jsonl': lines(Array.from({ length: 350 }, (_, g) => ({ id: g === 10 ? 'null' : `${g} 🦊`, most: g % 40 }))),
  'shop.yaml':
    'tier1_scorers: [{ id: archived, expr: candidate.archived }]\ntier2_scorers: [{ id: stars, expr: candidate.stars / 50 }]\nselect: { top: 3 }',
  'context.yaml': `tier2_scorers:
  - { id: near, expr: '1.0 / (1.0 + abs(candidate.stars - context.most))' }
  - { id: lang, expr: 'context.lang == "en" ? 1.0 : 0.5' }
  - { id: scaled, class: ScaledScorer, params: { scorer: { expr: candidate.stars } } }
select: { top: 2 }`,
  'failing.yaml':
    'tier2_scorers: [{ id: stars, expr: 10 / (candidate.stars + 1.0), on_error: fail }]\nselect: { top: 3 }',
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

describe.skipIf(!isBuilt)('assize rank --partition-by --workers', () => {
  const groups = (...args: readonly string[]) => rank('--partition-by', 'shop', ...args);
  /** The output of one thread or several, and the bytes of the table. */
  const table = async (file: string, ...args: readonly string[]) => {
    const { code, out, err } = await groups(...args, '--output', file, '--replace');
    return { code, out, err, bytes: existsSync(file) && readFileSync(file) };
  };

  it.each([
    ['texts', '-p', './shop.yaml', 'grouped.jsonl'],
    ['lines', '-p', './shop.yaml', 'grouped.jsonl', '--format', 'jsonl'],
    ['contexts', '-p', './context.yaml', 'grouped.jsonl', '--queries', 'shops.jsonl', '--context-from', 'lang'],
    ['a second table without a group', '-p', './context.yaml', 'grouped.jsonl', '--queries', 'none.jsonl'],
    ['a field without a value', '-p', './shop.yaml', 'grouped.jsonl', '--context-from', 'lnag'],
    ['lines that cannot be read', '-p', './shop.yaml', 'grouped-broken.jsonl'],
    ['a list as the group', '-p', './shop.yaml', 'grouped-list.jsonl', '--format', 'jsonl'],
    ['a group that appears again', '-p', './shop.yaml', 'grouped-twice.jsonl', '--format', 'jsonl'],
    ['a candidate that fails', '-p', './failing.yaml', 'grouped-failing.jsonl', '--format', 'jsonl'],
  ])('prints the output of one thread: %s', async (_, ...args) => {
    const one = await groups(...args);
    expect(await groups(...args, '--workers', '2')).toEqual(one);
    expect(one.out.length + one.err.length).toBeGreaterThan(0);
  });

  it.each(['best.parquet', 'best.csv', 'best.jsonl'])('writes the bytes of one thread: %s', async (file) => {
    for (const args of [
      ['-p', './shop.yaml'],
      ['-p', './shop.yaml', '--all'],
      ['-p', './context.yaml', '--queries', 'shops.jsonl'],
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- the same file
      const one = await table(file, ...args, 'grouped.jsonl');
      // oxlint-disable-next-line no-await-in-loop
      expect(await table(file, ...args, 'grouped.jsonl', '--workers', '2')).toEqual(one);
    }
  });

  it('sorts rows that are not grouped, in one thread', async () => {
    const one = await table('sorted.csv', '-p', './shop.yaml', 'grouped-twice.jsonl');
    const several = await table('sorted.csv', '-p', './shop.yaml', 'grouped-twice.jsonl', '--workers', '2');
    expect(several.err).toContain('sorting them with DuckDB, and ranking them in one thread\n');
    expect({ ...several, err: several.err.replace(', and ranking them in one thread', '') }).toEqual(one);
    expect(one).toMatchObject({ code: 0, err: expect.stringContaining('sorting them with DuckDB\n') as string });
  });

  it('reports if it uses one thread', async () => {
    const { err } = await groups(
      '-p',
      './shop.yaml',
      '--workers',
      '2',
      '--output',
      'x.csv',
      '--replace',
      '--sort',
      'grouped.jsonl',
    );
    expect(err).toBe('one thread: DuckDB sorts the rows\n');
    expect((await rank('-p', './team.yaml', 'repos.csv', '--partition-by', 'name', '-w', '2')).err).toContain(
      'one thread: repos.csv is CSV, and only JSON Lines and Parquet are ranked in parts\n',
    );
  });

  it('leaves no unfinished file after an error', async () => {
    const before = readdirSync('.');
    expect(await groups('-p', './failing.yaml', 'grouped-failing.jsonl', '-w', '2', '-o', 'new.parquet')).toMatchObject(
      { code: 1 },
    );
    expect(readdirSync('.')).toEqual(before);
  });
});
