import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCell } from '../../src/data/csv/csv-columns.js';
import type { InputFormat } from '../../src/data/codecs.js';
import type { TextInput } from '../../src/data/candidate-reader.js';
import { parseCandidates } from '../../src/data/read-candidates.js';

async function values(input: TextInput, format: InputFormat = 'csv'): Promise<object[]> {
  const rows: object[] = [];
  for await (const batch of parseCandidates(input, 'rows', format)) rows.push(...batch);
  return rows;
}
const report = async (input: TextInput, format: InputFormat = 'csv'): Promise<string> =>
  values(input, format).then(
    (read) => `${read.length} rows`,
    (error: Error) => error.message,
  );

describe('a cell', () => {
  test.each<[cell: string, value: unknown]>([
    ['', undefined],
    ['  ', undefined],
    ['0', 0],
    ['-12', -12],
    ['3.50', 3.5],
    ['1e-05', 0.00001],
    ['0e9', 0],
    ['-0.00', -0],
    [' 7 ', 7],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', '9007199254740993'],
    ['1e400', '1e400'],
    ['1e-400', '1e-400'],
    ['007', '007'],
    ['+5', '+5'],
    ['.5', '.5'],
    ['1,5', '1,5'],
    ['0x1f', '0x1f'],
    ['Infinity', 'Infinity'],
    ['NaN', 'NaN'],
    ['true', true],
    ['False', false],
    ['TRUE', true],
    ['tRUE', 'tRUE'],
    ['null', 'null'],
    [' a b ', ' a b '],
    ['2026-01-01', '2026-01-01'],
  ])('%j is %j', (cell, value) => {
    expect(parseCell(cell)).toBe(value);
  });

  test('that becomes a number can be written back without loss', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger()), (number) => {
        // The text of a double is one that JSON writes; an integer beyond 2^53 stays a string, which equals its number.
        expect(Number(parseCell(String(number)))).toBe(Object.is(number, -0) ? 0 : number);
      }),
    );
  });

  test('of digits is the same number, or stays a string', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^-?\d{1,25}$/), (text) => {
        const value = parseCell(text);
        expect(String(value)).toBe(text === '-0' ? '0' : text);
      }),
    );
  });
});

describe('a table', () => {
  test.each<[name: string, input: string, format: InputFormat]>([
    ['lines', 'a,b\n1,x\n2,y\n', 'csv'],
    ['CRLF, a byte order mark and blank lines', '\ufeffa,b\r\n\r\n1,x\r\n2,y\r\n', 'csv'],
    ['mixed line ends', 'a,b\n1,x\r\n2,y', 'csv'],
    ['cells in quotes', '"a","b"\r\n"1","x"\r\n"2",y', 'csv'],
    ['tabs', 'a\tb\n1\tx\n2\ty\n', 'tsv'],
  ])('of %s', async (_, input, format) => {
    const read = await values(input, format);
    expect(read).toEqual([
      { a: 1, b: 'x' },
      { a: 2, b: 'y' },
    ]);
    const bytes = Buffer.from(input);
    for (const size of [1, 2, 5]) {
      const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (__, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      expect(await values(parts, format)).toEqual(read);
      expect(await values(Array.from(input), format)).toEqual(read);
    }
  });

  test('without rows, and an empty file', async () => {
    expect(await values('a,b\n')).toEqual([]);
    expect(await values('')).toEqual([]);
  });

  test('whose cells contain separators', async () => {
    const input = 'a,b\n"x,1","two\nlines"\n"say ""no""",é\n';
    expect(await values([Buffer.from(input).subarray(0, 14), Buffer.from(input).subarray(14)])).toEqual([
      { a: 'x,1', b: 'two\nlines' },
      { a: 'say "no"', b: 'é' },
    ]);
  });

  test('whose column names are paths fills maps, without keys for empty cells', async () => {
    const input = 'id,meta.ok,meta.by.name,No. of stars,steps[0],meta["x:y"]\n1,true,,3,z,q\n2,,,,,\n';
    expect(await values(input.replace('meta["x:y"]', '"meta[""x:y""]"'))).toEqual([
      { id: 1, meta: { ok: true, 'x:y': 'q' }, 'No. of stars': 3, 'steps[0]': 'z' },
      { id: 2 },
    ]);
  });

  test('whose column names are properties of Object.prototype', async () => {
    const [row] = await values('__proto__,constructor,__proto__x.__proto__\n1,2,3\n');
    expect(Object.entries(row ?? {})).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
      ['__proto__x', expect.anything()],
    ]);
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('is read as it was written, however the stream is split', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', ' ', 'é', '\t', '1'), maxLength: 6 });
    const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 });
    const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 20 }), async (written, size) => {
        const text = ['x,y,z', ...written.map((row) => row.map(quote).join(','))].join('\r\n');
        const bytes = Buffer.from(text);
        const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        );
        const expected = written.map((row) =>
          Object.fromEntries(
            row.flatMap((content, i) => {
              const value = parseCell(content);
              return value === undefined ? [] : [['xyz'[i]!, value]];
            }),
          ),
        );
        expect(await values(parts)).toEqual(expected);
      }),
    );
  });
});

describe('problems of a table', () => {
  test('rows with too many or too few cells and misplaced quotes are reported together', async () => {
    const input = 'name,stars,by\na,1\nb,2,"x",4\n5" pipe,3,z\n"c" d,4,y\ne,5,"open\nf,6,w\n';
    expect(await report(input)).toMatchInlineSnapshot(`
      "rows:2:4 error ASZ103 found 2 cells, expected 3 as in the first line
        2 | a,1
          |    ^
        write an empty cell for an absent value
      rows:3:9 error ASZ103 found 4 cells, expected 3 as in the first line
        3 | b,2,"x",4
          |         ^
        if a cell contains a separator, put it in quotes
      rows:4:2 error ASZ103 found a quote in a cell that does not start with a quote
        4 | 5" pipe,3,z
          |  ^
        put the whole cell in quotes; inside quotes, write a quote twice: ""
      rows:5:4 error ASZ103 found text after a closing quote, expected a comma or the end of the line
        5 | "c" d,4,y
          |    ^
        inside quotes, write a quote twice: ""
      rows:6:5 error ASZ103 a cell is opened with " and never closed
        6 | e,5,"open
          |     ^
        close it; inside quotes, write a quote twice: ""
      5 problems"
    `);
  });

  test('valid rows are still yielded', async () => {
    const seen: object[] = [];
    const reading = async (): Promise<void> => {
      for await (const batch of parseCandidates('a,b\n1,2\n3" x,4\n5\n6,7\n', 'rows', 'csv')) seen.push(...batch);
    };
    await expect(reading()).rejects.toThrow('2 problems');
    expect(seen).toEqual([
      { a: 1, b: 2 },
      { a: 6, b: 7 },
    ]);
  });

  test('column names: empty, duplicate, or a map that is also a value', async () => {
    expect(await report('a,,b, a ,b.c\n1,2,3,4,5\n')).toMatchInlineSnapshot(`
      "rows:1:3 error ASZ103 a column has no name
        1 | a,,b, a ,b.c
          |   ^
        name the column or remove it
      rows:1:6 error ASZ103 column a occurs twice
        1 | a,,b, a ,b.c
          |      ^
        rename one of them
      rows:1:10 error ASZ103 b.c is a key in b, but b is also a column
        1 | a,,b, a ,b.c
          |          ^
        rename one of them
      3 problems"
    `);
  });

  test('a stray quote is reported with its line, and the rest is not held in memory', async () => {
    const lines = 'some,1\n'.repeat(9362); // 64 KB
    let most = 0;
    let given = 0;
    let taken = 0;
    async function* input(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a,b\nfirst,1\n"stray,2\n');
      for (let part = 0; part < 1000; part++) {
        most = Math.max(most, given - taken);
        given += lines.length;
        yield Buffer.from(lines);
      }
    }
    const reading = async (): Promise<void> => {
      for await (const rows of parseCandidates(input(), 'rows', 'csv')) taken += rows.length * 7;
    };
    const error = await reading().then(
      () => '',
      ({ message }: Error) => message,
    );
    expect(error).toMatch(/^rows:3:1 error ASZ103 a cell is opened with " and not closed within 16 MB\n/);
    expect(taken).toBeGreaterThan(0.9 * given);
    expect(most).toBeLessThan(2 ** 24 + 2 ** 20);
  });

  test('a first line that cannot be read', async () => {
    expect(await report('a,"b\n1,2\n')).toMatchInlineSnapshot(`
      "rows:1:3 error ASZ103 a cell is opened with " and never closed
        1 | a,"b
          |   ^
        close it; inside quotes, write a quote twice: """
    `);
    expect(await report('{"a":1,"b":2}\n')).toMatchInlineSnapshot(`
      "rows:1:2 error ASZ103 found a quote in a cell that does not start with a quote
        1 | {"a":1,"b":2}
          |  ^
        if it is JSON, name it .json or .jsonl"
    `);
  });

  test('another separator', async () => {
    expect(await report('a;b\n1;2\n')).toMatchInlineSnapshot(`
      "rows:1:1 error ASZ103 the cells seem to be separated by semicolons, expected commas
        1 | a;b
          | ^
        save it with commas"
    `);
    expect(await report('a\tb\n1\t2\n')).toMatchInlineSnapshot(`
      "rows:1:1 error ASZ103 the cells seem to be separated by tabs, expected commas
        1 | a	b
          | ^
        name it .tsv"
    `);
    expect(await report('a,b\n1,2\n', 'tsv')).toMatchInlineSnapshot(`
      "rows:1:1 error ASZ103 the cells seem to be separated by commas, expected tabs
        1 | a,b
          | ^
        name it .csv"
    `);
    expect(await report('name,stars\na,1\n', 'jsonl')).toMatchInlineSnapshot(`
      "rows:1:1 error ASZ103 found name, expected a value
        1 | name,stars
          | ^
        if it is CSV, name it .csv or pass --input csv
      rows:2:1 error ASZ103 found a, expected a value
        2 | a,1
          | ^
        write strings in double quotes
      2 problems"
    `);
    expect(await report('a,b\r1,2\r')).toMatchInlineSnapshot(`
      "rows:1:3 error ASZ103 lines end with CR only
        1 | a,b␍1,2
          |   ^
        save the file with LF or CRLF line endings
      rows:1:7 error ASZ103 lines end with CR only
        1 | a,b␍1,2
          |       ^
        save the file with LF or CRLF line endings
      2 problems"
    `);
  });

  test('the line is correct after a cell with line ends', async () => {
    await expect(values('\ufeffa,b\r\n\r\n"x,1","two\r\nlines"\r\n1,2,3\r\n')).rejects.toThrow('rows:5:5');
  });

  test('bytes that are not UTF-8', async () => {
    const latin = Buffer.concat([Buffer.from('a,b\n1,x\n2,caf'), Buffer.of(0xe9), Buffer.from('\n3,y\n')]);
    expect(await report([latin])).toMatchInlineSnapshot(`
      "rows:3:6 error ASZ103 found bytes that are not UTF-8 text
        3 | 2,caf�
          |      ^
        save it as UTF-8"
    `);
    expect(await report([Buffer.from('\ufeffa\tb\n1\t2\n', 'utf16le')], 'tsv')).toMatchInlineSnapshot(`
      "rows:1:1 error ASZ103 found bytes that are not UTF-8 text
        1 | ��a␀	␀b␀
          | ^
        it looks like UTF-16: save it as UTF-8"
    `);
  });

  test('describes the first 20 invalid rows', async () => {
    const message = await report(`a,b\n${'1\n'.repeat(500)}`);
    expect(message).toContain('this row and 479 more cannot be read');
    expect(message.endsWith('21 problems')).toBe(true);
  });
});
