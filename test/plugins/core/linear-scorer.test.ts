import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { LinearScorer, parseWeights } from '../../../plugins/core/linear-scorer.js';
import { createPipeline, explanationParts, nodesOfKind } from 'assize';
import { compiled, problems } from './ask.js';
import { temporaryFolder } from '../../temporary-folder.js';

const score = (params: object, candidate: unknown): number | undefined => compiled(LinearScorer, params)(candidate, 0);

let folder: string;
beforeAll(async () => {
  folder = temporaryFolder('weights-');
});

describe('LinearScorer', () => {
  it('sums features by their weights, from paths, a map, pairs or a list', () => {
    const weights = { a: 2, b: -1 };
    expect(score({ weights, intercept: 0.5 }, { a: 3, b: 1 })).toBe(5.5);
    for (const f of [
      { a: 3, b: 1, other: 9 },
      [
        ['b', 1],
        ['a', 3],
        ['other', 9],
      ],
      [3, 1],
      new Float64Array([3, 1]),
    ])
      expect(score({ weights, features: 'f' }, { f })).toBe(5);
    expect(score({ weights: { 'a.b': 2 } }, { a: { b: 4 } })).toBe(8);
    expect(score({ weights, features: { a: 'x', b: 'y' } }, { x: 3, y: 1 })).toBe(5);
  });

  it('returns 1 / (1 + e^−sum) as logistic, within its range', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (a) => {
        const y = score({ weights: { a: 1 }, link: 'logistic' }, { a })!;
        expect(y).toBe(1 / (1 + Math.exp(-a)));
        expect(y).toBeGreaterThanOrEqual(0);
        expect(y).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('handles a missing feature as configured, and abstains without features', () => {
    const weights = { a: 2, b: 3 };
    expect(score({ weights }, { a: 1 })).toBe(2);
    expect(score({ weights, missing: 10 }, { a: 1 })).toBe(32);
    expect(score({ weights, missing: 'abstain' }, { a: 1 })).toBeUndefined();
    expect(score({ weights }, {})).toBeUndefined();
    expect(score({ weights, features: 'f', intercept: 7 }, {})).toBeUndefined();
    expect(score({ weights, features: 'f', intercept: 7 }, { f: {} })).toBe(7);
    expect(score({ weights, features: 'f' }, { f: [1, null] })).toBe(2);
  });

  it('fails on a candidate whose features have another type', () => {
    const weights = { a: 2, b: 3 };
    expect(() => score({ weights }, { a: 'x' })).toThrow('a: expected a finite number');
    expect(() => score({ weights, features: 'f' }, { f: { a: 'x' } })).toThrow('f, feature a: expected a number');
    expect(() => score({ weights, features: 'f' }, { f: [1] })).toThrow(
      'expected a number for each of 2 features, found 1',
    );
    expect(() => score({ weights, features: 'f' }, { f: 3 })).toThrow('f: expected a map of features');
  });

  it('reports mistakes in its params', () => {
    expect(problems(LinearScorer, {})).not.toEqual([]);
    expect(problems(LinearScorer, { weights: {} })).not.toEqual([]);
    expect(problems(LinearScorer, { weights: { 'a b': 1 } })).not.toEqual([]);
    expect(problems(LinearScorer, { weights: { a: 1 }, features: { b: 'b', a: 'a' } })).not.toEqual([]);
    expect(problems(LinearScorer, { weights: { a: 1, b: 1 }, features: { a: 'a' } })).not.toEqual([]);
  });

  it('reads weights from a file next to the profile, and reports the place of an invalid one', async () => {
    await writeFile(join(folder, 'w.json'), JSON.stringify({ a: 2, 'b.c': -1 }));
    await writeFile(join(folder, 'wrong.json'), '{\n  "a": 2,\n  "b": "x"\n}');
    const profile = async (file: string): Promise<string> => {
      const text = `tier2_scorers:\n  - { id: s, class: LinearScorer, params: { file: ./${file} } }\n`;
      await writeFile(join(folder, 'p.yaml'), text);
      return join(folder, 'p.yaml');
    };
    const pipeline = await createPipeline<object>(await profile('w.json'), {});
    expect((await pipeline.rank([{ a: 3, b: { c: 1 } }])).ranked[0]?.score).toBe(5);
    const wrong = createPipeline(await profile('wrong.json'));
    await expect(wrong).rejects.toThrow('wrong.json:3:8: expected a number, the weight of "b", found "\\"x\\"');
    await expect(wrong).rejects.toThrow('p.yaml:2:');
    await expect(createPipeline(await profile('none.json'))).rejects.toThrow('none.json: cannot be read: ENOENT');
    await expect(createPipeline(await profile('.'))).rejects.toThrow('expected a file');
  });

  it('reads any map of finite numbers as JSON does, and any CSV of them', () => {
    const maps = fc.dictionary(fc.string({ minLength: 1 }), fc.double({ noNaN: true, noDefaultInfinity: true }), {
      minKeys: 1,
    });
    fc.assert(
      fc.property(maps, fc.constantFrom(undefined, 2), (map, indent) => {
        const text = JSON.stringify(map, null, indent);
        expect(Object.fromEntries(parseWeights(text, 'w.json'))).toEqual(JSON.parse(text));
      }),
    );
    expect(parseWeights('feature,weight\na,1\n"b, ""c""",-2.5e3\r\n', 'w.csv')).toEqual([
      ['a', 1],
      ['b, "c"', -2500],
    ]);
  });

  it.each([
    ['', 'w.json:1:1: expected a map of weights by feature, found the end of the file'],
    ['{}', 'w.json:1:1: expected at least one weight'],
    ['{"a": 1', 'w.json:1:8: expected a comma or a closing brace, found the end of the file'],
    ['{"a": NaN}', 'w.json:1:7: expected a number'],
    ['{"a": 1e999}', 'w.json:1:2: expected a finite number'],
    ['{"a": 1,\n "a": 2}', 'w.json:2:2: the feature "a" occurs twice'],
    ['{"a": {"b": 1}}', 'w.json:1:7: expected a number'],
    ['['.repeat(20), 'w.json:1:1: expected a map of weights'],
    ['{"a": 1} x', 'w.json:1:10: expected the end of the file'],
  ])('rejects %j', (text, message) => {
    expect(() => parseWeights(text, 'w.json')).toThrow(message);
  });

  it('rejects CSV that does not contain weights', () => {
    expect(() => parseWeights('a,b\n', 'w.csv')).toThrow('w.csv:1:1: expected the heading feature,weight, found a,b');
    expect(() => parseWeights('feature,weight\na,1\nb,x\n', 'w.csv')).toThrow('w.csv:3:1: expected a feature, a comma');
  });

  it('explains itself feature by feature, the largest first', async () => {
    const weights = Object.fromEntries(Array.from({ length: 9 }, (_, k) => [`f${k}`, k - 3]));
    const pipeline = await createPipeline<object>({
      tier2_scorers: [{ id: 's', class: 'LinearScorer', params: { weights, features: 'f', intercept: 1 } }],
    });
    const f = { f0: 1, f1: 1, f2: 1, f3: 1, f4: 1, f5: 1, f6: 1, f7: 1, f8: 1 };
    const term = explanationParts((await pipeline.rank([{ id: 'a', f }])).explain('a')).scorers[0]!;
    expect(term.text).toBe(
      '1 and f8 = 1 (+5), f7 = 1 (+4), f0 = 1 (−3), f6 = 1 (+3), f1 = 1 (−2), f5 = 1 (+2), 2 others (0)',
    );
    expect(nodesOfKind(term.details, 'note')[0]?.data['contributions']).toHaveLength(8);
    expect(term.raw).toBe(10);
  });
});
