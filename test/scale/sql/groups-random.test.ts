import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AssizeError, createPipeline, type ProfileInput } from 'assize';
import { duckDbEngine, postgresEngine, type SqlEngine } from 'assize/sql';
import { groupText } from '../../../src/data/index.js';
import type { GroupBatch } from '../../../src/pipeline/index.js';
import { openProfile } from '../../../src/pipeline/node.js';
import { type GroupRanking, rankCompiledGroups } from '../../../src/scale/sql/index.js';
import { temporaryFolder } from '../../temporary-folder.js';
import { CONTEXT, profiles, type Row, rows, scaledProfiles, setProfiles } from './arbitraries.js';
import { adjacent } from './grouped-rows.js';
import { writeParquet } from './generated-rows.js';

const RUNS = process.env['FUZZ'] ? Number(process.env['FUZZ_COUNT'] ?? 10_000) / 10 : 40;
const folder = temporaryFolder('assize-random-groups-');
let pglite: PGlite;
beforeAll(async () => {
  pglite = await PGlite.create();
  await pglite.query('CREATE TABLE rows (id int PRIMARY KEY, a float8, n int8, s text, t text, f boolean, made date)');
});
afterAll(() => pglite.close());

/** Columns of one type each. */
type Typed = Pick<Row, 'id' | 'a' | 'n' | 's' | 't'> & { readonly f: boolean | null; readonly made: Date | null };

const typed = (all: readonly Row[]): readonly Typed[] =>
  all.map(({ id, a, n, s, t, f }, k) => ({
    id,
    a,
    n,
    s,
    t,
    f: typeof f === 'boolean' ? f : null,
    made: k % 3 === 0 ? null : new Date(Date.UTC(2011, 0, 1 + (k % 4))),
  }));

const literal = (value: string | null, type: string): string =>
  value === null ? `CAST(NULL AS ${type})` : `CAST('${value.replaceAll("'", "''")}' AS ${type})`;

const values = (all: readonly Typed[], number: string): string =>
  all
    .map(({ id, a, n, s, t, f, made }) => {
      const double = a === null ? null : Object.is(a, -0) ? '-0' : String(a);
      const cells = [
        literal(double, number),
        literal(n === null ? null : String(BigInt(n)), 'BIGINT'),
        literal(s, 'VARCHAR'),
        literal(t, 'VARCHAR'),
        f === null ? 'CAST(NULL AS BOOLEAN)' : String(f),
        literal(made?.toISOString().slice(0, 10) ?? null, 'DATE'),
      ];
      return `(${id}, ${cells.join(', ')})`;
    })
    .join(', ');

const bits = (number: number): string => Buffer.from(Float64Array.of(number).buffer).toString('hex');

/** The selected rows of each group, with the bits of all numbers; and the counts of all groups. */
async function selection(
  groups: AsyncIterable<GroupRanking | GroupBatch>,
  scorers: readonly string[],
): Promise<unknown> {
  const found: unknown[] = [];
  const totals = { given: 0, ranked: 0, selected: 0, notSelected: 0, refused: 0 };
  const add = (counts: typeof totals): void => {
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += counts[name];
  };
  for await (const one of groups) {
    if ('ranking' in one) {
      add(one.ranking.counts);
      const chosen = one.ranking.selected.map((row) => {
        const { scores, contributions } = one.ranking.terms(row) ?? { scores: {} };
        const numbers = scorers.map((id) => bits(scores[id] ?? Number.NaN));
        const parts =
          contributions && scorers.map((id) => (scores[id] === null ? null : bits(contributions[id] ?? Number.NaN)));
        return [row.id, row.index, row.rank, bits(row.score!), numbers, parts];
      });
      found.push([`${typeof one.group} ${groupText(one.group)}`, chosen]);
      continue;
    }
    add(one.counts);
    let row = 0;
    for (const [k, group] of one.groups.entries()) {
      const chosen: unknown[] = [];
      for (; row < one.ends[k]!; row++) {
        const numbers = one.values.map((column) => column[row]!);
        const parts = one.contributions.map((column, n) => (Number.isNaN(numbers[n]) ? null : bits(column[row]!)));
        const own = parts.length > 0 || scorers.length === 0 ? parts : undefined;
        chosen.push([one.ids[row], one.index[row], one.ranks[row], bits(one.scores[row]!), numbers.map(bits), own]);
      }
      found.push([`${typeof group} ${groupText(group)}`, chosen]);
    }
  }
  return { found, totals };
}

/** How many runs ranked groups together, and how many ranked all rows in the process. */
let used = { together: 0, process: 0, runs: 0 };

async function byEngine(
  opening: Promise<SqlEngine>,
  profile: ProfileInput,
  by: string,
  scorers: readonly string[],
  single: number | undefined,
): Promise<unknown> {
  const engine = await opening;
  try {
    const { compiled } = await openProfile(profile, {});
    const notice = (text: string): void => void (used.process += Number(text.includes('ranks all rows')));
    const counted = async function* (): AsyncGenerator<GroupRanking | GroupBatch> {
      for await (const one of rankCompiledGroups(engine, compiled, { by, context: CONTEXT, single, notice })) {
        used.together += Number(!('ranking' in one));
        yield one;
      }
    };
    return await outcome(() => selection(counted(), scorers));
  } finally {
    await engine.close();
  }
}

/** The result, or that it failed: which error is reported first depends on the order of the rows. */
const outcome = (work: () => Promise<unknown>): Promise<unknown> =>
  work().catch((error: unknown) => {
    expect(error).toBeInstanceOf(AssizeError);
    return 'failed';
  });

async function compare(random: fc.Arbitrary<ProfileInput>): Promise<void> {
  used = { together: 0, process: 0, runs: 0 };
  const file = join(folder, 'rows.parquet');
  await fc.assert(
    fc.asyncProperty(
      random,
      rows,
      fc.constantFrom('s', 't', 'f', 'made', 'n', 'a'),
      fc.boolean(),
      async (profile, all, by, sorted) => {
        const given = typed(all);
        fc.pre(given.some((row) => row[by] !== null)); // otherwise an error says that no row has a group
        const table = sorted ? adjacent(given, by).map((row, id) => ({ ...row, id })) : given;
        used.runs += 1;
        await writeParquet(
          file,
          `SELECT * FROM (VALUES ${values(table, 'DOUBLE')}) AS rows(id, a, n, s, t, f, made) ORDER BY id`,
        );
        const pipeline = await createPipeline<object>(profile);
        const scorers = pipeline.describe().scorers;
        const groups = adjacent(table, by);
        const expected = await outcome(() => selection(pipeline.rankPartitions(groups, CONTEXT, { by }), scorers));
        const inDuckDb = (single: number | undefined) =>
          byEngine(duckDbEngine([file], { threads: 1 }), profile, by, scorers, single);
        expect(await inDuckDb(0)).toEqual(expected);
        expect(await inDuckDb(1)).toEqual(expected);
        expect(await inDuckDb(undefined)).toEqual(expected);
        await pglite.query('DELETE FROM rows');
        await pglite.query(`INSERT INTO rows VALUES ${values(table, 'float8')}`);
        const postgres = postgresEngine(pglite, { table: 'rows', orderBy: 'id' });
        expect(await byEngine(postgres, profile, by, scorers, 0)).toEqual(expected);
      },
    ),
    { numRuns: RUNS },
  );
  if (process.env['FUZZ']) console.log(used);
}

test(`random profiles over groups of random rows equal one process, ${RUNS} times`, async () => {
  await compare(profiles);
  expect(used.together).toBeGreaterThan(used.runs / 10);
}, 7_200_000);

test('random profiles that compare the candidates of a group', async () => {
  await compare(setProfiles);
  expect(used.together).toBeGreaterThan(0);
}, 7_200_000);

test('random profiles that scale relative to a group', async () => {
  await compare(scaledProfiles);
  expect(used.together).toBeGreaterThan(used.runs / 10);
}, 7_200_000);
