import { describe, expect, it } from 'vitest';
import { compilePath, type PathReader } from '../../src/expression/compile-path.js';
import {
  readBoolean,
  readFinite,
  readList,
  readMap,
  readNumber,
  readText,
  readTexts,
} from '../../src/expression/compile-path.js';

const values = ['text', 2.5, Number.POSITIVE_INFINITY, true, [1], ['a', 'a'], { a: 1 }];
const read = compilePath('at');

/** The values that a reader accepts, and the messages for the others. */
function asked(reader: (path: PathReader, from: unknown) => unknown) {
  const taken: unknown[] = [];
  const refused: string[] = [];
  for (const at of values) {
    try {
      taken.push(reader(read, { at }));
    } catch (error) {
      refused.push(error instanceof TypeError ? error.message : String(error));
    }
  }
  return { taken, refused };
}

describe('the typed readers', () => {
  it.each([
    { reader: readText, expected: ['text'], kind: 'a string' },
    { reader: readNumber, expected: [2.5, Number.POSITIVE_INFINITY], kind: 'a number' },
    { reader: readFinite, expected: [2.5], kind: 'a finite number' },
    { reader: readBoolean, expected: [true], kind: 'true or false' },
    { reader: readList, expected: [[1], ['a', 'a']], kind: 'a list' },
    { reader: readTexts, expected: [['a', 'a']], kind: 'a list of strings' },
    { reader: readMap, expected: [{ a: 1 }], kind: 'a map' },
  ])(
    'accept $kind, reject all other types with the path, and return undefined for absent values',
    ({ reader, expected, kind }) => {
      const { taken, refused } = asked(reader);
      expect(taken).toEqual(expected);
      expect(refused).toHaveLength(values.length - expected.length);
      for (const message of refused) expect(message).toContain(`at: expected ${kind}, found `);
      expect([reader(read, {}), reader(read, { at: null })]).toEqual([undefined, undefined]);
    },
  );
});
