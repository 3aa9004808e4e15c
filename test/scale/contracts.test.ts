import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput, rankFile, type Ranking, type TopRanking } from 'assize';
import { duckDbEngine, postgresEngine, rankWith } from 'assize/sql';
import { random } from '../bench/random.js';
import { closing } from './sql/digest.js';
import { newFolder } from './threads/folder.js';

interface Row {
  readonly id: string;
  readonly team: number | null;
  readonly needs: string | null;
  readonly tokens: number;
  readonly score: number;
  readonly bad: boolean;
}

const COUNT = 400;
const next = random(3);
const below = (end: number): number => Math.min(end - 1, Math.floor(next() * end));
const rows: readonly Row[] = Array.from({ length: COUNT }, (_, n) => ({
  id: `r${n}`,
  team: next() < 0.4 ? below(60) : null,
  needs: next() < 0.2 ? `r${below(COUNT)}` : null,
  tokens: 1 + below(30),
  score: below(1000) / 1000,
  bad: next() < 0.05,
}));

const profileOf = (pack: Omit<NonNullable<NonNullable<ProfileInput['select']>['pack']>, 'cost'>): ProfileInput => ({
  name: 'teams',
  tier1_scorers: [{ id: 'bad', expr: 'candidate.bad' }],
  tier2_scorers: [{ id: 'value', expr: 'candidate.score' }],
  select: { top: 200, pack: { cost: 'candidate.tokens', budget: 700, class: 'GroupPack', ...pack } },
});

const TOGETHER = profileOf({ keep_together: 'candidate.team' });
const REQUIRED = profileOf({ requires: 'candidate.needs' });
const BOTH = profileOf({ keep_together: 'candidate.team', requires: 'candidate.needs', order: 'input' });
const CASES = [
  ['keep_together', TOGETHER],
  ['requires', REQUIRED],
  ['both', BOTH],
] as const;

const folder = newFolder();
const file = folder.write('rows.jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
let pglite: PGlite;
beforeAll(async () => {
  pglite = await PGlite.create();
  await pglite.exec(
    'CREATE TABLE rows (id text, team float8, needs text, tokens float8, score float8, bad bool, n int PRIMARY KEY)',
  );
  await pglite.query(
    `INSERT INTO rows SELECT j->>'id', (j->>'team')::float8, j->>'needs', (j->>'tokens')::float8,
       (j->>'score')::float8, (j->>'bad')::bool, (n - 1)::int
     FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS a(j, n)`,
    [JSON.stringify(rows)],
  );
});
afterAll(async () => {
  await pglite.close();
});

const packed = ({ selected, budget }: Pick<Ranking<object> | TopRanking<object>, 'selected' | 'budget'>) => ({
  ids: selected.map(({ id }) => id),
  used: budget?.used,
});

const ranked = async (profile: ProfileInput) => {
  const pipeline = await createPipeline<Row>(profile);
  const ranking = await pipeline.rank(rows);
  const chosen = new Set(ranking.selected.map(({ id }) => id));
  expect(chosen.size).toBeGreaterThan(20);
  return { found: packed(ranking), chosen };
};

test('the contracts hold, and change the choice', async () => {
  const { chosen, found } = await ranked(BOTH);
  for (const { id, team, needs } of rows) {
    if (!chosen.has(id)) continue;
    if (needs !== null) expect(chosen).toContain(needs);
    const mates = rows.filter((row) => team !== null && row.team === team);
    expect(mates.filter((mate) => !chosen.has(mate.id))).toEqual([]);
  }
  expect((await ranked(profileOf({ order: 'input' }))).found.ids).not.toEqual(found.ids);
});

describe.each(CASES)('packing with %s', (key, profile) => {
  const paths = key === 'both' ? ['keep_together', 'requires'] : [key];

  test('is refused for a stream, with the reason', async () => {
    const pipeline = await createPipeline<Row>(profile);
    await expect(pipeline.rankStream(rows)).rejects.toMatchObject({
      problems: paths.map((path) => ({
        code: 'ASZ518',
        message: 'profile teams cannot rank a stream: a candidate may belong to one that is not retained',
        path: `select.pack.${path}`,
        hint: 'collect the candidates and call rank',
      })),
    });
  });

  test('of a file with workers reads it into memory, and says why', async () => {
    const ranking = await rankFile(profile, file, {}, { workers: 2 });
    expect(ranking.notices).toEqual([
      'one thread, and all candidates in memory: profile teams cannot rank a stream: a candidate may belong to one that is not retained',
    ]);
    expect(packed(ranking)).toEqual((await ranked(profile)).found);
  });

  test('is the same with a database, which sends every row', async () => {
    const { found } = await ranked(profile);
    const duck = await duckDbEngine([file]);
    const byDuck = await closing(duck, rankWith(profile, duck));
    expect(packed(byDuck)).toEqual(found);
    const postgres = await postgresEngine(pglite, { table: 'rows', orderBy: 'n' });
    const byPostgres = await closing(postgres, rankWith(profile, postgres));
    expect(packed(byPostgres)).toEqual(found);
  });
});

test('shorter versions and an order alone can be packed from a stream and with workers', async () => {
  const profile = profileOf({ order: 'input', variants: '[{"tokens": 1, "share": 0.5}]' });
  const { found } = await ranked(profile);
  const pipeline = await createPipeline<Row>(profile);
  expect(packed(await pipeline.rankStream(rows))).toEqual(found);
  expect(packed(await rankFile(profile, file, {}, { workers: 2 }))).toEqual(found);
  const duck = await duckDbEngine([file]);
  expect(packed(await closing(duck, rankWith(profile, duck)))).toEqual(found);
});
