/* A profile that is proposed from the columns of a file. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { parquetWriteFile } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { columnFacts } from '../../src/cli/new/column-facts.js';
import { proposeProfile } from '../../src/cli/new/propose-profile.js';
import { assize, inFolder } from './run-here.js';

const FLATS = `address,rent,rooms,transit.minutes,pets,available,district_id,city
Elm Street 4,1450,3,12,true,2026-07-01,1,Bern
Harbour Row 1,2100,4,N/A,,2026-06-15,2,Bern
Mill Lane 9,980,2,31,false,2026-06-01,1,Bern
Park Side 22,1250,3,,true,2026-09-01,3,Bern
`;

inFolder({ 'flats.csv': FLATS, 'flats.yml': FLATS });

describe('assize new profile --from', () => {
  it('finds the format of dates that are not ISO 8601', async () => {
    const rows = ['3.1.2026,01/02/2026,4', '22.11.2025,03/04/2026,5', '1.10.2025,05/06/2026,6'];
    writeFileSync('dates.csv', `seen,due,n\n${rows.join('\n')}\n`);
    expect((await assize(['init', 'dates.csv', '--now', '2026-06-01'])).code).toBe(0);
    const yaml = readFileSync('dates.yaml', 'utf8');
    expect(yaml).toContain('  - id: seen # 2025-10-01 to 2026-01-03\n    class: DecayScorer\n');
    expect(yaml).toContain('params: { field: seen, format: d.M.yyyy, curve: ');
    expect(yaml).toContain(
      '# Dates in several formats, or without a certain order of day and month: DecayScorer has the param format:\n#   due\n',
    );
    const { code, err } = await assize(['rank', '-p', './dates.yaml', '--now', '2026-06-01', 'dates.csv']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  it('finds the dates of a Parquet file', async () => {
    parquetWriteFile({
      filename: 'seen.parquet',
      columnData: [{ name: 'seen', data: [new Date('2025-10-01'), new Date('2026-01-03')], type: 'TIMESTAMP' }],
    });
    expect((await assize(['init', 'seen.parquet', '--now', '2026-06-01'])).code).toBe(0);
    expect(readFileSync('seen.yaml', 'utf8')).toContain(
      '  - id: seen # 2025-10-01 to 2026-01-03\n    class: DecayScorer\n',
    );
  });

  it('writes a scorer for each number and date, and names the commands that use it', async () => {
    expect(await assize(['new', 'profile', 'home', '--from', 'flats.csv', '--now', '2026-10-01'])).toMatchObject({
      code: 0,
      out: 'wrote home.yaml\n\nassize check ./home.yaml\nassize rank --profile ./home.yaml --absent N/A flats.csv\n',
      err: expect.stringContaining('ASZ726'),
    });
    expect(readFileSync('home.yaml', 'utf8')).toMatchInlineSnapshot(`
      "# yaml-language-server: $schema=./node_modules/assize/config/profile.schema.json
      name: home
      description: 'Proposed from the columns of flats.csv (4 rows).'

      candidate: { id: address }

      # Tier 1: a candidate is refused if one of these is true (for the opposite, write == false behind it).
      # To use one, remove the # before it and before tier1_scorers.
      # tier1_scorers:
      #   - { id: pets, expr: candidate.pets }

      # A candidate without a value in a column is scored by its other columns.
      defaults: { on_absent: skip, on_error: skip }

      # Tier 2: each gives a number from 0 to 1, and the score is their weighted mean. Change the weights.
      # If less of a number is better, put - before its field.
      tier2_scorers:
        - id: rent # 980 to 2100; less is better, by its name
          class: ScaledScorer
          params: { scorer: { expr: '-candidate.rent' }, scale: { type: min_max } }
          weight: 1
        - id: rooms # 2 to 4
          class: ScaledScorer
          params: { scorer: { expr: candidate.rooms }, scale: { type: min_max } }
          weight: 1
        - id: transit_minutes # 12 to 31
          class: ScaledScorer
          params: { scorer: { expr: candidate.transit.minutes }, scale: { type: min_max } }
          weight: 1
        - id: available # 2026-06-01 to 2026-09-01
          class: DecayScorer
          params: { field: available, curve: { type: exponential, half_life: 76d }, null_timestamp_score: abstain }
          weight: 1

      select: { top: 10 }

      # Not used
      # Texts, for BM25Scorer or a comparison:
      #   city
      # Numbers that refer to something else:
      #   district_id
      "
    `);
    expect(await assize(['check', './home.yaml'])).toEqual({ code: 0, out: 'home: fine (4 scorers)\n', err: '' });
  });

  it('ranks the file, whether or not the absent cells are named', async () => {
    for (const absent of [[], ['--absent', 'N/A']]) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const { code, out } = await assize(['rank', '-p', './home.yaml', ...absent, 'flats.csv', '--now', '2026-10-01']);
      expect(code).toBe(0);
      expect(out).toContain('home: 4 candidates, 4 selected');
    }
  });

  it('has vetoes that work once they are no longer comments', async () => {
    const text = readFileSync('home.yaml', 'utf8').replace(/^# (tier1_scorers:)$/m, '$1');
    writeFileSync('strict.yaml', text.replace(/^#( {3}- )/m, ' $1'));
    const { out } = await assize(['rank', '-p', './strict.yaml', 'flats.csv', '--absent', 'N/A']);
    expect(out).toContain('home: 4 candidates, 2 selected, 2 refused');
  });

  it.each([
    ['a file that is not there', ['--from', 'none.csv'], 1, 'ASZ101'],
    ['YAML', ['--from', 'flats.yml'], 2, 'ASZ601'],
    ['a profile that is there already', ['--from', 'flats.csv'], 1, 'ASZ604'],
  ])('is an error with %s', async (_, args, code, problem) => {
    const { err, ...result } = await assize(['new', 'profile', 'home', ...args]);
    expect(result).toEqual({ code, out: '' });
    expect(err).toContain(problem);
  });

  it('is for a profile only', async () => {
    const { code, err } = await assize(['new', 'scorer', 'home', '--from', 'flats.csv']);
    expect({ code, err }).toEqual({ code: 2, err: 'error ASZ601 --from is for a profile, and not for a scorer\n' });
  });
});

/** Proposes a profile from a file, and ranks the file by it. */
async function tryFile(text: string, format = 'csv') {
  rmSync('profile.yaml', { force: true });
  writeFileSync(`1.${format}`, text);
  const made = await assize(['init', `1.${format}`]);
  if (made.code !== 0) return { made, ranked: undefined };
  return { made, ranked: await assize(['rank', '-p', './profile.yaml', `1.${format}`, '--format', 'json']) };
}

describe('assize init', () => {
  it('names the profile after the file', async () => {
    writeFileSync('2026 Flats (old).csv', FLATS);
    const { code, out } = await assize(['init', '2026 Flats (old).csv']);
    expect(code).toBe(0);
    expect(out).toContain("assize rank --profile ./flats-old.yaml --absent N/A '2026 Flats (old).csv'");
  });

  it('says what it needs', async () => {
    expect(await assize(['init'])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "err": "error ASZ601 a profile is proposed from a file of candidates, and none is named
        assize init FILE.csv; without candidates, assize new profile NAME writes an example
      ",
        "out": "",
      }
    `);
  });

  it.each([
    ['an empty file', ''],
    ['a header alone', 'a,b\n'],
    ['texts alone', 'a,b\nx,y\nx,z\n'],
    ['numbers that are the same in every row', 'id,a\nx,1\ny,1\n'],
    ['cells without a value', 'id,a\nx,N/A\ny,N/A\n'],
  ])('says that there is nothing to score by: %s', async (_, text) => {
    const { made } = await tryFile(text);
    expect({ code: made.code, out: made.out }).toEqual({ code: 1, out: '' });
    expect(made.err).toMatchSnapshot();
    expect(existsSync('profile.yaml')).toBe(false);
  });

  it.each([
    ['reserved words', 'id,score,now,in,true,null\na,1,2,3,4,5\nb,2,3,4,5,6\n'],
    ['names that are alike', 'id,A b,a_b,a-b,"a\nb"\nx,1,2,3,4\ny,2,3,4,5\n'],
    ['names in other scripts', 'id,価格,цена,🚀,"\u202e"\nx,1,2,3,4\ny,2,3,4,5\n'],
    ['names of prototypes', 'id,__proto__,constructor.a,toString\nx,1,2,3\ny,2,3,4\n'],
    ['names with quotes and YAML', `id,"a: [""b"", 'c'] # d","- x\n  - y","{{a}}",'\nx,1,2,3,4\ny,2,3,4,5\n`],
    ['numbers at the limits', 'id,a,b\nx,1e308,5e-324\ny,-1e308,0\nz,3,12345678901234567890\n'],
    ['dates at the limits', 'id,a,b\nx,0001-01-01,9999-12-31\ny,9999-12-31,9999-12-30T23:59:59.999999999Z\n'],
    ['one row', 'id,a,b\nx,1,2026-01-01\n'],
    ['flags alone', 'id,a\nx,true\ny,false\n'],
    ['no ids', 'a,b\n1,2\n1,3\n'],
    ['an empty column', 'id,a,b\nx,,1\ny,,2\n'],
  ])('writes a profile that ranks the file, with %s', async (_, text) => {
    const { made, ranked } = await tryFile(text);
    expect({ code: made.code, err: made.err }).toEqual({ code: 0, err: '' });
    expect(ranked).toMatchObject({ code: 0 });
    const { selected, counts } = JSON.parse(ranked!.out) as { selected: object[]; counts: object };
    expect(selected.length, JSON.stringify(counts)).toBeGreaterThan(0);
  });

  it('proposes few scorers from 10,000 columns, and says how many there are', async () => {
    const row = (cell: (column: number) => string | number): string =>
      Array.from({ length: 10_000 }, (_, column) => cell(column)).join(',');
    const { made, ranked } = await tryFile(
      `${row((column) => `c${column}`)}\n${row(() => 1)}\n${row((column) => column)}\n`,
    );
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(ranked).toMatchObject({ code: 0 });
    const text = readFileSync('profile.yaml', 'utf8');
    expect(text.match(/class: ScaledScorer/g)).toHaveLength(20);
    expect(text).toContain('and 9,9');
    expect(text.length).toBeLessThan(10_000);
  });

  it('is an error with more columns than a file may have', async () => {
    const header = Array.from({ length: 10_001 }, (_, column) => `c${column}`).join(',');
    const { made } = await tryFile(`${header}\n`);
    expect(made.code).toBe(1);
    expect(made.err).toContain('10001 columns, expected at most 10000');
  });

  it('reads nested JSON', async () => {
    const rows = [
      { id: 'x', a: { b: { c: 1 } }, list: [1], '\ud800': 1 },
      { id: 'y', a: { b: { c: 2 } }, list: [2], '\ud800': 2 },
    ];
    const { made, ranked } = await tryFile(JSON.stringify(rows), 'json');
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(ranked).toMatchObject({ code: 0 });
    expect(readFileSync('profile.yaml', 'utf8')).toContain('candidate.a.b.c');
  });
});

const odd = fc.oneof(
  fc.constantFrom(
    'price',
    'id',
    'score',
    'a.b',
    'a',
    'No. of stars',
    '#',
    ': ',
    '- x',
    "'",
    '"',
    '\\',
    '\n',
    '…',
    '{}',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
);
const cell = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer().map(String),
  fc.constantFrom('', 'N/A', '-', 'true', 'false', '2026-01-31', '2025-02-01T10:00:00Z', 'text', '0', '1e400'),
  odd,
);
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const tables = fc
  .record({ names: fc.uniqueArray(odd, { minLength: 1, maxLength: 6 }), rows: fc.integer({ min: 1, max: 6 }) })
  .chain(({ names, rows }) =>
    fc
      .tuple(...names.map(() => fc.oneof(fc.array(cell, { minLength: rows, maxLength: rows }), numbers(rows))))
      .map((columns) =>
        [names, ...Array.from({ length: rows }, (_, k) => columns.map((column) => column[k]!))]
          .map((cells) => cells.map(quoted).join(','))
          .join('\n'),
      ),
  );

function numbers(rows: number): fc.Arbitrary<string[]> {
  return fc.array(fc.integer({ min: -9, max: 9 }).map(String), { minLength: rows, maxLength: rows });
}

describe('a proposal', () => {
  it('from any CSV is a profile that loads and ranks it, or an error with a code', async () => {
    let proposed = 0;
    await fc.assert(
      fc.asyncProperty(tables, async (text) => {
        const { made, ranked } = await tryFile(text);
        expect(made.err).not.toContain('assize failed');
        if (made.code !== 0) {
          expect(made.err).toMatch(/error ASZ\d+/);
          return;
        }
        proposed += 1;
        expect(ranked!.err + ranked!.out.slice(0, 300)).not.toMatch(/error ASZ|assize failed/);
        expect(ranked!.code).toBe(0);
        expect((JSON.parse(ranked!.out) as { selected: object[] }).selected.length).toBeGreaterThan(0);
      }),
      { numRuns: process.env['FUZZ'] ? 5000 : 100 },
    );
    expect(proposed).toBeGreaterThan(10);
  });

  it('reads no more rows than it needs', async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<readonly object[]> {
      for (;;) {
        read += 1000;
        yield Array.from({ length: 1000 }, (_, k) => ({ id: read + k, a: k }));
      }
    }
    const facts = await columnFacts(endless());
    expect(facts).toMatchObject({ isCut: true, rows: 100_000 });
    expect(proposeProfile(facts, { name: 'x', file: 'x.csv', now: 0 }).yaml).toContain('the first 100,000 rows');
  });
});
