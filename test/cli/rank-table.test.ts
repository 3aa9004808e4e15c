import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetWriteFile } from 'hyparquet-writer';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageVersion } from '../../src/base/node.js';
import { readCandidates } from '../../src/data/node.js';
import { assize, inFolder } from './run-here.js';

const SEARCH = `
tier1_scorers: [{ id: archived, expr: candidate.archived }]
tier2_scorers:
  - { id: popularity, expr: 'candidate.stars / 1000', weight: 3 }
  - { id: wanted, expr: 'candidate.lang == context.lang ? 1 : 0' }
  - { id: scaled, class: ScaledScorer, params: { scorer: { expr: candidate.stars } } }
`;

/** Rows of five queries, sorted by query; ids repeat, and some values are missing. */
const ROWS = Array.from({ length: 60 }, (_, k) => ({
  query_id: `q${Math.floor(k / 12)}`,
  id: k % 7 === 0 ? '🙂, "a"' : `d${k % 9}`,
  stars: k % 11 === 5 ? null : (k * 7919) % 101,
  lang: k % 2 ? 'ts' : 'go',
  archived: k % 13 === 0,
}));
const QUERIES = Array.from({ length: 5 }, (_, q) => ({ id: `q${q}`, context: { lang: q % 2 ? 'go' : 'ts' } }));
/** The rows of a group keep their order. */
const MIXED = Array.from({ length: 12 }, (_, k) => ROWS.filter((_row, at) => at % 12 === k)).flat();

const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const csv = (rows: readonly (typeof ROWS)[number][]): string =>
  `query_id,id,stars,lang,archived\n${rows
    .map(({ query_id, id, stars, lang, archived }) =>
      [query_id, `"${id.replaceAll('"', '""')}"`, stars ?? '', lang, archived].join(','),
    )
    .join('\n')}\n`;
const parquet = (filename: string, rows: readonly (typeof ROWS)[number][]): void => {
  const column = (name: keyof (typeof ROWS)[number]) => ({ name, data: rows.map((row) => row[name] as unknown) });
  parquetWriteFile({
    filename,
    columnData: [
      { ...column('query_id'), data: rows.map(({ query_id }) => query_id), type: 'STRING' },
      { ...column('id'), data: rows.map(({ id }) => id), type: 'STRING' },
      { ...column('stars'), data: rows.map(({ stars }) => stars), type: 'INT32' },
      { ...column('lang'), data: rows.map(({ lang }) => lang), type: 'STRING' },
      { ...column('archived'), data: rows.map(({ archived }) => archived), type: 'BOOLEAN' },
    ],
  });
};

inFolder({
  'search.yaml': SEARCH,
  'rows.jsonl': lines(ROWS),
  'rows.csv': csv(ROWS),
  'mixed.jsonl': lines(MIXED),
  'mixed.csv': csv(MIXED),
  'queries.jsonl': lines(QUERIES),
  'few.jsonl': lines(QUERIES.slice(1)),
  'empty.jsonl': '',
  'big.jsonl': '{"id":1234567890123456789,"stars":1}\n',
  'failing.yaml': 'tier2_scorers: [{ id: stars, expr: 10 / candidate.stars, on_error: fail }]',
  'when.yaml': 'tier2_scorers: [{ id: a, expr: candidate.a, when: context.wanted == 1 }, { id: b, expr: candidate.b }]',
  'wanted.json': '{"wanted":2}',
  'stars.yaml': 'tier2_scorers: [{ id: stars, expr: candidate.stars }]',
  'other.yaml':
    'tier2_scorers: [{ id: stars, expr: candidate.stars }, { id: other, expr: candidate.other, on_absent: 0 }]',
  'novel.yaml': 'tier2_scorers: [{ id: new, class: NoveltyScorer, params: { vector: v, dimensions: 2 } }]',
});

/** The rows that a statement returns in DuckDB. */
async function duckDb(sql: string): Promise<readonly (readonly unknown[])[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows = (await connection.runAndReadAll(sql)).getRows();
  connection.closeSync();
  instance.closeSync();
  return rows;
}

beforeAll(() => {
  parquet('rows.parquet', ROWS);
  parquet('mixed.parquet', MIXED);
});

const groups = [
  'rank',
  '-p',
  './search.yaml',
  '--partition-by',
  'query_id',
  '--queries',
  'queries.jsonl',
  '--top',
  '3',
];

/** Runs a command that must succeed. */
async function run(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await assize(args);
  expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
  return out;
}

type Row = Readonly<Record<string, string | number | null>>;

/** The rows of a table, without missing values. */
const table = async (file: string): Promise<readonly Row[]> =>
  (await readCandidates(file, {})).map(
    (row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row,
  );

const byGroup = (rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((a, b) => Number(a['query_id']! > b['query_id']!) - Number(a['query_id']! < b['query_id']!));

describe('assize rank --output', () => {
  it('writes the same table in every format, from every format', async () => {
    for (const input of ['rows.jsonl', 'rows.csv', 'rows.parquet'])
      for (const output of ['table.jsonl', 'table.csv', 'table.parquet'])
        await run(...groups, input, '--all', '--output', output, '--replace');
    const rows = await table('table.jsonl');
    expect(rows).toHaveLength(60);
    expect(await table('table.parquet')).toEqual(rows);
    // In CSV, a text that is a number becomes one.
    expect(await table('table.csv')).toEqual(rows);
    expect(readFileSync('table.jsonl', 'utf8').split('\n')[0]).toMatchInlineSnapshot(
      `"{"query_id":"q0","id":"d5","index":5,"rank":1,"score":1,"status":"selected","refused_by":null,"reason":null,"score_popularity":null,"score_wanted":1,"score_scaled":null,"contribution_popularity":null,"contribution_wanted":1,"contribution_scaled":null}"`,
    );
    expect(readFileSync('table.csv', 'utf8').split('\n').slice(0, 2).join('\n')).toMatchInlineSnapshot(`
      "query_id,id,index,rank,score,status,refused_by,reason,score_popularity,score_wanted,score_scaled,contribution_popularity,contribution_wanted,contribution_scaled
      q0,d5,5,1,1,selected,,,,1,,,1,"
    `);
  });

  it('leaves the columns of a scorer whose condition is false empty, also in groups that are ranked together', async () => {
    const rows = Array.from({ length: 120 }, (_, k) => `g${Math.floor(k / 3)},d${k},${k % 3},${(k * 7) % 5}\n`);
    writeFileSync('pairs.csv', `query_id,id,a,b\n${rows.join('')}`);
    await duckDb(`COPY (SELECT * FROM 'pairs.csv') TO 'pairs.parquet' (FORMAT parquet)`);
    const options = ['--context', 'wanted.json', '--partition-by', 'query_id'];
    const tables = ['pairs.csv', 'pairs.parquet'].map(async (input) => {
      const output = `${input}.jsonl`;
      await run('rank', '-p', './when.yaml', input, ...options, '--output', output);
      return readFileSync(output, 'utf8');
    });
    const [objects, together] = await Promise.all(tables);
    expect(together).toBe(objects);
    const own = (await table('pairs.parquet.jsonl')).at(-1)!;
    expect(Object.keys(own).filter((name) => /^(score|contribution)_/.test(name))).toEqual([
      'score_b',
      'contribution_b',
    ]);
  });

  it('writes every row with the result that explain shows for it', async () => {
    await run(...groups, 'rows.jsonl', '--all', '-o', 'explained.jsonl');
    const rows = await table('explained.jsonl');
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['selected', 'not_selected', 'refused']));
    for (const row of rows.filter((_, k) => k % 3 === 0)) {
      const { query_id: group, index, rank, score, status, refused_by: by } = row;
      const own = [`@${index}`, 'rows.jsonl', ...groups.slice(1), '--group', String(group), '-f', 'json'];
      const explained = JSON.parse(await run('explain', ...own)) as Explained;
      expect(explained.id).toBe(row['id']);
      expect(explained.outcome.kind).toBe(status === 'refused' ? 'refused' : 'ranked');
      if (status === 'refused') expect(JSON.stringify(explained.outcome)).toContain(String(by));
      else expect(explained).toMatchObject({ value: score, outcome: { score, rank } });
      const combine = explained.details.find(({ kind }) => kind === 'combine');
      const terms = (combine?.details ?? []).filter(({ kind }) => kind === 'scorer');
      if (status !== 'refused') expect(terms).toHaveLength(3);
      if (status !== 'refused')
        for (const { id, contribution = null } of terms)
          expect({ id, contribution }).toEqual({ id, contribution: row[`contribution_${id}`] ?? null });
    }
  });

  it('writes one ranking without groups, of the selected or of all rows', async () => {
    const rank = ['rank', '-p', './search.yaml', 'rows.csv', '--top', '5'];
    expect(await run(...rank, '--output', 'top.jsonl')).toMatchInlineSnapshot(`
      "top.jsonl: 5 rows; 60 candidates, 5 selected, 45 not selected, 10 refused
      "
    `);
    const lists = JSON.parse(await run(...rank, '--format', 'json')) as Record<string, readonly Row[]>;
    const place = ({ id, index, rank: at, score }: Row) => ({ id, index, rank: at, score });
    expect((await table('top.jsonl')).map(place)).toEqual(lists['selected']!.map(place));
    await run(...rank, '--output', 'all.jsonl', '--all');
    const all = await table('all.jsonl');
    expect(all.map(place)).toEqual([...lists['selected']!, ...lists['not_selected']!, ...lists['refused']!].map(place));
    expect(all.filter(({ status }) => status === 'refused').map(({ reason }) => reason)).toEqual(
      lists['refused']!.map(({ reason }) => reason),
    );
  });

  it('describes the table in a manifest', async () => {
    const now = ['--now', '2026-01-01'];
    await run(...groups, ...now, 'rows.jsonl', '--output', 'described.parquet');
    const text = readFileSync('described.parquet.manifest.json', 'utf8');
    const {
      node,
      assize: version,
      ...manifest
    } = JSON.parse(text) as { node: string; assize: string; table: { bytes: number } };
    expect({ node, version }).toEqual({ node: process.version, version: packageVersion() });
    expect(manifest.table.bytes).toBe(statSync('described.parquet').size); // it depends on Node's version
    manifest.table.bytes = 0;
    expect(manifest).toMatchInlineSnapshot(`
      {
        "counts": {
          "given": 60,
          "groups": 5,
          "not_selected": 40,
          "ranked": 55,
          "refused": 5,
          "selected": 15,
        },
        "degraded": [],
        "input": "rows.jsonl",
        "now": "2026-01-01T00:00:00.000Z",
        "options": {
          "partition_by": "query_id",
          "queries": "queries.jsonl",
          "top": 3,
        },
        "profile": {
          "name": "search",
          "sha256": "11bb0d49fa133b11f24847098a7ecf6f838eb39d887287785af317ff11a86b3b",
          "source": "./search.yaml",
        },
        "table": {
          "bytes": 0,
          "columns": [
            "query_id",
            "id",
            "index",
            "rank",
            "score",
            "status",
            "refused_by",
            "reason",
            "score_popularity",
            "score_wanted",
            "score_scaled",
            "contribution_popularity",
            "contribution_wanted",
            "contribution_scaled",
          ],
          "file": "described.parquet",
          "format": "parquet",
          "rows": 15,
        },
      }
    `);
  });

  it('refuses an existing file before it reads anything, and keeps it', async () => {
    writeFileSync('kept.csv', 'kept');
    const { code, err } = await assize([...groups, 'missing.jsonl', '--output', 'kept.csv']);
    expect({ code, err }).toMatchInlineSnapshot(`
      {
        "code": 1,
        "err": "error ASZ604 kept.csv already exists
        pass --replace, or another name
      ",
      }
    `);
    expect(readFileSync('kept.csv', 'utf8')).toBe('kept');
  });

  it('leaves an earlier table and no other file if the run fails', async () => {
    writeFileSync('earlier.jsonl', 'earlier');
    writeFileSync(
      'zero.jsonl',
      lines([
        { q: 1, stars: 1 },
        { q: 2, stars: 'no number' },
      ]),
    );
    const before = readdirSync('.');
    const { code, err } = await assize([
      'rank',
      '-p',
      './failing.yaml',
      'zero.jsonl',
      '--partition-by',
      'q',
      '-o',
      'earlier.jsonl',
      '--replace',
    ]);
    expect(code).toBe(1);
    expect(err).toContain('in group 2: the score entry stars failed on @0');
    expect(readFileSync('earlier.jsonl', 'utf8')).toBe('earlier');
    expect(readdirSync('.')).toEqual(before);
  });

  it('leaves an earlier table and no other file if the manifest cannot be written', async () => {
    writeFileSync('described.jsonl', 'earlier');
    const before = readdirSync('.');
    mkdirSync(`.described.jsonl.${process.pid}.tmp.json`);
    const { code, err } = await assize([...groups, 'rows.jsonl', '-o', 'described.jsonl', '--replace']);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/ASZ542 cannot write described.jsonl: EISDIR/),
    });
    expect(readFileSync('described.jsonl', 'utf8')).toBe('earlier');
    expect(readdirSync('.')).toEqual(before);
  });

  it('finds the group NaN, which readers order after every number', async () => {
    const rows = `SELECT CASE WHEN r = 3 THEN 'NaN'::DOUBLE ELSE r + 0.5 END AS g, r AS stars FROM range(4) t(r)`;
    await duckDb(`COPY (${rows}) TO 'nan.parquet' (FORMAT parquet)`);
    await run('rank', '-p', './stars.yaml', 'nan.parquet', '--partition-by', 'g', '--output', 'nan-ranked.parquet');
    const found = await duckDb(`SELECT score FROM 'nan-ranked.parquet' WHERE g > 1 ORDER BY score`);
    expect(found.flat()).toEqual([1, 2, 3]);
    expect(await duckDb(`SELECT score FROM 'nan-ranked.parquet' WHERE g = 'NaN'::DOUBLE`)).toEqual([[3]]);
  });

  it('writes the columns of an empty input', async () => {
    const empty = ['empty.jsonl', '--output'];
    expect(await run(...groups, ...empty, 'none.csv')).toBe('none.csv: 0 rows; 0 groups, 0 candidates, 0 selected\n');
    await run(...groups, ...empty, 'none.parquet');
    expect(readFileSync('none.csv', 'utf8')).toMatch(/^query_id,id,index,rank,score,.*contribution_scaled\n$/);
    expect(await table('none.parquet')).toEqual([]);
  });

  it('warns about a table without rows, and writes one with the same columns', async () => {
    await duckDb(`COPY (SELECT * FROM 'rows.parquet' LIMIT 0) TO 'nothing.parquet' (FORMAT parquet)`);
    const options = ['--partition-by', 'query_id', '--output', 'nothing-ranked.parquet'];
    const { code, out, err } = await assize(['rank', '-p', './search.yaml', 'nothing.parquet', ...options]);
    expect({ code, out, err }).toEqual({
      code: 0,
      out: 'nothing-ranked.parquet: 0 rows; 0 groups, 0 candidates, 0 selected\n',
      err: 'warning ASZ717 there are no candidates in nothing.parquet\n',
    });
    const columns = await duckDb(`SELECT column_name FROM (DESCRIBE SELECT * FROM 'nothing-ranked.parquet') LIMIT 3`);
    expect(columns.flat()).toEqual(['query_id', 'id', 'index']);
  });

  it.each([1, 6000])('refuses groups of times with microseconds: %i times', async (times) => {
    const rows = `SELECT TIMESTAMP '2026-01-01' + INTERVAL (r) MICROSECONDS AS at, r AS stars FROM range(${times + 1}) t(r)`;
    await duckDb(`COPY (${rows}) TO 'micros-${times}.parquet' (FORMAT parquet)`);
    const options = ['--partition-by', 'at', '--output', 'micros.csv'];
    const { code, err } = await assize(['rank', '-p', './stars.yaml', `micros-${times}.parquet`, ...options]);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('error ASZ502 the times in at have micro') });
    expect(existsSync('micros.csv')).toBe(false);
  });

  it.each([
    [['--output', 'x.parquet', '--into', 't'], '--output and --into both say'],
    [['--into', 't'], '--into needs --database'],
    [['--database', 'x.duckdb'], '--database needs --output or --into'],
    [['--all'], '--all needs --output or --into'],
    [['--replace'], '--replace needs --output or --into'],
    [['--queries', 'queries.jsonl'], '--queries needs --partition-by'],
    [['--sort'], '--sort needs --partition-by'],
    [['--output', 'x.xlsx'], 'x.xlsx has no format of a table'],
    [['--output', 'missing/x.csv'], 'cannot write missing/x.csv'],
    [['--partition-by', 'q['], '--partition-by is "q["'],
    [['--partition-by', 'q', '--format', 'json'], '--format json is for one ranking'],
    [['--all', '--output', 'x.csv', '--engine', 'duckdb'], '--all cannot be combined with --engine'],
    [['--partition-by', 'id', '--output', 'x.csv'], '--partition-by id is the name of another column'],
  ])('refuses %j', async (options, message) => {
    const before = readdirSync('.');
    const { code, err } = await assize(['rank', '-p', './stars.yaml', 'rows.jsonl', ...options]);
    expect({ code, named: err.includes(message) }, err).toEqual({
      code: message.startsWith('cannot') ? 1 : 2,
      named: true,
    });
    expect(readdirSync('.')).toEqual(before);
  });
});

interface Explained {
  readonly id: string;
  readonly value?: number;
  readonly outcome: { readonly kind: string };
  readonly details: readonly { readonly kind: string; readonly details?: readonly Term[] }[];
}

interface Term {
  readonly kind: string;
  readonly id: string;
  readonly contribution?: number;
}

describe('assize rank --partition-by', () => {
  it('writes a table per group, or lines with the group', async () => {
    const two = ['rows.jsonl', '--top', '1'];
    expect((await run(...groups, ...two)).split('\n').slice(0, 16).join('\n')).toMatchInlineSnapshot(`
      "query_id q0
      search: 12 candidates, 1 selected, 10 not selected, 1 refused

      #  id  score  scorers  popularity  wanted  scaled
                                   ×0.6    ×0.2    ×0.2
      ─────────────────────────────────────────────────
      1  d5  1.000   1 of 3           –       1       –

      query_id q1
      search: 12 candidates, 1 selected, 10 not selected, 1 refused

      #  id  score  scorers  popularity  wanted  scaled
                                   ×0.6    ×0.2    ×0.2
      ─────────────────────────────────────────────────
      1  d7  1.000   1 of 3           –       1       –
      "
    `);
    const [first] = (await run(...groups, ...two, '--format', 'jsonl')).split('\n');
    expect(JSON.parse(first!)).toMatchObject({ query_id: 'q0', rank: 1, candidate: { query_id: 'q0' } });
  });

  it('reads contexts from the first row of a group', async () => {
    const from = ['rank', '-p', './search.yaml', 'rows.jsonl', '--partition-by', 'query_id', '--context-from'];
    await run(...from, 'lang', '-o', 'from-lang.jsonl');
    const wanted = (await table('from-lang.jsonl')).filter(({ score_wanted: score }) => score === 1);
    expect(wanted.length).toBeGreaterThan(0);
    for (const { query_id: group, index } of wanted) {
      const rows = ROWS.filter((row) => row.query_id === group);
      expect(rows[Number(index)]!.lang).toBe(rows[0]!.lang);
    }
  });

  it('refuses a group without a query', async () => {
    const few = groups.map((one) => (one === 'queries.jsonl' ? 'few.jsonl' : one));
    expect(await assize([...few, 'rows.jsonl', '-o', 'few.csv'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('ASZ541 in group "q0": few.jsonl has no row with the id "q0"') as string,
    });
    expect(existsSync('few.csv')).toBe(false);
  });

  it.each(['jsonl', 'csv', 'parquet'])('sorts rows of %s for a table, with the same result', async (format) => {
    await run(...groups, `rows.${format}`, '--all', '-o', `expected-${format}.jsonl`);
    const { code, err } = await assize([...groups, `mixed.${format}`, '--all', '-o', `sorted-${format}.jsonl`]);
    const [first, , , ...warnings] = err.split('\n');
    expect({ code, first }).toEqual({
      code: 0,
      first: `the rows of mixed.${format} are not grouped by query_id: sorting them with DuckDB`,
    });
    expect(warnings[0]).toMatch(/^ {2}in the first 5 groups, such as q0: 2 candidates have the id/);
    expect(byGroup(await table(`sorted-${format}.jsonl`))).toEqual(await table(`expected-${format}.jsonl`));
    const lineOf = async (file: string, ...sort: readonly string[]) =>
      (await run(...groups, file, '--format', 'jsonl', ...sort)).split('\n').toSorted();
    const sorted = await lineOf(`mixed.${format}`, '--sort');
    expect(sorted).toEqual(await lineOf(`rows.${format}`));
  });

  it('sorts a file that lacks a field of the profile', async () => {
    const other = ['rank', '-p', './other.yaml', '--partition-by', 'query_id', '--sort', '--format', 'jsonl'];
    const idsOf = (out: string) => out.split('\n').map((line) => line.slice(0, line.indexOf('"scores"')));
    expect(idsOf(await run(...other, 'mixed.parquet'))).toEqual(idsOf(await run(...other, 'rows.parquet')));
    const nowhere = other.map((one) => (one === 'query_id' ? 'nowhere' : one));
    expect((await assize([...nowhere, 'mixed.parquet'])).err).toMatch(
      /ASZ541 --partition-by is nowhere, of which no row of mixed.parquet has a value/,
    );
  });

  it('sorts standard input with --sort', async () => {
    const sorted = [...groups, '--sort', '--format', 'jsonl'];
    const expected = await run(...groups, 'rows.jsonl', '--format', 'jsonl');
    for (const stdin of [lines(MIXED), JSON.stringify(MIXED)]) {
      const { code, out } = await assize(sorted, { stdin });
      expect({ code, out: out.split('\n').toSorted() }).toEqual({ code: 0, out: expected.split('\n').toSorted() });
    }
  });

  it('refuses rows that are not grouped if it cannot sort them again', async () => {
    const refused = {
      code: 1,
      err: expect.stringContaining('ASZ536 row 5, counted from 0, belongs to an earlier group') as string,
    };
    expect(await assize([...groups, 'mixed.jsonl'])).toMatchObject(refused);
    const piped = await assize([...groups, '-o', 'piped.csv'], { stdin: lines(MIXED) });
    expect(piped).toMatchObject(refused);
    const vectors = MIXED.map((row, k) => ({ ...row, v: [1, k] }));
    writeFileSync('vectors.jsonl', lines(vectors));
    const novel = ['rank', '-p', './novel.yaml', 'vectors.jsonl', '--partition-by', 'query_id', '-o', 'novel.csv'];
    expect(await assize(novel)).toMatchObject(refused);
  });

  it('does not explain two groups as one', async () => {
    writeFileSync(
      'alike.jsonl',
      lines([
        { q: 1, stars: 1 },
        { q: '1', stars: 2 },
      ]),
    );
    const own = ['-p', './stars.yaml', '--partition-by', 'q', '--group', '1'];
    expect(await assize(['explain', '@0', 'alike.jsonl', ...own])).toMatchObject({
      code: 1,
      err: expect.stringContaining('ASZ504 two groups of alike.jsonl are written "1": q is a text in some rows'),
    });
  });

  it('names the group that explain and compare do not find', async () => {
    const own = ['d1', 'rows.jsonl', ...groups.slice(1)];
    expect((await assize(['explain', ...own])).err).toContain('--partition-by needs --group');
    expect((await assize(['explain', 'd1', 'rows.jsonl', '-p', './search.yaml', '--group', 'q0'])).err).toContain(
      '--group needs --partition-by',
    );
    expect((await assize(['explain', ...own, '--group', 'q9'])).err).toContain(
      'no row of rows.jsonl has "q9" as query_id',
    );
    expect((await assize(['compare', 'd1', 'd2', ...own.slice(1), '--group', 'q1'])).code).toBe(0);
  });

  it('keeps the type of the groups in Parquet', async () => {
    const typed = async (keys: readonly unknown[]) => {
      writeFileSync('typed.jsonl', lines(keys.map((q) => ({ q, stars: 1 }))));
      await run('rank', '-p', './stars.yaml', 'typed.jsonl', '--partition-by', 'q', '-o', 'typed.parquet', '--replace');
      const instance = await DuckDBInstance.create(':memory:');
      const connection = await instance.connect();
      const read = await connection.runAndReadAll("SELECT any_value(typeof(q)), list(q::VARCHAR) FROM 'typed.parquet'");
      const [[type, list]] = read.getRowsJson() as [[string, string[]]];
      connection.closeSync();
      instance.closeSync();
      return [type, list];
    };
    expect(await typed([3, 1, null])).toEqual(['BIGINT', ['3', '1', null]]);
    expect(await typed([0.5, 1])).toEqual(['DOUBLE', ['0.5', '1.0']]);
    expect(await typed([true, false])).toEqual(['BOOLEAN', ['true', 'false']]);
    expect(await typed(['a', 1, null])).toEqual(['VARCHAR', ['a', '1', null]]);
  });
});

describe('assize rank --into', () => {
  it('writes a table of a DuckDB file, with a manifest as its comment', async () => {
    const into = [...groups, 'rows.parquet', '--all', '--database', 'results.duckdb', '--into', 'ranked'];
    expect(await run(...into)).toMatch(/^table ranked of results.duckdb: 60 rows; 5 groups, 60 candidates/);
    const { code, err } = await assize(into);
    expect({ code, err }).toEqual({
      code: 1,
      err: 'error ASZ604 the table ranked of results.duckdb already exists\n  pass --replace\n',
    });
    await run(...into, '--replace');
    const instance = await DuckDBInstance.create('results.duckdb');
    const connection = await instance.connect();
    const [count] = (await connection.runAndReadAll('SELECT count(*)::INT FROM ranked')).getRows();
    expect(count).toEqual([60]);
    const comments = await connection.runAndReadAll("SELECT comment FROM duckdb_tables() WHERE table_name = 'ranked'");
    expect(JSON.parse(String(comments.getRows()[0]![0]))).toMatchObject({ table: { rows: 60 }, counts: { groups: 5 } });
    connection.closeSync();
    instance.closeSync();
  });
});

describe('values that a table would get wrong', () => {
  it('an id beyond 2^53 is refused, because it has lost digits', async () => {
    const { code, err } = await assize('rank -p ./stars.yaml big.jsonl --output big.csv'.split(' '));
    expect(code).toBe(1);
    expect(err).toContain('ASZ502 the id 1234567890123456800 is beyond 2^53, so it may have lost digits');
    expect(readdirSync('.').filter((name) => name.startsWith('big.csv'))).toEqual([]);
  });

  it('a file of rows is not a database', async () => {
    const { code, err } = await assize(
      'rank -p ./stars.yaml rows.jsonl --into ranked --database rows.parquet'.split(' '),
    );
    expect(code).toBe(1);
    expect(err).toContain('ASZ567 rows.parquet has the name of a file of rows, not of a database');
  });
});

describe('a field that no row has', () => {
  it.each(['rows.jsonl', 'rows.csv', 'rows.parquet'])(
    'is an error as --partition-by, and no file is written: %s',
    async (file) => {
      const { code, err } = await assize(
        `rank -p ./stars.yaml ${file} --partition-by queryid --output typo.csv`.split(' '),
      );
      expect(code).toBe(1);
      expect(err).toContain(`ASZ541 --partition-by is queryid, of which no row of ${file} has a value`);
      expect(err).toContain('did you mean query_id?');
      expect(readdirSync('.').filter((name) => name.includes('typo'))).toEqual([]);
    },
  );

  it('is an error as --context-from', async () => {
    const { code, err } = await assize(
      'rank -p ./stars.yaml rows.jsonl --partition-by query_id --context-from langg'.split(' '),
    );
    expect(code).toBe(1);
    expect(err).toContain('ASZ541 --context-from is langg, of which no row of rows.jsonl has a value');
  });
});
