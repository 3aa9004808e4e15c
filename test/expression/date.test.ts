import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { guessTimeFormats, toMillis, compileTimeFormat } from '../../src/expression/time.js';
import { messageOf } from '../properties/ranked.js';

const at = (iso: string): number => Date.parse(iso);
const readAs = (format: string, text: unknown): number => compileTimeFormat(format).parse(text);

describe('a format of times', () => {
  test.each([
    ['yyyy/MM/dd HH:mm', '2001/01/01 06:55', '2001-01-01T06:55:00Z'],
    ['yyyyMMddHHmmss', '20260228235959', '2026-02-28T23:59:59Z'],
    ['d.M.yyyy', '7.11.1999', '1999-11-07T00:00:00Z'],
    ['d.M.yyyy', '17.1.1999', '1999-01-17T00:00:00Z'],
    ['d MMM yyyy', '3 Sep 2026', '2026-09-03T00:00:00Z'],
    ['MMMM d, yyyy', 'may 31, 2026', '2026-05-31T00:00:00Z'],
    ['MM/dd/yyyy hh:mm a', '12/31/2025 12:05 AM', '2025-12-31T00:05:00Z'],
    ['h:mm a, d/M/yyyy', '12:05 pm, 1/2/2026', '2026-02-01T12:05:00Z'],
    ['EEE, dd MMM yyyy HH:mm:ss XX', 'Wed, 02 Oct 2002 15:00:00 +0200', '2002-10-02T13:00:00Z'],
    ["EEE, dd MMM yyyy HH:mm:ss 'GMT'", 'Wed, 02 Oct 2002 13:00:00 GMT', '2002-10-02T13:00:00Z'],
    ["yyyy-MM-dd'T'HH:mm:ss.SSSXXX", '2026-01-31T12:00:00.250-05:30', '2026-01-31T17:30:00.250Z'],
    ["HH 'o''clock on' yyyy''MM", "09 o'clock on 2026'05", '2026-05-01T09:00:00Z'],
    ['yyyy年M月d日', '2026年5月3日', '2026-05-03T00:00:00Z'],
    ['yyyy.SS', '0099.25', '0099-01-01T00:00:00.250Z'],
  ])('%s reads %s', (format, text, iso) => {
    expect(new Date(readAs(format, text)).toISOString()).toBe(new Date(at(iso)).toISOString());
  });

  test.each([
    ['yyyy/MM/dd', '2001/1/01'],
    ['yyyy/MM/dd', '2001/01/01 06:55'],
    ['yyyy/MM/dd', ' 2001/01/01'],
    ['yyyy/MM/dd', '2001/02/29'],
    ['yyyy/MM/dd', '2001/13/01'],
    ['yyyy/MM/dd', '2001/00/01'],
    ['yyyy/MM/dd', '2001-01-01'],
    ['yyyy/MM/dd', '٢٠٠١/٠١/٠١'],
    ['yyyy/MM/dd', ''],
    ['yyyy/MM/dd HH:mm', '2001/01/01 24:00'],
    ['yyyy/MM/dd HH:mm', '2001/01/01 06:60'],
    ['yyyy/MM/dd hh:mm a', '2001/01/01 13:00 pm'],
    ['yyyy/MM/dd hh:mm a', '2001/01/01 00:00 am'],
    ['yyyy XX', '2001 +2400'],
    ['yyyy XX', '2001 +02:'],
    ['d MMM yyyy', '3 Sept 2026'],
    ['yyyy', 2001],
    ['yyyy', null],
    ['yyyy', ['2001']],
  ])('%s does not read %j', (format, text) => {
    expect(() => readAs(format, text)).toThrow(`expected a time in the format ${format}, found `);
  });

  test.each([
    '',
    'MM/dd',
    'yyyy-DD',
    'YYYY-MM-dd',
    'yyyy-MM-ddTHH:mm',
    'yyyyMd',
    'yyyy hh',
    'yyyy a',
    "yyyy'",
    "'at yyyy",
    'yyy',
    'yyyy'.padEnd(101),
  ])('%j is invalid, with a reason', (format) => {
    expect(() => compileTimeFormat(format)).toThrow(TypeError);
  });

  test('reads what it writes, for any time', () => {
    const two = (n: number): string => String(n).padStart(2, '0');
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0000-01-01Z'), max: new Date('9999-12-31Z'), noInvalidDate: true }),
        (date) => {
          const [y, m, d] = [String(date.getUTCFullYear()).padStart(4, '0'), date.getUTCMonth() + 1, date.getUTCDate()];
          const clock = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
          const whole = date.getTime() - date.getUTCMilliseconds();
          expect(readAs('yyyy/MM/dd HH:mm:ss', `${y}/${two(m)}/${two(d)} ${clock}`)).toBe(whole);
          expect(readAs('d.M.yyyy HH:mm:ss', `${d}.${m}.${y} ${clock}`)).toBe(whole);
        },
      ),
    );
  });

  test('terminates for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ maxLength: 120 }), (format, text) => {
        const read = (): unknown => compileTimeFormat(format).parse(text);
        try {
          expect(read()).toEqual(expect.any(Number));
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
        }
      }),
    );
  });
});

describe('the error for a time suggests its format', () => {
  test.each([
    ['2001/01/01 06:55', ['yyyy/MM/dd HH:mm']],
    ['31.12.2025', ['dd.MM.yyyy']],
    ['02/03/2026', ['MM/dd/yyyy', 'dd/MM/yyyy']],
    ['02/13/2026', ['MM/dd/yyyy']],
    ['Wed, 02 Oct 2002 13:00:00 GMT', ["EEE, dd MMM yyyy HH:mm:ss 'GMT'"]],
    ['yesterday', []],
    ['x'.repeat(1_000_000), []],
  ])('%s', (text, formats) => {
    expect(guessTimeFormats(text)).toEqual(formats);
    for (const format of formats) expect(readAs(format, text)).toEqual(expect.any(Number));
  });

  test('in the message', () => {
    expect(() => toMillis('2001/01/01 06:55')).toThrowErrorMatchingInlineSnapshot(
      `[TypeError: expected a time (milliseconds since 1970, ISO 8601 such as 2026-01-31T12:00:00Z, a Date), found the string "2001/01/01 06:55"; its format is "yyyy/MM/dd HH:mm", for date(x, format) or a param format]`,
    );
  });
});

describe('is milliseconds, like timestamp; absent if its text is absent', () => {
  const scored = async (expr: string, rows: readonly object[], now = '2026-01-31'): Promise<readonly number[]> =>
    (await (await createPipeline({ tier2_scorers: [{ id: 'one', expr }] })).rank(rows, { now })).ranked.map(
      ({ score }) => score,
    );

  test('is milliseconds, as timestamp is; absent where its text is', async () => {
    const expr = '(now - date(candidate.at, "yyyy/MM/dd")) / duration("1d")';
    expect(await scored(expr, [{ at: '2026/01/30' }, { at: null }, {}])).toEqual([1]);
    expect(await scored('date(candidate.at, candidate.format)', [{ at: '1970', format: 'yyyy' }])).toEqual([0]);
    expect(await scored('date("1970/01/02", "yyyy/MM/dd")', [{}])).toEqual([86_400_000]);
  });

  test('an invalid format is reported when the profile is loaded, an invalid text in its row', async () => {
    const profile = (format: string): ProfileInput => ({
      tier2_scorers: [{ id: 'one', expr: `date(candidate.at, "${format}")`, on_error: 0 }],
    });
    expect(await messageOf(createPipeline(profile('YYYY')))).toMatchInlineSnapshot(
      `"AssizeError: tier2_scorers[0].expr error ASZ402 date(): YYYY is not a part of a time; expected yyyy, MM, M, MMM, MMMM, dd, d, EEE, EEEE, HH, H, hh, h, a, mm, m, ss, s, S, SS, SSS, XXX, XX; quote literal text, as in 'at'"`,
    );
    const { degraded } = await (await createPipeline(profile('yyyy'))).rank([{ at: 'old' }, { at: '1999' }]);
    expect(degraded).toMatchObject([
      { count: 1, cause: expect.stringContaining('expected a time in the format yyyy, found the string "old"') },
    ]);
  });

  test('DecayScorer reads a format', async () => {
    const entry = { id: 'fresh', class: 'DecayScorer' } as const;
    const params = { field: 'at', curve: { type: 'exponential', half_life: '1d' } };
    const rank = async (more: object) =>
      (await createPipeline({ tier2_scorers: [{ ...entry, params: { ...params, ...more } }] })).rank(
        [{ id: 'a', at: '2026/01/30 00:00' }, { id: 'b' }],
        { now: '2026-01-31' },
      );
    expect((await rank({ format: 'yyyy/MM/dd HH:mm' })).ranked.map(({ score }) => score)).toEqual([0.5, 0.5]);
    expect((await rank({})).refused[0]?.reason).toContain('its format is "yyyy/MM/dd HH:mm"');
    expect(await messageOf(rank({ format: 'dd/MM' }))).toContain('a time format needs a year');
  });
});
