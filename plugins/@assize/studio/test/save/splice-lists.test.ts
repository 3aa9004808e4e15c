import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { DataEdit, JsonData } from '../../src/save/data-edit.js';
import { spliceYaml } from '../../src/save/splice-yaml.js';

type Points = readonly (readonly [number, number])[];

const setPoints = (value: JsonData): DataEdit => ({ path: ['tier2_scorers', { id: 'a' }, 'params', 'points'], value });

describe('an added and a removed point', () => {
  const before = [
    [0, 0],
    [5, 0.5],
    [9, 1],
  ] as const;
  const added = [
    [0, 0],
    [2, 0.25],
    [5, 0.5],
    [9, 1],
  ] as const;
  const removed = [
    [0, 0],
    [9, 1],
  ] as const;
  const head = '# mine\ntier2_scorers:\n  - id: a # the only one\n    params:\n';

  test.each([
    [
      'lines of a block list, with comments',
      '      points: # rises\n        # from here\n        - [0, 0] # none\n        - [5, 0.5] # half\n        - [9, 1]\n# end\n',
      '      points: # rises\n        # from here\n        - [0, 0] # none\n        - [2, 0.25]\n        - [5, 0.5] # half\n        - [9, 1]\n# end\n',
      '      points: # rises\n        # from here\n        - [0, 0] # none\n        - [9, 1]\n# end\n',
    ],
    [
      'a block list of block lists',
      '      points:\n      - - 0\n        - 0\n      - - 5\n        - 0.5\n      - - 9\n        - 1\n',
      '      points:\n      - - 0\n        - 0\n      - - 2\n        - 0.25\n      - - 5\n        - 0.5\n      - - 9\n        - 1\n',
      '      points:\n      - - 0\n        - 0\n      - - 9\n        - 1\n',
    ],
    [
      'one line, without blanks',
      '      points: [[0,0],[5,0.5],[9,1]] # rises\n',
      '      points: [[0,0],[2,0.25],[5,0.5],[9,1]] # rises\n',
      '      points: [[0,0],[9,1]] # rises\n',
    ],
    [
      'lines of a flow list, with commas and comments',
      '      points: [\n        [ 0, 0 ], # none\n        [ 5, 0.5 ], # half\n        # the end\n        [ 9, 1 ], # all\n      ]\n',
      '      points: [\n        [ 0, 0 ], # none\n        [ 2, 0.25 ],\n        [ 5, 0.5 ], # half\n        # the end\n        [ 9, 1 ], # all\n      ]\n',
      '      points: [\n        [ 0, 0 ], # none\n        # the end\n        [ 9, 1 ], # all\n      ]\n',
    ],
    [
      'several on a line',
      '      points: [[0, 0], # none\n        [5, 0.5], [9, 1]]\n',
      '      points: [[0, 0], [2, 0.25], # none\n        [5, 0.5], [9, 1]]\n',
      '      points: [[0, 0], # none\n        [9, 1]]\n',
    ],
    [
      'anchors of elements',
      '      points: [&low [0, 0], &mid [5, 0.5], &high [9, 1]]\n    x: [*low, *high]\n',
      '      points: [&low [0, 0], [2, 0.25], &mid [5, 0.5], &high [9, 1]]\n    x: [*low, *high]\n',
      '      points: [&low [0, 0], &high [9, 1]]\n    x: [*low, *high]\n',
    ],
    [
      'no line end at the end, and CR before LF',
      '      points:\r\n        - [0, 0]\r\n        - [5, 0.5]\r\n        - [9, 1]',
      '      points:\r\n        - [0, 0]\r\n        - [2, 0.25]\r\n        - [5, 0.5]\r\n        - [9, 1]',
      '      points:\r\n        - [0, 0]\r\n        - [9, 1]',
    ],
  ])('%s', (_what, list, withOneMore, withOneLess) => {
    expect(spliceYaml(head + list, [setPoints(added)])).toBe(head + withOneMore);
    expect(spliceYaml(head + list, [setPoints(removed)])).toBe(head + withOneLess);
    expect(spliceYaml(head + withOneMore, [setPoints(before)])).toBe(head + list);
  });

  test('at both ends', () => {
    const block = `${head}      points:\n        - [0, 0] # none\n        - [5, 0.5]\n        - [9, 1]`;
    const flow = `${head}      points: [\n        [0, 0], # none\n        [5, 0.5],\n        [9, 1] # all\n      ]\n`;
    const longer = [[-1, -1], ...before, [10, 2]];
    const inner = [before[1], before[2]];
    expect(spliceYaml(block, [setPoints(longer)])).toBe(
      `${head}      points:\n        - [-1, -1]\n        - [0, 0] # none\n        - [5, 0.5]\n        - [9, 1]\n        - [10, 2]`,
    );
    expect(spliceYaml(flow, [setPoints(longer)])).toBe(
      `${head}      points: [\n        [-1, -1],\n        [0, 0], # none\n        [5, 0.5],\n        [9, 1], # all\n        [10, 2]\n      ]\n`,
    );
    expect(spliceYaml(block, [setPoints(inner)])).toBe(`${head}      points:\n        - [5, 0.5]\n        - [9, 1]`);
    expect(spliceYaml(block, [setPoints([before[0], before[1]])])).toBe(
      `${head}      points:\n        - [0, 0] # none\n        - [5, 0.5]`,
    );
    expect(spliceYaml(flow, [setPoints([before[0], before[1]])])).toBe(
      `${head}      points: [\n        [0, 0], # none\n        [5, 0.5]\n      ]\n`,
    );
  });

  test('JSON stays JSON', () => {
    const json = (points: JsonData, space?: number): string =>
      JSON.stringify({ tier2_scorers: [{ id: 'a', params: { points } }] }, undefined, space);
    for (const space of [undefined, 2]) {
      expect(spliceYaml(json(before, space), [setPoints(added)])).toBe(json(added, space));
      expect(spliceYaml(json(before, space), [setPoints(removed)])).toBe(json(removed, space));
      const shorter = [before[0], before[1]];
      expect(spliceYaml(json(before, space), [setPoints(shorter)])).toBe(json(shorter, space));
    }
  });
});

/** Notations of points, each with a comment if it supports one. */
const STYLES = {
  'a block list': (points: Points, note: (k: number) => string) =>
    `\n${points.map(([x, y], k) => `        - [${x}, ${y}]${note(k)}\n`).join('')}`,
  'a block list of block lists': (points: Points, note: (k: number) => string) =>
    `\n${points.map(([x, y], k) => `        - - ${x}\n          - ${y}${note(k)}\n`).join('')}`,
  'a flow list of lines': (points: Points, note: (k: number) => string) =>
    ` [\n${points.map(([x, y], k) => `        [${x},${y}]${k + 1 < points.length ? ',' : ''}${note(k)}\n`).join('')}      ]\n`,
  'a flow list': (points: Points) => ` [${points.map(([x, y]) => `[${x}, ${y}]`).join(', ')}]\n`,
};

const point = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -9, max: 9 }));
const curve = fc
  .uniqueArray(point, { minLength: 2, maxLength: 9, selector: ([x]) => x })
  .map((points) => points.toSorted(([a], [b]) => a - b));

const styleName = fc.constantFrom(...(Object.keys(STYLES) as (keyof typeof STYLES)[]));
const textOf = (name: keyof typeof STYLES, points: Points, note = (_k: number): string => ''): string =>
  `# top\ntier2_scorers:\n  - id: a\n    params:\n      points:${STYLES[name](points, note)}    weight: 2 # two\n`;
const withoutNotes = (text: string): string => text.replaceAll(/ # -?\d.*/g, '');

test('any curve becomes any other, in the same style and without changing other characters', () => {
  fc.assert(
    fc.property(styleName, curve, curve, (name, from, to) => {
      const next = spliceYaml(
        textOf(name, from, (k) => ` # ${k}`),
        [setPoints(to)],
      );
      expect(parse(next)).toEqual({ tier2_scorers: [{ id: 'a', params: { points: to }, weight: 2 }] });
      expect(withoutNotes(next)).toBe(textOf(name, to));
    }),
    { numRuns: 100 },
  );
});

test('the remaining points keep their comments, when others are added or removed', () => {
  const some = fc.tuple(curve, fc.infiniteStream(fc.boolean())).map(([all, stays]) => {
    const part = all.filter((_, k) => k < 2 || stays.next().value);
    return { all, part, kept: new Set(part.map(String)) };
  });
  fc.assert(
    fc.property(styleName, some, (name, { all, part, kept }) => {
      const note = (points: Points) => (k: number) => (kept.has(String(points[k])) ? ` # ${String(points[k])}` : '');
      const [more, less] = [textOf(name, all, note(all)), textOf(name, part, note(part))];
      expect(spliceYaml(more, [setPoints(part)])).toBe(less);
      expect(spliceYaml(less, [setPoints(all)])).toBe(more);
    }),
    { numRuns: 100 },
  );
});
