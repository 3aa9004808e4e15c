import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Problem } from '../../../../../src/base/problem.js';
import { type DatasetOptions, readDataset } from '@assize/evaluate';
import { temporaryFolder } from '../../../../../test/temporary-folder.js';

const before = process.cwd();
const folder = temporaryFolder('assize-dataset-');
beforeAll(() => process.chdir(folder));
afterAll(() => process.chdir(before));

/** Writes files, and reads the first as a dataset. */
async function read(files: Readonly<Record<string, string>>, options: DatasetOptions = {}) {
  for (const [name, text] of Object.entries(files)) writeFileSync(name, text);
  return readDataset(Object.keys(files)[0]!, options);
}

const report = (...asked: Parameters<typeof read>): Promise<string> =>
  read(...asked).then(
    () => 'fine',
    (error: Error) => error.message,
  );

const FILMS = 'query,id,votes,played,source\nsea,x,3,2,a\nsea,y,1,0,a\nsky,x,7,,b\nsky,z,4,true,b\n';

describe('queries, candidates and judgements', () => {
  test('one row per query, judged by id or by position, in either spelling', async () => {
    const lines = [
      { id: 1, context: { q: 'sea' }, candidates: [{ id: 'x' }, { id: 'y' }], judgements: { x: 2, gone: 1, y: false } },
      { id: 'b', candidates: [{ id: 'x' }, { id: 'y' }], judgments: [null, true], source: 'web' },
    ];
    const { queries, hasQueries } = await read(
      { 'queries.jsonl': lines.map((line) => JSON.stringify(line)).join('\n') },
      { context: { now: 5 } },
    );
    expect(hasQueries).toBe(true);
    expect(queries).toEqual([
      { id: '1', context: { now: 5, q: 'sea' }, candidates: [{ id: 'x' }, { id: 'y' }], grades: [2, 0], missing: [1] },
      { id: 'b', context: { now: 5 }, candidates: [{ id: 'x' }, { id: 'y' }], grades: [undefined, 1] },
    ]);
  });

  test('candidates of a group with a label, which is removed from them', async () => {
    const { queries, label } = await read(
      { 'films.csv': FILMS },
      { group: 'query', label: 'played', contextFrom: ['query', 'of=source'], groupBy: 'source', foldsBy: 'query' },
    );
    expect(label).toBe('played');
    expect(queries).toEqual([
      {
        id: 'sea',
        context: { query: 'sea', of: 'a' },
        candidates: [
          { query: 'sea', id: 'x', votes: 3, source: 'a' },
          { query: 'sea', id: 'y', votes: 1, source: 'a' },
        ],
        grades: [2, 0],
        group: 'a',
        fold: 'sea',
      },
      {
        id: 'sky',
        context: { query: 'sky', of: 'b' },
        candidates: [
          { query: 'sky', id: 'x', votes: 7, source: 'b' },
          { query: 'sky', id: 'z', votes: 4, source: 'b' },
        ],
        grades: [undefined, 1],
        group: 'b',
        fold: 'sky',
      },
    ]);
  });

  test('a label inside a map: its neighbours stay, and the input row is not changed', async () => {
    const row = { id: 1, metadata: { success: true, source: 'web', deep: { er: 1 } } };
    const { queries, hasQueries } = await read(
      { 'one.json': JSON.stringify([row, { id: 2 }]) },
      { label: 'metadata.success' },
    );
    expect(hasQueries).toBe(false);
    expect(queries[0]).toMatchObject({
      id: 'all',
      candidates: [{ id: 1, metadata: { source: 'web', deep: { er: 1 } } }, { id: 2 }],
      grades: [1, undefined],
    });
    expect(queries[0]!.candidates[0]).not.toHaveProperty('metadata.success');
  });

  test.each<[string, string, string]>([
    ['TREC qrels', 'j.qrels', 'sea 0 x 2\nsea 0 gone 1\nsky 0 z 0\n'],
    ['CSV', 'j.csv', 'query,id,grade\nsea,x,2\nsea,gone,1\nsky,z,0\n'],
    [
      'JSON Lines with other names',
      'j.jsonl',
      '{"qid":"sea","docid":"x","label":2}\n{"qid":"sea","docid":"gone","label":1}\n{"qid":"sky","docid":"z","label":false}',
    ],
    ['the list of RankLib', 'j.txt', '# judged by hand\n2 qid:sea # x ship\n1 qid:sea # gone\n0 qid:sky # z'],
  ])('judgements as %s', async (_, name, text) => {
    const { queries } = await read({ 'films.csv': FILMS, [name]: text }, { judgements: name });
    expect(queries.map(({ id, grades, missing }) => ({ id, grades, missing }))).toEqual([
      { id: 'sea', grades: [2, undefined], missing: [1] },
      { id: 'sky', grades: [undefined, 0], missing: undefined },
    ]);
  });

  test('LIBSVM, with its queries, and without them', async () => {
    const text = '2 qid:7 1:0.5 3:-1e2 # docid = GX-1 inc = 1\n0 qid:7 2:4\n1 qid:8 1:1 # x y\n';
    const { queries } = await read({ 'letor.txt': text });
    expect(queries).toEqual([
      {
        id: '7',
        context: {},
        candidates: [
          { qid: '7', id: 'GX-1', features: { 1: 0.5, 3: -100 } },
          { qid: '7', features: { 2: 4 } },
        ],
        grades: [2, 0],
      },
      { id: '8', context: {}, candidates: [{ qid: '8', id: 'x', features: { 1: 1 } }], grades: [1] },
    ]);
    const plain = text.replaceAll(/ qid:\d/g, '');
    expect((await read({ 'rank.train': plain })).hasQueries).toBe(false);
    const sized = await read({ 'rank.train': plain, 'rank.train.query': '2\n1\n' });
    expect(sized.queries.map(({ id, grades }) => [id, ...grades])).toEqual([
      ['1', 2, 0],
      ['2', 1],
    ]);
    expect(await report({ 'rank.train': plain, 'rank.train.query': '2\n2\n' })).toContain('add up to 4');
  });

  test('a TREC run, with qrels', async () => {
    const { queries } = await read(
      { 'bm25.run': '301 Q0 FR-1 1 9.5 bm25\n301 Q0 FR-2 2 8 bm25\n', 'qrels.txt': '301 0 FR-2 1\n' },
      { judgements: 'qrels.txt' },
    );
    expect(queries).toMatchObject([{ id: '301', grades: [undefined, 1], candidates: [{ score: 9.5 }, { rank: 2 }] }]);
  });

  test('one set of candidates for each query of a file', async () => {
    const { queries, hasQueries } = await read(
      {
        'docs.jsonl': '{"id":"x"}\n{"id":"y"}',
        'queries.jsonl': '{"id":1,"text":"sea","by":"me"}\n{"id":2,"text":"sky","by":"you"}',
        'qrels.txt': '1 0 x 1\n2 0 y 1',
      },
      { queries: 'queries.jsonl', judgements: 'qrels.txt', contextFrom: ['query=text'], groupBy: 'by' },
    );
    expect(hasQueries).toBe(true);
    expect(queries).toMatchObject([
      { id: '1', context: { text: 'sea', query: 'sea' }, grades: [1, undefined], group: 'me' },
      { id: '2', context: { text: 'sky', query: 'sky' }, grades: [undefined, 1], group: 'you' },
    ]);
    expect(queries[0]!.candidates[0]).toBe(queries[1]!.candidates[0]);
  });

  test('groups and folds of data without queries', async () => {
    const { queries } = await read({ 'films.csv': FILMS }, { label: 'played', groupBy: 'source', foldsBy: 'id' });
    expect(queries[0]).toMatchObject({
      candidateGroups: ['a', 'a', 'b', 'b'],
      candidateFolds: ['x', 'y', 'x', 'z'],
    });
  });
});

test('skips queries without judgements, and judged queries that do not exist, with warnings', async () => {
  const warnings: Problem[] = [];
  const { queries } = await read(
    { 'films.csv': FILMS, 'j.qrels': 'sky 0 z 1\nland 0 z 1\n' },
    { group: 'query', judgements: 'j.qrels', warn: (warning) => warnings.push(warning) },
  );
  expect(queries.map(({ id }) => id)).toEqual(['sky']);
  expect(warnings).toEqual([
    { code: 'ASZ732', message: '1 of 2 judged queries have no candidates, and are skipped' },
    { code: 'ASZ731', message: '1 of 2 queries have no judgements, and are skipped' },
  ]);
});

test('counts judged ids that are not among the candidates in a warning', async () => {
  const warnings: Problem[] = [];
  const judged = Array.from({ length: 40 }, (_, k) => `sky 0 ${k === 0 ? 'z' : `gone${k}`} 1`).join('\n');
  const { queries } = await read(
    { 'films.csv': FILMS, 'j.qrels': `${judged}\nsea 0 x 1\n` },
    { group: 'query', judgements: 'j.qrels', warn: (warning) => warnings.push(warning) },
  );
  expect(queries.map(({ missing }) => missing?.length ?? 0)).toEqual([0, 39]);
  expect(warnings).toMatchObject([
    {
      code: 'ASZ733',
      message: '39 of 41 judged ids, of 1 of 2 queries, are not among the candidates, and count as missed',
    },
  ]);
});

test('rows of queries have their context as fields, or under context', async () => {
  const pool = 'id,text\nx,the sea\ny,the sky\n';
  const flat = [{ id: 'a', query: 'sea', lang: 'en' }];
  const nested = [{ id: 'a', context: { query: 'sea', lang: 'en' } }];
  const mixed = [{ id: 'a', lang: 'en', context: { query: 'sea' } }];
  for (const rows of [flat, nested, mixed]) {
    const { queries } = await read(
      { 'pool.csv': pool, 'q.jsonl': rows.map((row) => JSON.stringify(row)).join('\n'), j: 'a 0 x 1' },
      { queries: 'q.jsonl', judgements: 'j' },
    );
    expect(queries[0]).toMatchObject({ context: { query: 'sea', lang: 'en' }, grades: [1, undefined] });
  }
});

test('candidates without a query belong to the only judged query', async () => {
  const { queries, hasQueries } = await read({ 'a.csv': 'id\nx\ny\n', j: 'a 0 y 1' }, { judgements: 'j' });
  expect(hasQueries).toBe(true);
  expect(queries).toMatchObject([{ id: 'a', grades: [undefined, 1] }]);
});

test('skips queries whose candidates have one grade, on request', async () => {
  const text = 'q,id,g\na,x,1\na,y,1\nb,x,1\nb,y,0\n';
  const { queries } = await read({ 'a.csv': text }, { group: 'q', label: 'g', rankable: true });
  expect(queries.map(({ id }) => id)).toEqual(['b']);
  expect(await report({ 'a.csv': 'q,id,g\na,x,1\n' }, { group: 'q', label: 'g', rankable: true })).toContain(
    'all candidates of each query have the same grade, and rankable skips such queries',
  );
});

describe('problems have their place', () => {
  test.each<[string, Readonly<Record<string, string>>, DatasetOptions, string]>([
    [
      'an invalid label',
      { 'a.csv': 'id,played\nx,1\n\n"y\nz",often\n' },
      { label: 'played' },
      'a.csv:4:1 error ASZ103 the label played is the string "often"; expected a number',
    ],
    [
      'a candidate without a query',
      { 'a.jsonl': '{"id":1,"q":"a","g":1}\n\n{"id":2,"g":1}' },
      { group: 'q', label: 'g' },
      'a.jsonl:3:1 error ASZ103 q, the id of the query, is nothing',
    ],
    [
      'the same in JSON',
      { 'a.json': '[\n{"id":1,"q":"a","g":1},\n{"id":2,"g":1}]' },
      { group: 'q', label: 'g' },
      'a.json:3:1 error ASZ103 q, the id of the query',
    ],
    [
      'a query without candidates',
      { 'a.jsonl': '{"id":1,"candidates":[]}\n{"id":2,"candidates":3}' },
      {},
      'a.jsonl:2:1 error ASZ103 query 2: the candidates are the number 3',
    ],
    ['an invalid candidate', { 'a.jsonl': '{"id":1,"candidates":[{},5]}' }, {}, 'query 1: candidate 1 is the number 5'],
    [
      'too few judgements',
      { 'a.jsonl': '{"id":1,"candidates":[{}],"judgements":[1,2]}' },
      {},
      'found 2 grades for 1 candidates; expected one for each',
    ],
    [
      'an invalid judgement',
      { 'a.jsonl': '{"id":1,"candidates":[{}],"judgements":{"x":"good"}}' },
      {},
      'the grade of x is the string "good"',
    ],
    [
      'a query twice',
      { 'a.jsonl': '{"id":1,"candidates":[{}],"judgements":[1]}\n{"id":"1","candidates":[{}],"judgements":[1]}' },
      {},
      'two queries have the id 1',
    ],
    [
      'a judged id twice',
      { 'a.csv': 'q,id\na,x\na,x\n', j: 'a 0 x 1' },
      { group: 'q', judgements: 'j' },
      'a.csv:3:1 error ASZ103 query a has two candidates with the judged id x',
    ],
    [
      'judged twice',
      { 'a.csv': 'q,id\na,x\n', 'j.csv': 'query,id,grade\na,x,1\na,x,2\n' },
      { group: 'q', judgements: 'j.csv' },
      'j.csv:3:1 error ASZ103 x is judged twice for query a',
    ],
    [
      'other columns',
      { 'a.csv': 'q,id\na,x\n', 'j.csv': 'query,key,grade\na,x,1\n' },
      { group: 'q', judgements: 'j.csv' },
      'found query, key, grade',
    ],
    [
      'other ids',
      { 'a.csv': 'q,key\na,x\n', j: 'a 0 x 1' },
      { group: 'q', judgements: 'j' },
      'the first candidate, of query a, has nothing as id',
    ],
    ['no judgements', { 'a.csv': 'q,id\na,x\n' }, { group: 'q' }, 'nothing is judged'],
    [
      'a label that no row has',
      { 'a.csv': 'q,id\na,x\n' },
      { group: 'q', label: 'played' },
      'no candidate has played\n  the first candidate has q, id',
    ],
    [
      'a label by nearly its name, within a map',
      { 'a.jsonl': '{"id":"x","metadata":{"success":true}}' },
      { label: 'metadata.sucess' },
      'no candidate has metadata.sucess\n  did you mean metadata.success?',
    ],
    [
      'a query without candidates',
      { 'a.csv': 'query,id,y\na,x,1\nb,x,0\n' },
      { group: 'querry', label: 'y' },
      'ASZ541 no candidate has querry, the id of its query\n  did you mean query?',
    ],
    ['a label that no line has', { 'a.csv': 'q,id,y\na,x,\n' }, { group: 'q', label: 'y' }, 'nothing is judged'],
    [
      'both kinds of judgements',
      { 'a.csv': 'q,id\na,x\n', j: 'a 0 x 1' },
      { label: 'q', judgements: 'j' },
      'remove one of the two',
    ],
    ['an invalid path', { 'a.csv': 'q,id\na,x\n' }, { label: 'a..b' }, 'label is "a..b"'],
    ['a label in a list', { 'a.csv': 'q,id\na,x\n' }, { label: 'steps[].good' }, 'goes through a list'],
    [
      'an invalid feature',
      { 'a.libsvm': '1 qid:1 1:0.5\n1 qid:1 x:0.5' },
      {},
      'a.libsvm:2:1 error ASZ103 a feature is "x:0.5"',
    ],
    ['a feature twice', { 'a.libsvm': '1 qid:1 1:0.5 1:2' }, {}, 'feature 1 occurs twice'],
    ['an invalid grade', { 'a.libsvm': 'good qid:1 1:0.5' }, {}, 'the grade is "good"'],
    ['a run cut off', { 'a.run': '301 Q0 FR-1 1' }, {}, 'expected six columns'],
    ['no file', { 'a.csv': 'q,id\na,x\n' }, { judgements: 'nowhere' }, 'cannot read nowhere'],
    ['nothing', { 'a.jsonl': '' }, {}, 'nothing is judged'],
  ])('%s', async (_, files, options, expected) => {
    expect(await report(files, options)).toContain(expected);
  });

  test('are one problem if more than three rows have the same', async () => {
    const rows = Array.from({ length: 21 }, (_, k) => `{"id":"x${k}","grade":1}\n`).join('');
    const message = await report({ 'a.jsonl': '{"id":"x1"}', 'j.jsonl': rows }, { judgements: 'j.jsonl' });
    expect(message).toMatchInlineSnapshot(`
      "j.jsonl:1:1 error ASZ103 the query of this judgement is nothing; 21 rows have this problem, also line 2, line 3, …
        1 | {"id":"x0","grade":1}
          | ^
        the fields of a judgement are query, id and grade; found id, grade. For data without queries, put the grades into the candidates, and name their field: --label grade"
    `);
  });

  test('shows the first of many problems, and counts the others', async () => {
    const rows = Array.from({ length: 500 }, (_, k) => `x${k},often${k}`).join('\n');
    const message = await report({ 'a.csv': `id,played\n${rows}` }, { label: 'played' });
    expect(message).toContain('a.csv:2:1');
    expect(message).toContain('a.csv:22:1 error ASZ103 this row and 479 more cannot be read');
  });

  test('numbers the rows of standard input', async () => {
    async function* stdin() {
      yield '{"id":1,"g":1}\n{"id":2,"g":"x"}\n';
    }
    await expect(readDataset('-', { label: 'g', stdin: stdin() })).rejects.toThrow('row 2 of stdin: the label g is');
  });
});
