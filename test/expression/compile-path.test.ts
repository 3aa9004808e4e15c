import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  closureReader,
  compileDifference,
  compilePath,
  compileSteps,
  generatedReader,
  isPathReader,
} from '../../src/expression/compile-path.js';
import { formatPath, parsePath, PathError } from '../../src/expression/path.js';

const candidate = {
  a: { b: 1, nothing: null },
  metadata: { 'cupel:trust': 0.5, 'it\'s "x"': 2 },
  steps: [{ type: 'x', tool: { name: 'n' } }, {}, { tool: { name: 'm' } }],
  groups: [{ tags: ['a', 'b'] }, { tags: null }, {}, { tags: ['c', null] }],
  matrix: [[1, [2]], [3]],
  text: 'abc',
};

const CASES: readonly (readonly [string, unknown])[] = [
  ['a.b', 1],
  ['a["b"]', 1],
  ['["a"].b', 1],
  ['a.nothing', undefined],
  ['a.no.deeper', undefined],
  ['metadata["cupel:trust"]', 0.5],
  ["metadata['cupel:trust']", 0.5],
  ['metadata["it\'s \\"x\\""]', 2],
  ['steps[0].type', 'x'],
  ['steps[9].type', undefined],
  ['steps[].tool.name', ['n', 'm']],
  ['steps[].no', []],
  ['groups[].tags[]', ['a', 'b', 'c']],
  [
    'groups[].tags',
    [
      ['a', 'b'],
      ['c', null],
    ],
  ],
  ['matrix[][]', [1, [2], 3]],
  ['a[].b', undefined],
  ['no[].b', undefined],
  ['text.length', undefined],
  ['constructor', undefined],
  ['a.__proto__', undefined],
  ['a.toString', undefined],
  ['a.constructor.name', undefined],
  ['steps.map', undefined],
];

afterEach(() => vi.unstubAllGlobals());

function forbidCodeGeneration(): void {
  vi.stubGlobal('Function', function forbidden() {
    throw new EvalError('Code generation from strings disallowed for this context');
  });
}

describe.each([
  ['with generated text', () => {}],
  ['without code generation', forbidCodeGeneration],
])('a path %s', (_, prepare) => {
  it.each(CASES)('%s reads %j', (text, expected) => {
    prepare();
    const read = compilePath(text);
    expect(read(candidate)).toStrictEqual(expected);
    expect(read.source).toBe(text);
    for (const nothing of [undefined, null, 5, 'text', true, []]) expect(() => read(nothing)).not.toThrow();
  });

  it('reads own properties, whatever they are called', () => {
    prepare();
    const hostile: unknown = JSON.parse('{"__proto__": {"constructor": 1}, "toString": 2, "values": 3}');
    expect(compilePath('__proto__.constructor')(hostile)).toBe(1);
    expect(compilePath('toString')(hostile)).toBe(2);
    expect(compilePath('values')(hostile)).toBe(3);
    expect(compilePath('["a\\"];process.exit();//"]')({ 'a"];process.exit();//': 4 })).toBe(4);
  });
});

describe('a path with a question mark', () => {
  it('reads the same, and is marked as optional', () => {
    const read = compilePath('metadata["cupel:trust"]?');
    expect(read(candidate)).toBe(0.5);
    expect([read.optional, read.source]).toEqual([true, 'metadata["cupel:trust"]']);
    const { optional, steps } = compilePath('["a?"]');
    expect([optional, steps]).toEqual([false, [{ kind: 'key', key: 'a?' }]]);
  });
});

describe('an invalid path', () => {
  it.each([
    ['', 0, 'the path is empty; expected a field, as in metadata.author'],
    ['?', 0, 'the path is empty; expected a field, as in metadata.author'],
    ['a?.b', 1, 'expected "." or "[", found "?"'],
    ['.', 0, 'expected a field name, found "."'],
    ['a.', 2, 'expected a field name, found the end'],
    ['a..b', 2, 'expected a field name, found "."'],
    ['a b', 1, `expected "." or "[", found " "; write a field with a space in its name as '["a b"]'`],
    ['a[', 2, 'expected a quoted name, a number or "]" after "[", found the end'],
    ['a["b]', 2, 'the name opened with " is never closed'],
    ['a[-1]', 2, 'expected a quoted name, a number or "]" after "[", found "-"'],
    ['a[0', 3, 'expected "]", found the end'],
    ['a[0]b', 4, 'expected "." or "[", found "b"'],
    ['0', 0, 'expected a field name, found "0"'],
    ['a'.padEnd(200, '.b'), 127, 'the path has more than 64 steps'],
  ])('%s', (text, offset, message) => {
    const error = thrownBy(() => compilePath(text));
    expect(error).toBeInstanceOf(PathError);
    expect(error).toMatchObject({ message, offset });
  });
});

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('readers', () => {
  const key = fc.oneof(
    fc.constantFrom('a', 'b', '__proto__', 'constructor', 'toString', 'length', 'map', '0', ''),
    fc.string(),
    fc.nat({ max: 3 }),
  );

  it('with generated code read the same as plain ones', () => {
    const data = fc.object({ key: fc.constantFrom('a', 'b', '__proto__', 'constructor', 'length', ''), maxDepth: 4 });
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 4 }), fc.oneof(data, fc.anything()), (keys, value) => {
        expect(generatedReader(keys)(value)).toBe(closureReader(keys)(value));
      }),
    );
  });

  it('of a canonical text read the same as the path', () => {
    for (const [text] of CASES) {
      const steps = parsePath(text);
      expect(parsePath(formatPath(steps))).toStrictEqual(steps);
      expect(compileSteps(steps, closureReader)(candidate)).toStrictEqual(compilePath(text)(candidate));
    }
  });

  it('are recognised', () => {
    expect(isPathReader(compilePath('a'))).toBe(true);
    expect(isPathReader(() => 1)).toBe(false);
    expect(isPathReader('a')).toBe(false);
  });
});

describe.each([
  ['with generated text', () => {}],
  ['without code generation', forbidCodeGeneration],
])('the comparison with known values %s', (_, prepare) => {
  it('finds the first row that has another value at some path', () => {
    prepare();
    const value = fc.constantFrom('a', 'b', undefined);
    const rows = fc.array(fc.record({ x: value, y: value }), { maxLength: 6 });
    fc.assert(
      fc.property(rows, rows, fc.nat(3), (now, before, start) => {
        const find = compileDifference([compilePath('x'), compilePath('y')]);
        const known = [before.map(({ x }) => x), before.map(({ y }) => y)];
        const first = now.findIndex(({ x, y }, row) => row >= start && (x !== before[row]?.x || y !== before[row]?.y));
        expect(find(now, known, Math.min(start, now.length))).toBe(first < 0 ? now.length : first);
      }),
    );
  });

  it('finds none without a path', () => {
    prepare();
    expect(compileDifference([])([{}, {}], [], 0)).toBe(2);
  });
});
