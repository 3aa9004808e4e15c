import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ProfileInput, rankFile, type TopRanking } from 'assize';
import { duckDbEngine, rankWith } from 'assize/sql';
import { messageOf } from '../../properties/ranked.js';
import { promised } from './digest.js';
import { temporaryFolder } from '../../temporary-folder.js';

const folder = temporaryFolder('assize-csv-');

const RUNS = process.env['FUZZ'] ? Number(process.env['FUZZ_COUNT'] ?? 10_000) : 40;

/** Every distinction of the rule for cells: numbers of every form, strings that only look like some, spaces, quotes. */
const cell = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -20, max: 20 }).map(String) },
  { weight: 4, arbitrary: fc.double({ min: -20, max: 20, noNaN: true }).map(String) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '\u00a0',
      ' 7 ',
      '\ufeff3',
      '007',
      '+5',
      '.5',
      '5.',
      '1e3',
      '1e400',
      '1e-400',
      '-0',
      '0.0',
      '0x1f',
      '1_000',
      '12345678901234567890',
      '9007199254740993',
      '123456789012345',
      'inf',
      'NaN',
      'null',
      'true',
      'True',
      'tRUE',
      ' FALSE ',
      '2026-01-31',
      '𝒳',
      '🦊 ',
      'a\u0000b',
      '\\',
      "'",
      '{"a":1}',
      '[]',
      '"quoted"',
      'two\nlines',
      'a,b',
      'tab\there',
      'x"y',
    ),
  },
);

const written = (text: string, quoteAll: boolean): string =>
  quoteAll || /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const expressions = [
  'candidate.a',
  'candidate.a * 2 + candidate.b',
  'has(candidate.b) ? 1.0 : 0.5',
  'candidate.c == "true" ? 1.0 : 0.0',
  'candidate.c == true ? 1.0 : 0.0',
  'candidate.license.name == "7" ? 1.0 : 0.25',
  'has(candidate.license) ? 2.0 : 1.0',
  'candidate.none',
] as const;

const profiles: fc.Arbitrary<ProfileInput> = fc
  .record({
    veto: fc.constantFrom(
      'candidate.a > 5',
      'candidate.c == "x\\"y"',
      'candidate.license.year < 0',
      'has(candidate.a) && has(candidate.b)',
    ),
    scorers: fc.array(fc.constantFrom(...expressions), { minLength: 1, maxLength: 3 }),
    rule: fc.constantFrom<'skip' | 'refuse' | 0.5>('skip', 'refuse', 0.5),
  })
  .map(({ veto, scorers, rule }) => ({
    candidate: { id: 'a' },
    tier1_scorers: [{ id: 'v', expr: veto, on_error: 'pass' }],
    tier2_scorers: scorers.map((expr, k) => ({ id: `s${k}`, expr, on_absent: rule, on_error: rule })),
    select: { top: 4 },
  }));

const HEADER = ['a', 'b', 'c', 'license.name', 'license.year'];

async function inDuckDb(profile: ProfileInput, files: readonly string[]): Promise<TopRanking<object>> {
  const engine = await duckDbEngine(files, { threads: 1 });
  try {
    return await rankWith(profile, engine);
  } finally {
    await engine.close();
  }
}

const outcome = async (work: () => Promise<TopRanking<object>>): Promise<unknown> => {
  try {
    return promised(await work());
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
};

test(`CSV in DuckDB ranks like CSV in the process, to the bit, ${RUNS} times`, async () => {
  const file = join(folder, 'rows.csv');
  const ranked = { there: 0, here: 0 };
  const row = fc.tuple(cell, cell, cell, cell, cell);
  const form = fc.record({
    end: fc.constantFrom('\n', '\r\n'),
    quoteAll: fc.constantFrom(false, false, false, true),
    last: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      profiles,
      fc.array(row, { maxLength: 12 }),
      form,
      async (profile, rows, { end, quoteAll, last }) => {
        const lines = [HEADER, ...rows].map((cells) => cells.map((one) => written(one, quoteAll)).join(','));
        writeFileSync(file, lines.join(end) + (last ? end : ''));
        const there = await inDuckDb(profile, [file]).catch((error: Error) => error.message);
        const here = await outcome(() => rankFile(profile, file, {}, { workers: 1 }));
        expect(typeof there === 'string' ? there : promised(there)).toEqual(here);
        if (typeof there !== 'string') ranked[there.notices.length === 0 ? 'there' : 'here'] += 1;
      },
    ),
    { numRuns: RUNS },
  );
  expect(ranked.there).toBeGreaterThan(ranked.here);
}, 7_200_000);

test('several files, with blank lines and a byte order mark, are concatenated', async () => {
  const [one, two] = [join(folder, 'one.tsv'), join(folder, 'two.tsv')];
  writeFileSync(one, '\ufeffa\tb\n1\t2\n\n3\t4\n');
  writeFileSync(two, 'a\tb\n9\t9');
  const profile = { tier2_scorers: [{ id: 'a', expr: 'candidate.a + candidate.b' }], select: { top: 2 } };
  const { selected, counts, notices } = await inDuckDb(profile, [one, two]);
  expect(notices).toEqual([]);
  expect(counts.given).toBe(3);
  expect(selected.map(({ index, score }) => [index, score])).toEqual([
    [2, 18],
    [1, 7],
  ]);
});

test('columns whose names differ only in case are different', async () => {
  const file = join(folder, 'case.csv');
  writeFileSync(file, `a,A\n${Array.from({ length: 50 }, (_, k) => `${k},${(k * 7) % 50}`).join('\n')}\n`);
  const profile = {
    tier1_scorers: [{ id: 'v', expr: 'candidate.A > 40' }],
    tier2_scorers: [{ id: 's', expr: 'candidate.a / 50 + candidate.A / 100' }],
    select: { top: 3 },
  };
  const there = await inDuckDb(profile, [file]);
  expect(there.notices).toEqual([]);
  expect(promised(there)).toEqual(promised(await rankFile(profile, file, {}, { workers: 1 })));
});

test.each(['\n\r\n\na,b\n1,2\n3,4\n', '\r\n\na,b\r\n1,2\r\n3,4', '\n\na,b\n1,2\n3,4\n'])(
  'no row is lost after blank lines, with any line end: %j',
  async (text) => {
    const file = join(folder, 'blank.csv');
    writeFileSync(file, text);
    const profile = { tier2_scorers: [{ id: 'a', expr: 'candidate.a' }], select: { top: 2 } };
    const there = await inDuckDb(profile, [file]);
    expect(there.counts.given).toBe(2);
    expect(promised(there)).toEqual(promised(await rankFile(profile, file, {}, { workers: 1 })));
  },
);

test.each([
  ['a line with more cells', 'a,b\n1,2\n1,2,3\n'],
  ['a cell that is never closed', 'a,b\n1,"2\n'],
  ['a column twice', 'a,a\n1,2\n'],
  ['no text', Buffer.from([97, 44, 98, 10, 255, 44, 49, 10])],
])('problems of rows have their place, as in the process: %s', async (_, text) => {
  const file = join(folder, 'wrong.csv');
  writeFileSync(file, text);
  const profile = { tier2_scorers: [{ id: 'a', expr: 'candidate.a' }], select: { top: 2 } };
  const message = await messageOf(inDuckDb(profile, [file]));
  expect(message).toContain('wrong.csv:');
  expect(message).toBe(await messageOf(rankFile(profile, file, {}, { workers: 1 })));
});
