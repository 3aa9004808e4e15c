import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ChangedLine, changedLines } from '../../src/save/changed-lines.js';

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, k) => `line ${from + k}`);

describe('changed lines', () => {
  test('70 inserted lines are 70 added lines', () => {
    const before = numbered(1, 300);
    const inserted = Array.from({ length: 70 }, (_, k) => `new ${k}`);
    const after = [...before.slice(0, 100), ...inserted, ...before.slice(100)];
    const changed = changedLines(before.join('\n'), after.join('\n'));
    expect(changed).toEqual(inserted.map((text, k) => ({ sign: '+', line: 101 + k, text })));
  });

  test('a replaced line is a removed and an added line', () => {
    expect(changedLines('a\nb\nc\n', 'a\nB\nc\n')).toEqual([
      { sign: '-', line: 2, text: 'b' },
      { sign: '+', line: 2, text: 'B' },
    ]);
  });

  test('equal texts have no changed line', () => {
    expect(changedLines('a\nb\n', 'a\nb\n')).toEqual([]);
  });

  test('applying the changed lines to the old text gives the new one', () => {
    const lines = array(constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 30 });
    assert(
      property(lines, lines, (old, now) => {
        const changed = changedLines(`${old.join('\n')}\n`, `${now.join('\n')}\n`);
        const removed = new Set(changed.filter(({ sign }) => sign === '-').map(({ line }) => line));
        const added = new Map(
          changed.filter(({ sign }) => sign === '+').map(({ line, text }: ChangedLine) => [line, text]),
        );
        const kept = old.filter((_, k) => !removed.has(k + 1));
        const rebuilt = now.map((_, k) => added.get(k + 1) ?? kept.shift());
        expect(rebuilt).toEqual(now);
        expect(kept).toEqual([]);
      }),
    );
  });
});
