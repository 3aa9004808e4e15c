import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readCandidates } from '../../../src/data/node.js';
import { pythonWithSpark } from '../../machine/spark.js';
import { temporaryFolder } from '../../temporary-folder.js';

const python = pythonWithSpark();
const root = fileURLToPath(new URL('../../..', import.meta.url));
const cli = join(root, 'dist/bundle/cli.js');

/** Numbers from every type, which show whether Spark and Parquet give the engine the same values. */
const TYPES = {
  large: 'candidate.large / 1e16',
  small: 'candidate.small * 1.0',
  single: 'candidate.single * 1.0',
  price: 'candidate.price / 1e14',
  flag: 'candidate.flag ? 1.0 : 0.5',
  day: 'candidate.day / 1e13',
  at: 'candidate.at / 1e13',
  local: 'candidate.local / 1e13',
  text: 'candidate.text.startsWith("ä 🦊") ? size(candidate.text) : -1.0',
  bytes: 'candidate.bytes.startsWith("b1") ? 1.0 : 0.0',
  list: 'size(candidate.list) + (size(candidate.list) > 2 ? candidate.list[2] / 1e18 : 0.0)',
  inner: 'candidate.inner.a + timestamp(candidate.inner.at).getFullYear()',
  counts: 'candidate.counts.a + candidate.counts["b"] / 2',
  nothing: 'candidate.nothing * 1.0',
};

interface Found {
  readonly shop: string;
  readonly id: string;
  readonly rank: number;
  readonly score: number;
  readonly scores: Readonly<Record<string, number | null>>;
}

interface Answer {
  readonly same: readonly Found[];
  readonly wrong: Readonly<Record<string, unknown>>;
  readonly errors: Readonly<Record<string, string>>;
  readonly whole: readonly (readonly [id: string, rank: number])[];
  readonly empty: number;
  readonly runs: boolean;
}

describe.skipIf(python === undefined || !existsSync(cli))(
  'the engine next to the tasks of Spark (skipped without pyspark)',
  () => {
    test('reads every type as from Parquet, keeps the types of groups, and reports failures', async () => {
      const folder = temporaryFolder('assize-spark-engine-');
      const write = (name: string, profile: object): string => {
        writeFileSync(join(folder, name), JSON.stringify(profile));
        return join(folder, name);
      };
      const scorers = Object.entries(TYPES).map(([id, expr]) => ({ id, expr, on_absent: 0 }));
      const scoredBy = (expr: string, more: object = {}) => ({ tier2_scorers: [{ id: 'one', expr, ...more }] });
      const types = write('types.json', {
        tier1_scorers: [{ id: 'infinite', expr: 'candidate.number > 1e301', on_absent: 'pass' }],
        tier2_scorers: [...scorers, { id: 'number', expr: 'candidate.number', on_absent: 0, on_error: 'skip' }],
      });
      const job = {
        types,
        numbers: write('numbers.json', scoredBy('candidate.number', { on_absent: 0, on_error: 0 })),
        spans: write('spans.json', scoredBy('candidate.span == null ? 1.0 : 0.0')),
        failing: write('failing.json', scoredBy('size(candidate.id) * 1.0', { on_error: 'fail' })),
        x: write('x.json', scoredBy('candidate.x * 1.0')),
        parquet: join(folder, 'rows.parquet'),
        pid: join(folder, 'pid'),
        old: 'case "$*" in *" rank "*) echo "no stream";; *) exec "$0" "$@";; esac',
        command: [process.execPath, cli],
      };
      const ran = spawnSync(python!, [join(root, 'test/scale/sql/spark_engine.py')], {
        input: JSON.stringify(job),
        encoding: 'utf8',
        maxBuffer: 1e9,
        env: { ...process.env, PYTHONPATH: join(root, 'plugins/spark') },
      });
      const text = ran.stdout.split('ANSWER')[1];
      expect(text, ran.stderr.slice(-3000)).toBeDefined();
      const { same, wrong, errors, whole, empty, runs } = JSON.parse(text!) as Answer;

      const part = readdirSync(job.parquet).find((name) => name.endsWith('.parquet'))!;
      const [rows, out] = [join(job.parquet, part), join(folder, 'out.jsonl')];
      const now = ['--now', '2026-01-01'];
      const args = [cli, 'rank', '--profile', types, ...now, '--partition-by', 'shop', '--output', out, rows];
      expect(spawnSync(process.execPath, args, { encoding: 'utf8' })).toMatchObject({ status: 0 });
      const expected = (await readCandidates(out, {})) as readonly Record<string, unknown>[];
      const place = ({ shop, rank }: Pick<Found, 'shop' | 'rank'>): string => `${shop} ${rank}`;
      const ids = [...Object.keys(TYPES), 'number'];
      const byPlace = new Map(same.map((row) => [place(row), row]));
      expect(same.length).toBeGreaterThan(50);
      expect(
        expected.map((row) => {
          const { shop, id, rank, score, scores } = byPlace.get(place(row as unknown as Found))!;
          return [shop, id, rank, score, ...ids.map((one) => scores[one] ?? undefined)];
        }),
      ).toEqual(
        expected.map((row) => {
          return [
            row['shop'],
            row['id'],
            row['rank'],
            row['score'],
            ...ids.map((one) => row[`score_${one}`] ?? undefined),
          ];
        }),
      );
      expect(same.length).toBe(expected.length);

      expect(wrong).toEqual({});
      expect(errors['type']).toMatch(/the column 'span' has values of the type interval day to second/);
      expect(errors['micros']).toMatch(/ASZ502 the times in time have microseconds/);
      expect(errors['row']).toMatch(/in group "s\d": .*one/s);
      expect(errors['rows']).toMatch(/bad row/);
      expect(errors['old']).toMatch(/did not write an Arrow stream/);
      expect(whole).toEqual([
        ['t0', 1],
        ['t1', 2],
        ['t2', 3],
      ]);
      expect(empty).toBe(0);
      expect(runs).toBe(false);
    }, 900_000);
  },
);
