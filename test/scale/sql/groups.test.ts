import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { AssizeError, type Context, createPipeline, type ProfileInput } from 'assize';
import { duckDbEngine, postgresEngine, rankGroupsWith, type SqlEngine } from 'assize/sql';
import { groupText, type GroupKey } from '../../../src/data/index.js';
import { readCandidateChunks } from '../../../src/data/node.js';
import { rankPartitionChunks } from '../../../src/pipeline/index.js';
import type { RankingResult } from '../../../src/ranking/index.js';
import { rankCompiledGroups } from '../../../src/scale/sql/index.js';
import { openProfile } from '../../../src/pipeline/node.js';
import { hasPostgres } from '../../machine/postgres.js';
import { postgresDatabases } from '../../machine/postgres-databases.js';
import { graphOf } from '../../plugins/agentcards/rank.js';
import { scenario } from '../../plugins/interview/scenario.js';
import { temporaryFolder } from '../../temporary-folder.js';
import { writeLines } from './generated-rows.js';
import { adjacent, fillGrouped, GROUPED_PROFILES, groupedRows, writeGrouped } from './grouped-rows.js';

const CONTEXT = { now: '2026-03-05' };
const folder = temporaryFolder('assize-groups-');
const file = (name: string): string => join(folder, name);
const databases = postgresDatabases();

interface Group {
  readonly group: GroupKey;
  readonly ranking: RankingResult<object>;
}

/** The part of a group's ranking that every engine guarantees, with the bits of the scores. */
async function digests(
  groups: AsyncIterable<Group | object>,
): Promise<readonly (readonly [group: string, facts: unknown])[]> {
  const found: (readonly [string, unknown])[] = [];
  for await (const one of groups) {
    if (!('ranking' in one)) throw new TypeError('groups were ranked together');
    const { group, ranking } = one;
    const { counts, refusedCounts, selected } = ranking;
    const refused = refusedCounts.map(({ by, kind, count }) => `${by} ${kind} ${count}`).toSorted();
    const rows = selected.map(({ id, index, rank, score = Number.NaN, partial, because }) => {
      return { id, index, rank, bits: Buffer.from(Float64Array.of(score).buffer).toString('hex'), partial, because };
    });
    found.push([`${typeof group} ${groupText(group)}`, { counts, refused, rows }]);
  }
  return found;
}

async function byObjects(profile: ProfileInput, rows: readonly object[], by: string, context: Context = CONTEXT) {
  const pipeline = await createPipeline<object>(profile);
  return digests(pipeline.rankPartitions(adjacent(rows, by), context, { by }));
}

/** Ranks with an engine, and returns its notices in front of the groups. */
async function byEngine(opening: Promise<SqlEngine>, profile: ProfileInput, by: string, context: Context = CONTEXT) {
  const engine = await opening;
  const notices: string[] = [];
  try {
    const { compiled } = await openProfile(profile, {});
    const options = { by, context, notice: (text: string) => notices.push(text) };
    return { groups: await digests(rankCompiledGroups(engine, compiled, options)), notices };
  } finally {
    await engine.close();
  }
}

const onServer = hasPostgres() ? '' : ' (PostgreSQL is skipped: it is not installed)';

describe(`each group ranks the same in every engine${onServer}`, () => {
  const rows = groupedRows(600);
  const typed = rows.map((row) => ({ ...row, made: row.made === null ? null : new Date(row.made) }));
  beforeAll(async () => {
    await writeGrouped(rows, (ending) => file(`rows.${ending}`));
    for (const by of ['shop', 'number', 'share', 'sold', 'made'] as const)
      await writeGrouped(adjacent(rows, by), (ending) => file(`by-${by}.${ending}`)); // oxlint-disable-line no-await-in-loop
    const columns = Object.keys(rows[0]!) as (keyof (typeof rows)[number])[];
    const lines = rows.map((row) => columns.map((column) => row[column] ?? '').join(','));
    writeFileSync(file('rows.csv'), `${[columns.join(','), ...lines].join('\n')}\n`);
    for (const [, to] of databases) await fillGrouped(to, 'grouped', rows); // oxlint-disable-line no-await-in-loop
  });

  test.each(GROUPED_PROFILES)('$name', async (profile) => {
    const expected = await byObjects(profile, rows, 'shop');
    expect(expected).toHaveLength(9);
    const pipeline = await createPipeline<object>(profile);
    const columns = readCandidateChunks(file('by-shop.parquet'), {}, 'parquet');
    expect(await digests(rankPartitionChunks(pipeline, columns, CONTEXT, { by: 'shop' }))).toEqual(expected);
    const ways: Record<string, Promise<SqlEngine>> = {
      'adjacent Parquet': duckDbEngine([file('by-shop.parquet')]),
      ...Object.fromEntries(
        ['parquet', 'jsonl', 'csv'].map((ending) => [ending, duckDbEngine([file(`rows.${ending}`)])]),
      ),
    };
    for (const [name, to] of databases) ways[name] = postgresEngine(to, { table: 'grouped', orderBy: 'id' });
    for (const [name, opening] of Object.entries(ways)) {
      const { groups, notices } = await byEngine(opening, profile, 'shop'); // oxlint-disable-line no-await-in-loop
      expect(groups, name).toEqual(expected);
      expect(
        notices.filter((notice) => notice.includes('ranks all rows')),
        name,
      ).toEqual([]);
    }
  });

  test.each(['number', 'share', 'sold', 'made'] as const)('by the column %s of another type', async (by) => {
    const profile = GROUPED_PROFILES[1]!;
    const expected = await byObjects(profile, typed, by);
    expect((await byEngine(duckDbEngine([file('rows.parquet')]), profile, by)).groups).toEqual(expected);
    expect((await byEngine(duckDbEngine([file(`by-${by}.parquet`)]), profile, by)).groups).toEqual(expected);
    const asJson = await byObjects(profile, rows, by);
    expect((await byEngine(duckDbEngine([file('rows.jsonl')]), profile, by)).groups).toEqual(asJson);
    for (const [, to] of databases) {
      const opening = postgresEngine(to, { table: 'grouped', orderBy: 'id' });
      expect((await byEngine(opening, profile, by)).groups).toEqual(expected); // oxlint-disable-line no-await-in-loop
    }
  });
});

describe(`keys, ids and groups of other types in PostgreSQL${onServer}`, () => {
  const many = groupedRows(300).map(({ id, number, made, ...row }) => ({
    ...row,
    // Not in the order of the rows.
    key: `${((id * 7919) % 65536).toString(16).padStart(8, '0')}-0000-4000-8000-${String(id).padStart(12, '0')}`,
    code: number === null ? null : number + 0.25,
    maker: number === null ? null : `00000000-0000-4000-8000-00000000000${number + 2}`,
    at: made === null ? null : new Date(made),
  }));
  const rows = many.toSorted((x, y) => (x.key < y.key ? -1 : 1));
  const relative: ProfileInput = {
    candidate: { id: 'key' },
    tier2_scorers: [
      { id: 'votes', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.votes' } }, on_absent: 0 },
      { id: 'code', expr: 'candidate.code / 10', on_absent: 0 },
    ],
    select: { top: 3 },
  };

  test.each(['maker', 'code', 'at'] as const)('by %s', async (by) => {
    for (const [, to] of databases) {
      // oxlint-disable no-await-in-loop -- one connection
      await to.query('DROP TABLE IF EXISTS keyed');
      await to.query(
        'CREATE TABLE keyed (key uuid PRIMARY KEY, shop text, share float8, sold boolean, stars numeric(5,2), votes int, title text, code numeric, maker uuid, at timestamptz)',
      );
      await to.query('INSERT INTO keyed SELECT * FROM jsonb_populate_recordset(NULL::keyed, $1::jsonb)', [
        JSON.stringify(rows),
      ]);
      for (const profile of [relative, { ...GROUPED_PROFILES[0]!, candidate: { id: 'key' } }]) {
        const { groups, notices } = await byEngine(postgresEngine(to, { table: 'keyed', orderBy: 'key' }), profile, by);
        expect(notices).toEqual([]);
        expect(groups).toEqual(await byObjects(profile, rows, by));
      }
      // oxlint-enable no-await-in-loop
    }
  });
});

/** The candidates of a preset, and their context. */
const PRESETS: readonly (readonly [
  name: string,
  profile: ProfileInput,
  rows: () => Promise<readonly object[]>,
  Context,
])[] = [
  ['knowledgepulse', { extends: ['knowledgepulse'] }, async () => traces(), CONTEXT],
  ['knowledgepulse with a limit', { extends: ['knowledgepulse'], select: { top: 2 } }, async () => traces(), CONTEXT],
  ['trace-quality', { extends: ['trace-quality'], select: { top: 3 } }, async () => traces(), CONTEXT],
  ['interview', { extends: ['interview'] }, moves, scenario()],
  ['interview-extended', { extends: ['interview-extended'], select: { top: 2 } }, moves, scenario()],
  ...['chat', 'debugging', 'rag', 'tool-use'].map(
    (name) => [name, { extends: [name], select: { top: 5 } }, async () => items(), CONTEXT] as const,
  ),
  [
    'next-tool',
    { extends: ['next-tool'], select: { top: 2 } },
    async () => tools(),
    { tools: ['git'], graph: graphOf('git > install', 'install > test', 'test > deploy', 'lonely') },
  ],
];

const traces = (): readonly object[] =>
  readFileSync(new URL('../../fixtures/knowledgepulse/traces.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);

async function moves(): Promise<readonly object[]> {
  const pipeline = await createPipeline('interview');
  const { ranked, refused } = await pipeline.rank(undefined, scenario());
  return JSON.parse(JSON.stringify([...ranked, ...refused].map(({ candidate }) => candidate))) as readonly object[];
}

const items = (): readonly object[] =>
  Array.from({ length: 60 }, (_, k) => ({
    id: `item ${k}`,
    content: `${'words '.repeat(1 + (k % 7))}é`,
    kind: ['Message', 'Memory', 'Document', 'ToolOutput'][k % 4],
    ...(k % 5 > 0 && { timestamp: 1_700_000_000_000 + (k % 11) * 1000 }),
    priority: k % 3,
    tags: k % 2 === 0 ? ['a', 'É'] : ['b'],
    future_relevance_hint: (k % 10) / 10,
    tokens: 3 + (k % 6),
  }));

const tools = (): readonly object[] => ['git', 'install', 'test', 'deploy', 'lonely'].map((id) => ({ id, name: id }));

describe(`presets rank the same in every engine${onServer}`, () => {
  test.each(PRESETS)('%s', async (name, profile, rowsOf, context) => {
    const rows = (await rowsOf()).map((row, nr) => ({ ...row, nr, query: ['é', 'b', null][nr % 3] }));
    const expected = await byObjects(profile, rows, 'query', context);
    const lines = file(`preset-${name}.jsonl`);
    await writeLines(lines, rows);
    expect((await byEngine(duckDbEngine([lines]), profile, 'query', context)).groups).toEqual(expected);
    const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    for (const [, to] of databases) {
      const types = fields.map((field) => `"${field}" ${field === 'nr' ? 'int PRIMARY KEY' : 'jsonb'}`);
      // oxlint-disable no-await-in-loop -- one connection
      await to.query('DROP TABLE IF EXISTS preset');
      await to.query(`CREATE TABLE preset (${types.join(', ')})`);
      await to.query('INSERT INTO preset SELECT * FROM jsonb_populate_recordset(NULL::preset, $1::jsonb)', [
        JSON.stringify(rows),
      ]);
      const opening = postgresEngine(to, { table: 'preset', orderBy: 'nr' });
      expect((await byEngine(opening, profile, 'query', context)).groups).toEqual(expected);
      // oxlint-enable no-await-in-loop
    }
  });
});

describe('if SQL cannot rank the groups, the process does, and the notice says why', () => {
  const rows = groupedRows(90);
  const plain: ProfileInput = GROUPED_PROFILES[1]!;
  const notice = async (profile: ProfileInput, by = 'shop', given: readonly object[] = rows): Promise<string> => {
    const lines = file('refused.jsonl');
    const sorted = adjacent(given, by);
    await writeLines(lines, sorted);
    const { groups, notices } = await byEngine(duckDbEngine([lines]), profile, by);
    expect(groups).toEqual(await byObjects(profile, sorted, by));
    return notices.filter((text) => text.includes('ranks all rows')).join('\n');
  };

  test('a seed, a report and a memory need all rows', async () => {
    expect(await notice({ ...plain, select: { top: 2, seed: 7 } })).toContain('a seed gives a random number');
    const report = { report: [{ id: 'others', class: 'Alternatives' }] };
    expect(await notice({ ...plain, ...report })).toContain('a report needs the whole ranking');
    const memory = { class: 'NoveltyScorer', params: { text: 'title', embedder: 'lexical' } };
    expect(await notice({ ...plain, tier2_scorers: [{ id: 'new', ...memory }] })).toContain('new has a memory');
  });

  test('a profile without a part that SQL evaluates', async () => {
    const words = { id: 'words', expr: 'candidate.title.split(" ").exists(word, word == "tarp") ? 1.0 : 0.5' };
    expect(await notice({ tier2_scorers: [words], select: { top: 2 } })).toContain('scorer words: ');
  });

  const relative = (scale: object): ProfileInput => ({
    tier1_scorers: [{ id: 'sold', expr: 'candidate.sold' }],
    tier2_scorers: [
      { id: 'votes', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.votes' }, scale }, on_absent: 0 },
    ],
    select: { top: 2 },
  });

  test('ranks within a group need the rows that pass the vetoes, and the notices say how many', async () => {
    const profile = relative({ type: 'rank' });
    const { groups, notices } = await byEngine(duckDbEngine([file('refused.jsonl')]), profile, 'shop');
    expect(groups.length).toBeGreaterThan(1);
    expect(notices[0]).toMatch(/^the process evaluates scorer votes: votes needs all candidates at once$/);
    expect(notices.at(-1)).toMatch(/^the process evaluated \d+ of 90 rows$/);
  });

  test('minimum and maximum of a group are computed in SQL, and few rows are returned', async () => {
    const engine = await duckDbEngine([file('rows.jsonl')]);
    let returned = 0;
    const counting: SqlEngine = {
      ...engine,
      async *stream(...given) {
        for await (const some of engine.stream(...given)) {
          returned += some.filter(({ part }) => part === 'row').length;
          yield some;
        }
      },
    };
    const profile = relative({ type: 'min_max' });
    const { groups, notices } = await byEngine(Promise.resolve(counting), profile, 'shop');
    expect(groups).toEqual(await byObjects(profile, groupedRows(600), 'shop'));
    expect(notices).toEqual([]);
    expect(returned).toBeGreaterThan(9);
    expect(returned).toBeLessThan(60); // 9 groups: the first row, two best rows, and two extremes
  });

  test('groups that SQL cannot compare', async () => {
    const large = rows.map((row) => ({ ...row, shop: row.id % 2 === 0 ? '\u0000' : 'x' }));
    expect(await notice(plain, 'shop', large)).toMatch(/SQL cannot compare shop of \d+ rows/);
  });

  test('a column that no row has is an error with a suggestion', async () => {
    await writeGrouped(rows, (ending) => file(`missing.${ending}`));
    const engine = await duckDbEngine([file('missing.parquet')]);
    try {
      const ranking = rankGroupsWith(plain, engine, {}, { by: 'shopp' });
      const error: unknown = await ranking.next().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(AssizeError);
      expect((error as AssizeError).problems).toEqual([
        expect.objectContaining({ code: 'ASZ541', hint: 'did you mean shop?' }),
      ]);
    } finally {
      await engine.close();
    }
  });
});
