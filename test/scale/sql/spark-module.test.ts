import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pythonWithSpark } from '../../machine/spark.js';
import { temporaryFolder } from '../../temporary-folder.js';
import { expected, expectSame, type Found, key, NOW, PROFILES, type Row, tables } from './plain-cases.js';

const python = pythonWithSpark();
const root = fileURLToPath(new URL('../../..', import.meta.url));
const cli = join(root, 'dist/bundle/cli.js');

const MODES = ['auto', 'plain', 'engine'] as const;

interface Answer {
  /** By profile and mode: the rows, or the message of the error. */
  readonly rankings: readonly Readonly<Record<(typeof MODES)[number], readonly Found[] | string>>[];
  readonly errors: Readonly<Record<string, string>>;
}

/** Adds the scores of a list, which no database has an expression for. */
const LISTS = { name: 'lists', tier2_scorers: [{ id: 'tags', expr: 'size(candidate.tags) / 3' }], select: { top: 2 } };

async function ask(rows: readonly Row[]): Promise<Answer> {
  const folder = temporaryFolder('assize-spark-module-');
  const profiles = [...PROFILES, LISTS].map((profile, k) => {
    const file = join(folder, `${k}.json`);
    writeFileSync(file, JSON.stringify(profile));
    return file;
  });
  const data = join(folder, 'rows.json');
  writeFileSync(data, rows.map((row) => JSON.stringify({ ...row, tags: ['x', row.kind ?? 'y'] })).join('\n'));
  const unread = join(folder, 'unread.json');
  writeFileSync(unread, JSON.stringify({ name: 'unread', tier2_scorers: [{ id: 'old', expr: 'candidate.age * 2' }] }));
  const job = {
    unread,
    data,
    profiles,
    modes: MODES,
    now: new Date(NOW).toISOString(),
    command: [process.execPath, cli],
  };
  const ran = spawnSync(python!, [join(root, 'test/scale/sql/spark_module.py')], {
    input: JSON.stringify(job),
    encoding: 'utf8',
    maxBuffer: 1e9,
    env: { ...process.env, PYTHONPATH: join(root, 'plugins/spark') },
  });
  const text = ran.stdout.split('ANSWER')[1];
  expect(text, ran.stderr.slice(-3000)).toBeDefined();
  return JSON.parse(text!) as Answer;
}

const inOrder = (all: readonly Found[]): readonly Found[] => all.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));

describe.skipIf(python === undefined || !existsSync(cli))(
  'the Python module for Spark (skipped without pyspark)',
  () => {
    test('ranks each group as one process does, in every mode, and reports mistakes', async () => {
      const rows = fc
        .sample(tables, { numRuns: 20, seed: 11 })
        .flat()
        .map((row, id): Row => ({ ...row, id }));
      const { rankings, errors } = await ask(rows);
      for (const [k, profile] of PROFILES.entries()) {
        const { auto, plain, engine } = rankings[k]!;
        if (typeof auto === 'string' || typeof plain === 'string' || typeof engine === 'string')
          throw new Error(`${profile.name}: ${JSON.stringify([auto, plain, engine])}`);
        // oxlint-disable-next-line no-await-in-loop -- one after another
        const one = await expected(profile, rows);
        expect(inOrder(engine)).toEqual(inOrder(one));
        expect(inOrder(auto)).toEqual(inOrder(one));
        expectSame(plain, one);
      }
      const lists = rankings.at(-1)!;
      expect(lists.plain).toMatch(/ASZ571 .*the column tags is of the type array<string>/);
      expect(lists.auto).toEqual(lists.engine);
      expect(errors['profile']).toMatch(/cannot read .*missing\.yaml/);
      expect(errors['column']).toMatch(/no column 'city'; it has id, shop/);
      expect(errors['note']).toMatch(/unread\.json: the table has no column "age": it has no value/);
      expect(errors['note']).toMatch(/unread\.json: the DataFrame has no column 'age': it has no value/);
      expect(errors['order']).toMatch(/order_by: the DataFrame has no column 'city'; .*unique in a group/);
      expect(errors['mode']).toMatch(/mode is 'fast'; expected one of auto, plain, engine/);
      expect(errors['command']).toMatch(/no-such-node does not start on .*Install Node\.js/);
      expect(errors['worker']).toMatch(/no-such-node does not start on .*Install Node\.js/);
      expect(errors['data']).toMatch(/ASZ\d+/);
    }, 900_000);
  },
);
