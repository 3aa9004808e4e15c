import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parseDuration, toMillis } from '../../src/expression/time.js';

describe('toMillis', () => {
  it.each([
    [0, 0],
    [-5.5, -5.5],
    [new Date(7), 7],
    ['1970-01-02', 86_400_000],
    ['1970-01-01T00:00:01', 1000],
    ['1970-01-01T00:00:01Z', 1000],
    ['1970-01-01T00:00:00.25Z', 250],
    ['1970-01-01T00:00:00.123456789Z', 123],
    ['1970-01-01T02:00+02:00', 0],
    ['1969-12-31T19:30:00-0430', 0],
    ['1970-01-01T24:00:00Z', 86_400_000],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['0099-01-01', new Date('0099-01-01T00:00:00Z').getTime()],
  ])('reads %s', (value, expected) => {
    expect(toMillis(value)).toBe(expected);
  });

  it.each([
    'yesterday',
    '2023-02-29',
    '2024-13-01',
    '2024-01-01T25:00',
    '1/2/2024',
    '2024',
    ' 2024-01-01',
    '',
    '1700000000',
  ])('rejects the text %j', (text) => expect(() => toMillis(text)).toThrow(TypeError));

  it.each([undefined, null, Number.NaN, Infinity, true, {}, [], new Date(Number.NaN)])('rejects %s', (value) => {
    expect(() => toMillis(value)).toThrow(/^expected a time \(.*\), found /);
  });
});

describe('parseDuration', () => {
  it.each([
    [1500, 1500],
    [0, 0],
    ['500ms', 500],
    ['5s', 5000],
    ['30m', 1_800_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['2w', 1_209_600_000],
    ['1y', 31_536_000_000],
    ['1.5h', 5_400_000],
  ])('reads %s', (value, expected) => {
    expect(parseDuration(value)).toBe(expected);
  });

  it.each(['2M', '5', '5 s', '-5s', 's', '', '1e3s', Number.NaN, -1, Infinity])('rejects %s', (value) => {
    expect(() => parseDuration(value)).toThrow(
      'expected a duration (500ms, 5s, 30m, 24h, 7d, 2w, 1y, or milliseconds), found',
    );
  });
});

test('a date is valid only if it exists, in each notation', () => {
  const two = (most: number): fc.Arbitrary<string> => fc.nat(most).map((n) => String(n).padStart(2, '0'));
  const date = fc.tuple(fc.nat(9999), two(14), two(34)).map(([y, m, d]) => `${String(y).padStart(4, '0')}-${m}-${d}`);
  const clock = fc.tuple(two(23), two(61), two(61)).map((parts) => parts.join(':'));
  const form = fc.constantFrom<(d: string, c: string) => [text: string, full: string]>(
    (d) => [d, `${d}T00:00:00.000Z`],
    (d, c) => [`${d}T${c}Z`, `${d}T${c}.000Z`],
    (d, c) => [`${d} ${c}`, `${d}T${c}.000Z`],
    (d, c) => [`${d}T${c}.078Z`, `${d}T${c}.078Z`],
    (d, c) => [`${d}t${c}.078901z`, `${d}T${c}.078Z`],
  );
  const written = (millis: number): string | undefined =>
    Number.isFinite(millis) ? new Date(millis).toISOString() : undefined;
  const read = (text: string): number => {
    try {
      return toMillis(text);
    } catch {
      return Number.NaN;
    }
  };
  fc.assert(
    fc.property(date, clock, form, (d, c, write) => {
      const [text, full] = write(d, c);
      const [, day = '', hours = '', minutes = '', seconds = ''] = /^(.{10})T(..):(..):(.{6})Z$/.exec(full) ?? [];
      const midnight = new Date(`${day}T00:00:00Z`);
      const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
      const isClock = Number(minutes) < 60 && Number(seconds) < 60 && Number(hours) < 24;
      expect(written(read(text))).toBe(isDay && isClock ? full : undefined);
    }),
    { numRuns: 2000 },
  );
});
