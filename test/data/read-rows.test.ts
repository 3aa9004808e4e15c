import { expect, onTestFinished, test, vi } from 'vitest';
import type { InputFormat } from '../../src/data/codecs.js';
import type { TextInput } from '../../src/data/candidate-reader.js';
import { parseCandidates, readCandidates } from '../../src/data/read-candidates.js';

async function rows(input: TextInput, format: InputFormat = 'jsonl'): Promise<object[]> {
  const read: object[] = [];
  for await (const batch of parseCandidates(input, 'rows', format)) read.push(...batch);
  return read;
}
const report = async (input: TextInput, format: InputFormat = 'jsonl'): Promise<string> =>
  rows(input, format).then(
    (read) => `${read.length} rows`,
    (error: Error) => error.message,
  );

test.each<[name: string, input: string, format: InputFormat, expected: object[]]>([
  ['an object a line', '{"a":1}\n{"a":2}\n', 'jsonl', [{ a: 1 }, { a: 2 }]],
  ['a last line without an end', '{"a":1}\n{"a":2}', 'jsonl', [{ a: 1 }, { a: 2 }]],
  ['blank lines, CRLF and a byte order mark', '\ufeff{"a":1}\r\n\r\n  \r\n{"a":2}\r\n', 'jsonl', [{ a: 1 }, { a: 2 }]],
  ['nothing', '', 'jsonl', []],
  ['a list', '\ufeff[\n  {"a":[1,{}]},{"b":"],["}\n, {"c":1}]', 'json', [{ a: [1, {}] }, { b: '],[' }, { c: 1 }]],
  ['an empty list', ' [ ]', 'json', []],
  ['one object', '\n{"a":1}', 'json', [{ a: 1 }]],
  [
    'graded rows of features',
    '# of one query\r\n\n2 qid:7 1:0.5 3:-1e2 # docid = GX-1 inc = 1\r\n0.5 2:4\n1 #\n1 # x y',
    'libsvm',
    [
      { grade: 2, qid: '7', id: 'GX-1', features: { 1: 0.5, 3: -100 } },
      { grade: 0.5, features: { 2: 4 } },
      { grade: 1, features: {} },
      { grade: 1, id: 'x', features: {} },
    ],
  ],
  [
    'a run of TREC',
    '301 Q0 FR-1 1 9.5 bm25\n301\tQ0\tFR-2\t2\t-1e-3\tbm25 and more\n',
    'trec',
    [
      { query: '301', id: 'FR-1', rank: 1, score: 9.5, tag: 'bm25' },
      { query: '301', id: 'FR-2', rank: 2, score: -0.001, tag: 'bm25' },
    ],
  ],
])('%s', async (_, input, format, expected) => {
  const read = await rows(input, format);
  expect(read).toEqual(expected);
  // The same bytes, split anywhere, are the same rows.
  const bytes = Buffer.from(input);
  for (const size of [1, 2, 3, 7]) {
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (__, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    );
    expect(await rows(parts, format)).toEqual(read);
    expect(await rows(Array.from(input), format)).toEqual(read);
  }
});

test('characters that are split between chunks stay whole', async () => {
  const bytes = Buffer.from('{"a":"日本語 👩‍🚀"}\n{"a":"é"}');
  const parts = [...bytes].map((byte) => Uint8Array.of(byte));
  expect(await rows(parts)).toEqual([{ a: '日本語 👩‍🚀' }, { a: 'é' }]);
});

test('rows are yielded as they are read', async () => {
  const seen: string[] = [];
  async function* input(): AsyncGenerator<string> {
    yield '{"a":1}\n{"a"';
    seen.push('asked for more');
    yield ':2}\n';
  }
  for await (const batch of parseCandidates(input(), 'rows', 'jsonl')) seen.push(JSON.stringify(batch));
  expect(seen).toEqual(['[{"a":1}]', 'asked for more', '[{"a":2}]']);
});

test('a truncated line 500', async () => {
  const lines = Array.from({ length: 600 }, (_, i) => `{"id":${i}}`);
  lines[499] = '{"id":499,"text":"cut';
  expect(await report(lines.join('\n'))).toMatchInlineSnapshot(`
    "rows:500:18 error ASZ103 a string is opened with " and never closed
      500 | {"id":499,"text":"cut
          |                  ^
      write a line break in a string as \\n"
  `);
});

const chunks = (text: string): Buffer[] =>
  Array.from({ length: Math.ceil(text.length / 65_536) }, (_, i) =>
    Buffer.from(text.slice(i * 65_536, (i + 1) * 65_536)),
  );

test('a line of 10 MB, in chunks, whole and broken', async () => {
  const long = `{"text":"${'x'.repeat(10_000_000)}"}\n`;
  expect(await report(chunks(`{"a":1}\n${long}${long}`))).toBe('3 rows');
  expect(await report(chunks(long.replace('"}', '"]')))).toMatchInlineSnapshot(`
    "rows:1:10000011 error ASZ103 Expected ',' or '}' after property value in JSON at position 10000010
      1 | …xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]
        |                                                                                                                                                               ^"
  `);
});

test('every row that is not an object is reported', async () => {
  expect(await report('[1]\n"x"\nnull\n{"a":1}\n  7\n{"a":1,}\ntrue')).toMatchInlineSnapshot(`
    "rows:1:1 error ASZ103 found a list, expected an object
      1 | [1]
        | ^
      JSON Lines has one object per line; if the file is one list, it is JSON: name it .json
    rows:2:1 error ASZ103 found a string, expected an object
      2 | "x"
        | ^
    rows:3:1 error ASZ103 found null, expected an object
      3 | null
        | ^
    rows:5:3 error ASZ103 found a number, expected an object
      5 |   7
        |   ^
    rows:6:7 error ASZ103 found a comma before }
      6 | {"a":1,}
        |       ^
      remove the comma
    rows:7:1 error ASZ103 found a boolean, expected an object
      7 | true
        | ^
    6 problems"
  `);
  expect(await report('[{"a":1},\n 2, [3],\n null]', 'json')).toMatchInlineSnapshot(`
    "rows:2:2 error ASZ103 found a number, expected an object
      2 |  2, [3],
        |  ^
    rows:2:5 error ASZ103 found a list, expected an object
      2 |  2, [3],
        |     ^
    rows:3:2 error ASZ103 found null, expected an object
      3 |  null]
        |  ^
    3 problems"
  `);
  expect(await report('"x"', 'json')).toMatchInlineSnapshot(`
    "rows:1:1 error ASZ103 found a string, expected a list of objects
      1 | "x"
        | ^"
  `);
});

test('line numbers count blank lines, CRLF and a byte order mark correctly', async () => {
  await expect(rows('\ufeff{"a":1}\r\n\r\n  \r\n[2]\r\n')).rejects.toThrow('rows:4:1');
  await expect(rows('\ufeff\n[\r\n  {"a":[1,{}]},{"b":"],["}\n, 2]', 'json')).rejects.toThrow('rows:4:3');
});

test('the hint names the format that the input looks like', async () => {
  expect(await report('[\n')).toMatchInlineSnapshot(`
    "rows:1:2 error ASZ103 found the end of the line, expected ] or a value
      1 | [
        |  ^
      JSON Lines has one object per line; if the file is one list, it is JSON: name it .json"
  `);
  expect(await report('{"a":1}\n{"a":2}\n', 'json')).toMatchInlineSnapshot(`
    "rows:2:1 error ASZ103 found { after the value, expected the end of the file
      2 | {"a":2}
        | ^
      if it has one object per line, it is JSON Lines: name it .jsonl or pass --input jsonl"
  `);
});

test('describes the first 20 invalid rows', async () => {
  const message = await report('a,b\n'.repeat(500));
  expect(message.split('\n').filter((line) => line.startsWith('rows:'))).toHaveLength(21);
  expect(message.split('\n').slice(-4).join('\n')).toMatchInlineSnapshot(`
    "rows:21:1 error ASZ103 this row and 479 more cannot be read
      21 | a,b
         | ^
    21 problems"
  `);
});

test('stops reading after 1,000 invalid rows, in every format', async () => {
  let parts = 0;
  const endless = function* (line: string): Generator<string> {
    for (;;) {
      parts += 1;
      yield line;
    }
  };
  for (const [format, line] of [
    ['jsonl', '[]\n'],
    ['jsonl', '{\n'],
    ['libsvm', 'x\n'],
    ['trec', 'x\n'],
  ] as const) {
    const message = await report(endless(line), format); // oxlint-disable-line no-await-in-loop -- one after another
    expect(message).toContain('this row and 979 more cannot be read; later rows were not read');
  }
  expect(parts).toBe(4000);
  expect(await report(`a,b\n${'1\n'.repeat(5000)}`, 'csv')).toContain('979 more cannot be read; later rows');
  expect(await report(`[${'1,'.repeat(5000)}1]`, 'json')).toContain('979 more cannot be read; later rows');
});

test.each([
  ['blank lines', '\n'.repeat(400_000)],
  ['lines of white space', '  \r\n'.repeat(100_000)],
  ['candidates', '{"a":1}\n'.repeat(200_000)],
  ['broken lines', `{"a":${'[],'.repeat(9000)}\n`.repeat(500)],
  ['long broken lines', `["${'\\n'.repeat(400_000)}\n`.repeat(20)],
])('the event loop runs while %s are read that arrive at once', async (_, text) => {
  await report('{}'); // loads the reader
  await new Promise(setImmediate); // the reader has read the real clock in this iteration of the event loop
  let time = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 20));
  onTestFinished(() => clock.mockRestore());
  let turns = 0;
  const state = { isOver: false };
  const count = (): void => {
    turns += 1;
    if (!state.isOver) setImmediate(count);
  };
  setImmediate(count);
  await report(text);
  state.isOver = true;
  expect(turns).toBeGreaterThan(10);
});

test('many readers together take no longer in one iteration of the event loop than one', async () => {
  await report('{}');
  await new Promise(setImmediate);
  let readings = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => 20 * (readings += 1));
  onTestFinished(() => clock.mockRestore());
  const perTurn: number[] = [];
  const state = { isOver: false };
  const count = (): void => {
    perTurn.push(readings - perTurn.reduce((sum, one) => sum + one, 0));
    if (!state.isOver) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(Array.from({ length: 20 }, () => report('\n'.repeat(10_000))));
  state.isOver = true;
  // The first time, each reader reads the clock once and waits; then one reads it when it begins, and once more.
  expect(Math.max(...perTurn.slice(1))).toBeLessThanOrEqual(3);
  expect(perTurn.length).toBeGreaterThan(100);
});

test('a blank line is not parsed', async () => {
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  expect(await rows(`${'\n \t\r\n'.repeat(1000)}{"a":1}\n`)).toEqual([{ a: 1 }]);
  expect(parse).toHaveBeenCalledTimes(1);
});

test('an error in a long text is found without parsing all of it for its place', async () => {
  const values = '[],'.repeat(1_000_000);
  expect(await report(`{"a":[1,,${values}\n`)).toContain('rows:1:9 error ASZ103 found a comma, expected a value');
  expect(await report(`{"a":[${values}!\n`)).toContain('rows:1:1 error ASZ103 Unexpected token');
  expect(await report(`{"a":"${values}\n`)).toMatch(/^rows:1:3000007 error ASZ103 Unterminated string/);
});

test('bytes that are not UTF-8', async () => {
  const bytes = Buffer.concat([Buffer.from('{"a":1}\n{"b":"é'), Buffer.of(0xe9), Buffer.from('"}\n{"a":2}\n')]);
  expect(await report([bytes])).toMatchInlineSnapshot(`
    "rows:2:8 error ASZ103 found bytes that are not UTF-8 text
      2 | {"b":"é�"}
        |        ^
      save it as UTF-8"
  `);
  expect(await report([bytes], 'json')).toMatchInlineSnapshot(`
    "rows:2:8 error ASZ103 found bytes that are not UTF-8 text
      2 | {"b":"é�"}
        |        ^
      save it as UTF-8"
  `);
  expect(await report([Buffer.from('\ufeff{"a":1}\n', 'utf16le')], 'json')).toMatchInlineSnapshot(`
    "rows:1:1 error ASZ103 found bytes that are not UTF-8 text
      1 | ��{␀"␀a␀"␀:␀1␀}␀
        | ^
      it looks like UTF-16: save it as UTF-8"
  `);
});

test('a row that is nested too deep', async () => {
  expect(await report(`{"a":1}\n{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toMatchInlineSnapshot(`
    "rows:2:105 error ASZ103 the data is nested more than 100 deep
      2 | …[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[…
        |                                                                                  ^"
  `);
});

test.each(['none.json', 'none.jsonl', 'none.csv', 'none'])('%s does not exist', async (file) => {
  await expect(readCandidates(file, {})).rejects.toThrow(`cannot read ${file}: no such file`);
});
