import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AssizeError, createPipeline, type ProfileInput } from 'assize';
import { translate, translatePlain, type Translation } from 'assize/sql';
import { pythonWithSpark } from '../../machine/spark.js';
import { CONTEXT, profiles, rows as arbitraryRows } from './arbitraries.js';
import { topOfRanking } from '../../../src/pipeline/top-ranking.js';
import { films } from '../../demo/films.js';
import { promised } from './digest.js';
import {
  ROWS,
  TYPED_PROFILE,
  typedQuery,
  typedRows,
  withMinScore,
  writeLines,
  writeParquet,
} from './generated-rows.js';
import { temporaryFolder } from '../../temporary-folder.js';

const python = pythonWithSpark();
const root = fileURLToPath(new URL('../../..', import.meta.url));
const cli = join(root, 'dist/bundle/cli.js');
const TABLE = { table: 'rows', orderBy: 'id', columns: 'id bigint, a double, n bigint, s string, t string, f boolean' };

/** The name of the order is one that a statement might use itself. */
const FILM_COLUMNS =
  'least bigint, id string, released date, `IMDB Votes` bigint, `IMDB Rating` double, `Rotten Tomatoes Rating` bigint, `Running Time min` bigint, `Major Genre` string, Source string, `Worldwide Gross` bigint, `Production Budget` bigint, `US DVD Sales` bigint';

/** A hand-written profile with strings that imitate SQL, next to random ones. */
const HOSTILE: ProfileInput = {
  name: 'hostile',
  tier1_scorers: [
    { id: 'quoted', expr: `candidate.s == "it's" || candidate.s == "back\\\\slash" || candidate.s == "a\\"b"` },
    { id: 'some', expr: 'candidate.f && candidate.n in [1, 2]' },
  ],
  tier2_scorers: [
    { id: 'log', expr: 'ln(abs(candidate.a) + 1) / 20' },
    { id: 'fresh', class: 'DecayScorer', params: { field: 't', curve: { type: 'exponential', half_life: '365d' } } },
    { id: 'part', expr: 'candidate.s.contains("😀") ? 1 : floor(candidate.a * 3) % 2', on_absent: 0.5 },
  ],
  adjustments: [{ id: 'table', multiply: { table: { a: 0.5, '😀': 2 }, by: ['candidate.s'], missing: 1 } }],
  select: { top: 7 },
};

/** For the part that SQL cannot evaluate: each partition pipes to the command line. */
const PIPED = 'name: piped\ntier2_scorers: [{ id: evens, expr: "size(candidate.xs.filter(x, x % 2 == 0)) / 3" }]\n';

async function translations(): Promise<readonly (readonly [ProfileInput, Translation])[]> {
  const all: [ProfileInput, Translation][] = [];
  for (const profile of [HOSTILE, ...fc.sample(profiles, { numRuns: 40, seed: 7 })]) {
    // oxlint-disable-next-line no-await-in-loop -- few
    const found = await translate(profile, 'spark', { ...TABLE, context: CONTEXT }).catch((error: unknown) => {
      if (error instanceof AssizeError && error.problems[0]?.code === 'ASZ571') return undefined;
      throw error;
    });
    if (found) all.push([profile, found]);
  }
  return all.slice(0, 3);
}

/** A table in a file of Parquet, and the ranking that one process makes of its rows. */
interface FileTable {
  readonly translation: Translation;
  readonly said: unknown;
}

/** Generated rows, and the films of the demo, which a scale ranks as one set. */
async function fileTables(folder: string): Promise<readonly FileTable[]> {
  const [lines, filmLines] = [join(folder, 'typed.jsonl'), join(folder, 'films.jsonl')];
  await writeLines(lines, typedRows(ROWS), true);
  await writeParquet(join(folder, 'typed.parquet'), typedQuery(lines));
  await writeLines(
    filmLines,
    films().map((film, least) => ({ least, ...film })),
  );
  await writeParquet(
    join(folder, 'films.parquet'),
    `SELECT * FROM read_json('${filmLines}', format = 'newline_delimited')`,
  );
  const typed = await withMinScore(TYPED_PROFILE, typedRows(ROWS));
  const [movies, context] = [MOVIES, FILM_CONTEXT];
  const [typedPipeline, filmPipeline] = [await createPipeline<object>(typed), await createPipeline<object>(movies)];
  return [
    {
      translation: await translate(typed, 'spark', { ...TABLE, table: 'typed', context: CONTEXT }),
      said: promised(await typedPipeline.rankStream(typedRows(ROWS), CONTEXT)),
    },
    {
      translation: await translate(movies, 'spark', {
        table: 'films',
        orderBy: 'least',
        columns: FILM_COLUMNS,
        context,
      }),
      said: promised(topOfRanking(await filmPipeline.rank(films(), context))),
    },
  ];
}

const MOVIES = join(root, 'config/demo/movies.yaml');
const FILM_CONTEXT = { now: '2011-01-01' };

/** The films' profile as one plain statement. */
const plainOfFilms = (): Promise<string> =>
  translatePlain(MOVIES, 'spark', { table: 'films', orderBy: 'least', columns: FILM_COLUMNS, context: FILM_CONTEXT });

/** Expects the same order, and scores that are equal to 12 digits. */
async function expectPlain(plain: Answer['plain']): Promise<void> {
  if (typeof plain === 'string') throw new Error(plain);
  const { selected } = await (await createPipeline<object>(MOVIES)).rank(films(), FILM_CONTEXT);
  expect(plain.map(({ rank, id }) => [rank, id])).toEqual(selected.map(({ rank, id }) => [rank, id]));
  for (const [k, { score }] of selected.entries()) expect(Number(plain[k]!['score'])).toBeCloseTo(score!, 12);
}

interface Answer {
  readonly plain: string | readonly Record<string, unknown>[];
  readonly answers: readonly (string | readonly Record<string, unknown>[])[];
  readonly piped: readonly string[];
  readonly executors: number;
  readonly version: string;
}

describe.skipIf(python === undefined || !existsSync(cli))(
  'Apache Spark, two executors (skipped without pyspark)',
  () => {
    test('equals one process, also in ANSI mode; and pipes through the command line', async () => {
      const folder = temporaryFolder('assize-spark-');
      writeFileSync(join(folder, 'piped.yaml'), PIPED);
      const rows = fc
        .sample(arbitraryRows, { numRuns: 40, seed: 3 })
        .flat()
        .map(({ a, n, s, t, f }, id) => {
          return { id, a, n, s, t, f: typeof f === 'boolean' ? f : null };
        });
      const statements = await translations();
      expect(statements.length).toBe(3);
      const tables = await fileTables(folder);
      const lines = Array.from({ length: 40 }, (_, k) => JSON.stringify({ id: `x${k}`, xs: [k, k + 1, k * 3] }));
      const job = {
        rows: rows.map((row) => [
          row.id,
          row.a === null ? null : Object.is(row.a, -0) ? '-0.0' : String(row.a),
          row.n,
          row.s,
          row.t,
          row.f,
        ]),
        statements: [...statements.map(([, { sql }]) => sql), ...tables.map(({ translation: { sql } }) => sql)],
        plain: await plainOfFilms(),
        tables: { typed: join(folder, 'typed.parquet'), films: join(folder, 'films.parquet') },
        lines,
        command: `${process.execPath} ${cli} score --profile ${join(folder, 'piped.yaml')} --format jsonl --input jsonl`,
      };
      const ran = spawnSync(python!, [join(root, 'test/scale/sql/spark.py')], {
        input: JSON.stringify(job),
        encoding: 'utf8',
        maxBuffer: 1e9,
        env: { ...process.env, TZ: 'Asia/Kathmandu' },
      });
      const text = ran.stdout.split('ANSWER')[1];
      expect(text, ran.stderr.slice(-3000)).toBeDefined();
      const { answers, piped, executors, plain } = JSON.parse(text!) as Answer;
      await expectPlain(plain);
      expect(executors).toBe(2);
      const all = statements.length + tables.length;
      for (const [k, answer] of answers.entries()) {
        const file = tables[(k % all) - statements.length];
        const [profile, translation] = file ? [undefined, file.translation] : statements[k % all]!; // the first one again, without the ANSI mode
        if (typeof answer === 'string') throw new Error(`${answer}\n${translation.sql}`);
        const said = profile
          ? promised(await (await createPipeline<object>(profile)).rankStream(rows, CONTEXT))
          : file?.said;
        expect(promised(await translation.finish(answer))).toEqual(said);
      }
      const pipeline = await createPipeline<object>({ yaml: PIPED, name: 'piped' });
      const scores = new Map(
        piped.map((line) => JSON.parse(line) as { id: string; score: number }).map(({ id, score }) => [id, score]),
      );
      for (const { id, score } of (await pipeline.rank(lines.map((line) => JSON.parse(line) as object))).ranked)
        expect(scores.get(id)).toBe(score);
      expect(scores.size).toBe(lines.length);
    }, 900_000);
  },
);
