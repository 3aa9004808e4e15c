import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import * as arrow from 'apache-arrow';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Columns } from '../../../src/data/columns.js';
import { rowsOf } from '../../../src/data/rows.js';
import { AssizeError, columns, createPipeline, rankFile, type TopRanking, explanationParts } from 'assize';
import { readCandidates } from '../../../src/data/read-candidates.js';
import { openFile } from '../../../src/data/table/table.js';
import { openParquet } from '../../../src/data/table/read-parquet.js';
import { createJob, openJob } from '@assize/jobs';
import { duckDbEngine, type PostgresClient, postgresEngine, rankWith, translate } from 'assize/sql';
import { topOfRanking } from '../../../src/pipeline/top-ranking.js';
import { hasPostgres, startPostgres, type TestPostgres } from '../../machine/postgres.js';
import { pythonWithSpark } from '../../machine/spark.js';
import { closing } from './digest.js';
import { writeParquet } from './generated-rows.js';
import { temporaryFolder } from '../../temporary-folder.js';

/*
 * One table of dates, in every source and engine. A date is whole milliseconds since 1970, rounded down, from any
 * source; the value of each row is written here by hand.
 */

/** A date as a database writes it, and in milliseconds. */
type Written = readonly [text: string, millis: number];
const FOREVER: Written = ['infinity', Infinity];
const NEVER: Written = ['-infinity', -Infinity];

interface Dated {
  readonly id: string;
  readonly day: Written | null;
  /** Microseconds, without a zone. */
  readonly us: Written | null;
  /** Nanoseconds: for a database without them, microseconds. */
  readonly ns: Written | null;
  /** With a zone. */
  readonly zoned: Written | null;
}

const DAY = 86_400_000;
const TABLE: readonly Dated[] = [
  {
    id: 'epoch',
    day: ['1970-01-01', 0],
    us: ['1970-01-01 00:00:00', 0],
    ns: ['1970-01-01 00:00:00.000000001', 0],
    zoned: ['1970-01-01 05:45:00+05:45', 0],
  },
  {
    id: 'just before',
    day: ['1969-12-31', -DAY],
    us: ['1969-12-31 23:59:59.9995', -1],
    ns: ['1969-12-31 23:59:59.999999999', -1],
    zoned: ['1970-01-01 05:44:59.9995+05:45', -1],
  },
  {
    id: 'second day',
    day: ['1970-01-02', DAY],
    us: ['1970-01-02 00:00:00.000999', DAY],
    ns: ['1969-12-31 00:00:00.001', -DAY + 1],
    zoned: ['1969-12-31 00:00:00.000001-01:00', -DAY + 3_600_000],
  },
  {
    id: 'year 1',
    day: ['0001-01-01', -62_135_596_800_000],
    us: ['0001-01-01 00:00:00.0001', -62_135_596_800_000],
    ns: ['1700-01-01 00:00:00.0000009', -8_520_336_000_000],
    zoned: ['0001-01-01 00:00:00+00', -62_135_596_800_000],
  },
  {
    id: 'year 9999',
    day: ['9999-12-31', 253_402_214_400_000],
    us: ['9999-12-31 23:59:59.999999', 253_402_300_799_999],
    ns: ['2261-12-31 23:59:59.999999999', 9_214_646_399_999],
    zoned: ['9999-12-31 23:59:59.999999+00', 253_402_300_799_999],
  },
  {
    id: 'leap day',
    day: ['2024-02-29', 1_709_164_800_000],
    us: ['2024-02-29 13:14:15.678901', 1_709_212_455_678],
    ns: ['2024-02-29 13:14:15.678901234', 1_709_212_455_678],
    zoned: ['2024-02-29 13:14:15.678901+00', 1_709_212_455_678],
  },
  { id: 'infinite', day: FOREVER, us: NEVER, ns: FOREVER, zoned: NEVER },
  { id: 'unknown', day: null, us: null, ns: null, zoned: null },
];
const FIELDS = ['day', 'us', 'ns', 'zoned'] as const;
type Field = (typeof FIELDS)[number];

const millisOf = (row: Dated, field: Field): number | undefined => {
  const millis = row[field]?.[1];
  return millis !== undefined && Number.isFinite(millis) ? millis : undefined;
};

/** The rows as objects of a program. */
const OBJECTS: readonly object[] = TABLE.map((row) => ({
  id: row.id,
  ...Object.fromEntries(
    FIELDS.flatMap((field) => {
      const millis = millisOf(row, field);
      return millis === undefined ? [] : [[field, new Date(millis)]];
    }),
  ),
  text: '1970-01-02',
}));

const COLUMNS = columns({
  id: TABLE.map(({ id }) => id),
  ...Object.fromEntries(FIELDS.map((field) => [field, { dates: datesOf(field) }])),
  text: TABLE.map(() => '1970-01-02'),
});

/** With fractions, which are rounded down. */
function datesOf(field: Field): Float64Array {
  return Float64Array.from(TABLE, (row) => (row[field] ? row[field][1] + 0.25 : Number.NaN));
}

/** The rows as SQL; `infinite` is never read. */
function tableSql(types: Readonly<Record<Field, string>>, digits: number): string {
  const literal = (written: Written | null, type: string): string =>
    written === null ? `CAST(NULL AS ${type})` : `CAST('${digitsOf(written[0], digits)}' AS ${type})`;
  const rows = TABLE.map((row, pos) => {
    const dates = FIELDS.map((field) => `${literal(row[field], types[field])} AS ${field}`);
    const never = `CAST('infinity' AS ${types.us}) AS unread`;
    return `SELECT ${pos} AS pos, CAST('${row.id}' AS VARCHAR) AS id, ${dates.join(', ')}, '1970-01-02' AS text, ${never}`;
  });
  return rows.join(' UNION ALL ');
}

/** Only as many digits of a second as the database has: it would round up. */
const digitsOf = (text: string, most: number): string => text.replace(new RegExp(`(\\.\\d{${most}})\\d+`), '$1');

const MICROS = { day: 'DATE', us: 'TIMESTAMP', ns: 'TIMESTAMP', zoned: 'TIMESTAMP WITH TIME ZONE' } as const;
const NANOS = { ...MICROS, ns: 'TIMESTAMP_NS' } as const;

/** Its dates as stored: 64 bits, of which the greatest and the least mean infinity. */
function arrowTable(): arrow.Table {
  const nulls = (field: Field): { nullBitmap: Uint8Array; nullCount: number } => {
    const present = TABLE.map((row) => row[field] !== null);
    const bits = present.reduce((byte, is, k) => byte | (Number(is) << k), 0);
    return { nullBitmap: Uint8Array.of(bits), nullCount: present.filter((is) => !is).length };
  };
  const stored = (field: Field, per: bigint, rest: (millis: number) => bigint): BigInt64Array =>
    BigInt64Array.from(TABLE, (row) => {
      const millis = row[field]?.[1] ?? 0;
      if (!Number.isFinite(millis)) return millis > 0 ? 2n ** 63n - 1n : -(2n ** 63n - 1n);
      return BigInt(millis) * per + rest(millis);
    });
  const timestamps = (field: Field, type: arrow.Timestamp, per: bigint): arrow.Vector =>
    arrow.makeVector(
      arrow.makeData({ type, length: TABLE.length, data: stored(field, per, () => per - 1n), ...nulls(field) }),
    );
  const days = Int32Array.from(TABLE, ({ day }) =>
    day === null ? 0 : Number.isFinite(day[1]) ? day[1] / DAY : 2 ** 31 - 1,
  );
  return new arrow.Table({
    id: arrow.vectorFromArray(
      TABLE.map(({ id }) => id),
      new arrow.Utf8(),
    ),
    day: arrow.makeVector(
      arrow.makeData({ type: new arrow.DateDay(), length: TABLE.length, data: days, ...nulls('day') }),
    ),
    us: timestamps('us', new arrow.TimestampMicrosecond(), 1000n),
    ns: timestamps('ns', new arrow.TimestampNanosecond(), 1_000_000n),
    zoned: timestamps('zoned', new arrow.TimestampMicrosecond('Asia/Kathmandu'), 1000n),
    text: arrow.vectorFromArray(
      TABLE.map(() => '1970-01-02'),
      new arrow.Utf8(),
    ),
  });
}

const folder = temporaryFolder('assize-dates-');
const file = (name: string): string => join(folder, name);
const PARQUET = file('dates.parquet');
const ARROW = file('dates.arrow');
let pglite: PGlite;
let server: TestPostgres | undefined;
let client: Client | undefined;

beforeAll(async () => {
  await writeParquet(PARQUET, `SELECT * FROM (${tableSql(NANOS, 9)}) ORDER BY pos`);
  writeFileSync(ARROW, arrow.tableToIPC(arrowTable(), 'file'));
  pglite = await PGlite.create();
  const create = `CREATE TABLE dates AS ${tableSql(MICROS, 6)}`;
  await pglite.exec("SET TimeZone = 'Asia/Kathmandu'");
  await pglite.exec(create);
  if (!hasPostgres()) return;
  server = await startPostgres();
  client = new Client({ connectionString: server.url });
  await client.connect();
  await client.query("SET TimeZone = 'Asia/Kathmandu'");
  await client.query(create);
});
afterAll(async () => {
  await pglite.close();
  await client?.end();
  server?.stop();
});

const NOW = 1_709_251_200_000; // 2024-03-01
const context = { now: NOW };

const inTable = (to: PostgresClient) => postgresEngine(to, { table: 'dates', orderBy: 'pos' });

interface Way {
  /** Whether it has only objects: they do not tell which fields are dates, and have no infinite ones. */
  readonly ofObjects?: true;
  readonly rank: (profile: string) => Promise<TopRanking<object>>;
}

/** Every way to rank the table; servers if they exist. */
const WAYS: Readonly<Record<string, Way>> = {
  objects: {
    ofObjects: true,
    rank: async (profile) => topOfRanking(await (await createPipeline<object>(profile)).rank(OBJECTS, context)),
  },
  'a stream of objects': {
    ofObjects: true,
    rank: async (profile) => (await createPipeline<object>(profile)).rankStream(OBJECTS, context),
  },
  'objects, in a job': {
    ofObjects: true,
    rank: async (profile) => {
      const job = await createJob(profile, { parts: 2 }, context);
      const opened = await openJob(job);
      const merge = opened.merge();
      merge.take(1, await opened.partial(1, OBJECTS.slice(3)));
      merge.take(0, await opened.partial(0, OBJECTS.slice(0, 3)));
      return merge.end();
    },
  },
  columns: {
    rank: async (profile) => topOfRanking(await (await createPipeline<object>(profile)).rank(COLUMNS, context)),
  },
  'a stream of columns': {
    rank: async (profile) => (await createPipeline<object>(profile)).rankStream(COLUMNS, context),
  },
  Parquet: { rank: (profile) => rankFile(profile, PARQUET, context, { workers: 1 }) },
  'Parquet, in two threads': { rank: (profile) => rankFile(profile, PARQUET, context, { workers: 2 }) },
  'Parquet, in memory': {
    rank: async (profile) => {
      const pipeline = await createPipeline<object>(profile);
      return topOfRanking(await pipeline.rank(await readCandidates(PARQUET, {}), context));
    },
  },
  'Parquet, whose numbers DuckDB reads': {
    rank: async (profile) => {
      const bytes = await openFile(PARQUET);
      const table = await openParquet(bytes, PARQUET, 1, 0);
      try {
        const batch = await table.batches()[Symbol.asyncIterator]().next();
        const pipeline = await createPipeline<object>(profile);
        return topOfRanking(await pipeline.rank(rowsOf(batch.value as Columns), context));
      } finally {
        table.close?.();
        await bytes.close();
      }
    },
  },
  Arrow: { rank: (profile) => rankFile(profile, ARROW, context) },
  'DuckDB, Parquet': {
    rank: async (profile) => {
      const engine = await duckDbEngine([PARQUET]);
      return closing(engine, rankWith(profile, engine, context));
    },
  },
  PGlite: {
    rank: async (profile) => {
      const engine = await inTable(pglite);
      return closing(engine, rankWith(profile, engine, context));
    },
  },
  ...(hasPostgres() && {
    PostgreSQL: {
      rank: async (profile) => {
        const engine = await inTable(client!);
        return closing(engine, rankWith(profile, engine, context));
      },
    },
  }),
};
const NAMES = Object.keys(WAYS);
const MISSING = hasPostgres() ? '' : ', PostgreSQL left out';

let profiles = 0;
/** A profile in a file: problems have places in it. */
function profileOf(yaml: string): string {
  const path = file(`profile-${(profiles += 1)}.yaml`);
  writeFileSync(path, yaml);
  return path;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Every reader of dates. */
const PROFILE = `candidate: { pinned: 'candidate.id == "leap day"' }
tier1_scorers:
  - { id: second, expr: 'candidate.day in [timestamp("1970-01-02")]' }
  - { id: early, expr: 'candidate.us < timestamp("0001-01-02")' }
measures:
  - { id: year, expr: candidate.day.getFullYear() }
tier2_scorers:
  - { id: fresh, class: DecayScorer, params: { field: us, curve: { type: exponential, half_life: 7300d } } }
  - { id: step, class: DecayScorer, params: { field: zoned, curve: { type: step, windows: [{ max_age: 1d, score: 1 }, { max_age: 20000d, score: 0.5 }] }, null_timestamp_score: abstain } }
  - { id: line, class: DecayScorer, params: { field: day, curve: { type: linear, scale: 20000d } }, weight: 2 }
  - { id: age, expr: 'clamp((now - candidate.ns) / duration("100000d"), 0, 1)', on_absent: 0.25 }
adjustments:
  - { id: old, when: candidate.us <= timestamp("1969-12-31T23:59:59.999Z"), multiply: 0.5 }
  - { id: modern, when: measures.year > 1969, add: 0.125 }
select: { top: 5, ties: [candidate.day, candidate.us] }
`;

/** The value of an expression of one date; absent if that is. */
const one =
  (field: Field, value: (millis: number) => number) =>
  (row: Dated): number | undefined => {
    const millis = millisOf(row, field);
    return millis === undefined ? undefined : value(millis);
  };

const mod = (value: number, by: number): number => ((value % by) + by) % by;

/** A ranking's report on its rows: the parts of their scores, and the refusedCounts ones and warnings. */
const said = ({ selected, refusedCounts, counts, warnings, degraded }: TopRanking<object>): unknown =>
  plain({
    selected: selected.map(({ id, score, candidate }) => ({ id, score, candidate: datesIn(candidate) })),
    refusedCounts: refusedCounts.map(({ by, kind, count }) => ({ by, kind, count })),
    counts,
    degraded,
    warnings: warnings.filter(({ code }) => code !== 'ASZ725'),
  });

/** The dates of a shown candidate; a database also has the columns that are null. */
const datesIn = (candidate: object): unknown =>
  Object.fromEntries(
    FIELDS.flatMap((field) => {
      const value: unknown = Reflect.get(candidate, field) ?? undefined;
      return value === undefined ? [] : [[field, value instanceof Date ? value.getTime() : ['no Date', value]]];
    }),
  );

/** The value of an expression for each row; −7 if it is absent. */
const valuesOf = async (way: Way, expr: string): Promise<Readonly<Record<string, number | undefined>>> => {
  const yaml = `tier2_scorers: [{ id: value, expr: '${expr}', on_absent: -7 }]\nselect: { top: 20 }\n`;
  const { selected } = await way.rank(profileOf(yaml));
  return Object.fromEntries(selected.map(({ id, score }) => [id, score]));
};

describe(`a date is the same number in every engine${MISSING}`, () => {
  test.each(NAMES)('%s: milliseconds, rounded down; infinite ones are absent', async (name) => {
    for (const field of FIELDS) {
      const expected = Object.fromEntries(TABLE.map((row) => [row.id, millisOf(row, field) ?? -7]));
      // oxlint-disable-next-line no-await-in-loop -- one connection
      expect(await valuesOf(WAYS[name]!, `candidate.${field}`), field).toEqual(expected);
    }
  });

  const EXPRESSIONS: readonly (readonly [expr: string, expected: (row: Dated) => number | null | undefined])[] = [
    [
      '(candidate.us - candidate.day) / duration("1d")',
      (row) => row.day && one('us', (us) => (us - row.day![1]) / DAY)(row),
    ],
    ['(now - candidate.zoned) / duration("365d")', one('zoned', (zoned) => (NOW - zoned) / (365 * DAY))],
    ['timestamp(candidate.ns) / 1e3', one('ns', (ns) => ns / 1e3)],
    ['candidate.day == timestamp("1970-01-02") ? 1 : 0', one('day', (day) => Number(day === DAY))],
    ['candidate.day in [timestamp("1970-01-02"), 0] ? 1 : 0', one('day', (day) => Number(day === DAY || day === 0))],
    ['candidate.us < timestamp("1969-12-31T23:59:59.999Z") ? 1 : 0', one('us', (us) => Number(us < -1))],
    ['candidate.us >= timestamp("1969-12-31T23:59:59.999Z") ? 1 : 0', one('us', (us) => Number(us >= -1))],
    ['timestamp(candidate.text) == candidate.day ? 1 : 0', one('day', (day) => Number(day === DAY))],
    ['candidate.text == "1970-01-02" ? 1 : 0', () => 1],
    ['has(candidate.day) ? 1 : 0', (row) => Number(millisOf(row, 'day') !== undefined)],
    ['has(candidate.day.year) ? 1 : 0', () => 0],
    ['candidate.day == null ? 1 : 0', (row) => Number(millisOf(row, 'day') === undefined)],
    ['candidate.?zoned.orValue(5)', (row) => millisOf(row, 'zoned') ?? 5],
    ['candidate.day.getFullYear()', one('day', (day) => new Date(day).getUTCFullYear())],
    ['candidate.us.getMonth()', one('us', (us) => new Date(us).getUTCMonth())],
    ['candidate.us.getDate()', one('us', (us) => new Date(us).getUTCDate())],
    ['candidate.us.getDayOfMonth()', one('us', (us) => new Date(us).getUTCDate() - 1)],
    ['candidate.day.getDayOfWeek()', one('day', (day) => new Date(day).getUTCDay())],
    [
      'candidate.us.getHours() * 100 + candidate.us.getMinutes()',
      one('us', (us) => new Date(us).getUTCHours() * 100 + new Date(us).getUTCMinutes()),
    ],
    ['candidate.us.getSeconds() * 1000 + candidate.us.getMilliseconds()', one('us', (us) => mod(us, 60_000))],
  ];

  test.each(NAMES)('%s: comparisons, durations, literals, getters', async (name) => {
    for (const [expr, expected] of EXPRESSIONS) {
      // oxlint-disable-next-line no-await-in-loop -- one connection
      const values = await valuesOf(WAYS[name]!, expr);
      expect(values, expr).toEqual(Object.fromEntries(TABLE.map((row) => [row.id, expected(row) ?? -7])));
    }
  });

  test.each(NAMES)('%s: a profile with DecayScorer, rules and ties ranks as objects do', async (name) => {
    const profile = profileOf(PROFILE);
    const expected = said(await WAYS['objects']!.rank(profile));
    expect(said(await WAYS[name]!.rank(profile))).toEqual(expected);
  });

  test('candidates in results have a Date, and JSON has its ISO text', async () => {
    const profile = profileOf('tier2_scorers: [{ id: day, expr: candidate.day }]\nselect: { top: 1 }\n');
    for (const [name, way] of Object.entries(WAYS)) {
      // oxlint-disable-next-line no-await-in-loop -- one connection
      const ranking = await way.rank(profile);
      const [best] = ranking.selected;
      expect(best?.candidate, name).toMatchObject({ us: new Date(253_402_300_799_999) });
      expect(JSON.stringify(best?.candidate), name).toContain('"us":"9999-12-31T23:59:59.999Z"');
      const [term] = explanationParts(ranking.explain(best!)).scorers;
      expect(term?.details, name).toMatchObject([{ id: 'candidate.day', value: '9999-12-31T00:00:00.000Z' }]);
    }
  });

  test('a date as an id is the text of its instant', async () => {
    const profile = profileOf(
      'candidate: { id: day }\ntier2_scorers: [{ id: day, expr: candidate.day }]\nselect: { top: 2 }\n',
    );
    for (const [name, way] of Object.entries(WAYS)) {
      // oxlint-disable-next-line no-await-in-loop -- one connection
      const { selected } = await way.rank(profile);
      expect(
        selected.map(({ id }) => id),
        name,
      ).toEqual(['9999-12-31T00:00:00.000Z', '2024-02-29T00:00:00.000Z']);
    }
  });
});

describe('certain mistakes', () => {
  const typed = NAMES.filter((name) => !WAYS[name]!.ofObjects);

  test.each(typed)('%s: comparing a date with a string is an error of the profile', async (name) => {
    const compared = profileOf(
      `tier1_scorers:\n  - { id: second, expr: 'candidate.day in ["1970-01-02"]' }\ntier2_scorers:\n  - { id: known, expr: 'candidate.us == candidate.text.trim() ? 1 : 0' }\n  - { id: early, expr: 'candidate.ns < "1970" ? 1 : 0' }\nselect: { top: 3 }\n`,
    );
    const error: unknown = await WAYS[name]!.rank(compared).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AssizeError);
    const { problems } = error as AssizeError;
    expect(problems.map(({ code, message, hint, place }) => [code, message, hint, place?.line])).toEqual([
      [
        'ASZ402',
        'second: in compares a date with texts: candidate.day in ["1970-01-02"]',
        'write timestamp("1970-01-02")',
        2,
      ],
      [
        'ASZ402',
        'known: == compares a date with a text: candidate.us == candidate.text.trim() ? 1 : 0',
        'write timestamp(text)',
        4,
      ],
      ['ASZ402', 'early: < compares a date with a text: candidate.ns < "1970" ? 1 : 0', 'write timestamp(text)', 5],
    ]);
  });

  test.each(typed)('%s: warns about infinite dates that are read', async (name) => {
    const yaml = `tier1_scorers: [{ id: never, expr: 'candidate.zoned < timestamp("0001-01-01")' }]\ntier2_scorers: [{ id: day, expr: candidate.day, on_absent: 0 }]\nselect: { top: 3 }\n`;
    const { warnings } = await WAYS[name]!.rank(profileOf(yaml));
    const found = warnings.filter(({ code }) => code === 'ASZ725');
    expect(found.map(({ message }) => message)).toEqual([
      'never: zoned is an infinite date in 1 candidate, and absent there',
      'day: day is an infinite date in 1 candidate, and absent there',
    ]);
  });
});

const python = pythonWithSpark();
const root = fileURLToPath(new URL('../../..', import.meta.url));

describe.skipIf(python === undefined)('Apache Spark (skipped without pyspark)', () => {
  test('reads the same numbers, in a session with a zone, from columns with and without one', async () => {
    const parquet = file('spark.parquet');
    await writeParquet(parquet, `SELECT * FROM (${tableSql(MICROS, 6)}) ORDER BY pos`);
    const fields = 'day date, us timestamp_ntz, ns timestamp_ntz, zoned timestamp, text string, unread timestamp_ntz';
    const table = { table: 'dates', orderBy: 'pos', columns: `pos int, id string, ${fields}`, context };
    const yamls = [
      PROFILE,
      ...FIELDS.map(
        (field) => `tier2_scorers: [{ id: v, expr: candidate.${field}, on_absent: -7 }]\nselect: { top: 20 }\n`,
      ),
    ];
    const translations = await Promise.all(yamls.map((yaml) => translate(profileOf(yaml), 'spark', table)));
    const job = {
      rows: [[1, null, 1, 'a', 'b', true]],
      statements: translations.map(({ sql }) => sql),
      tables: { dates: parquet },
      lines: [],
      command: 'cat',
    };
    const ran = spawnSync(python!, [join(root, 'test/scale/sql/spark.py')], {
      input: JSON.stringify(job),
      encoding: 'utf8',
      maxBuffer: 1e9,
      env: { ...process.env, TZ: 'Asia/Kathmandu' },
    });
    const text = ran.stdout.split('ANSWER')[1];
    expect(text, ran.stderr.slice(-3000)).toBeDefined();
    const { answers } = JSON.parse(text!) as { answers: readonly (string | readonly Record<string, unknown>[])[] };
    for (const [k, answer] of answers.entries()) {
      const [translation, yaml] = [translations[k % yamls.length]!, yamls[k % yamls.length]!];
      if (typeof answer === 'string') throw new Error(`${answer}\n${translation.sql}`);
      // oxlint-disable-next-line no-await-in-loop -- few
      const [found, expected] = [await translation.finish(answer), await WAYS['objects']!.rank(profileOf(yaml))];
      expect(said(found)).toEqual(said(expected));
    }
    await expect(
      translate(profileOf(`tier1_scorers: [{ id: a, expr: 'candidate.us == "1970"' }]\n`), 'spark', table),
    ).rejects.toThrow('== compares a date with a text');
  }, 900_000);
});
