import { describe, expect, it } from 'vitest';
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
  ])('refuses the text %j', (text) => expect(() => toMillis(text)).toThrow(TypeError));

  it.each([undefined, null, Number.NaN, Infinity, true, {}, [], new Date(Number.NaN)])('refuses %s', (value) => {
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

  it.each(['2M', '5', '5 s', '-5s', 's', '', '1e3s', Number.NaN, -1, Infinity])('refuses %s', (value) => {
    expect(() => parseDuration(value)).toThrow(
      'expected a duration (500ms, 5s, 30m, 24h, 7d, 2w, 1y, or milliseconds), found',
    );
  });
});
