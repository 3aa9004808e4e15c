import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { goesLeft, parseModel, rawRange, rawScore, type TreeModel } from '../../../plugins/core/lightgbm-model.js';
import { treeShap, ModelScorer } from '../../../plugins/core/model-scorer.js';
import { createPipeline, evaluate, explanationParts, nodesOfKind } from 'assize';
import { compiled, problems } from './ask.js';
import { temporaryFolder } from '../../temporary-folder.js';

const FIXTURES = resolve('test/fixtures/lightgbm');
const NAMES = ['regression', 'binary', 'poisson', 'sqrt', 'zero_as_missing', 'no_missing', 'forest', 'stump'];

/** The predictions of LightGBM for some rows; null is NaN. */
interface Predictions {
  readonly rows: readonly (readonly (number | null)[])[];
  readonly raw: readonly number[];
  readonly response: readonly number[];
  readonly contributions: readonly (readonly number[])[];
}
const predictionsOf = async (name: string): Promise<Predictions> =>
  JSON.parse(await readFile(join(FIXTURES, `${name}.json`), 'utf8')) as Predictions;
const modelFile = (name: string): string => join(FIXTURES, `${name}.txt`);
const loaded = async (name: string): Promise<TreeModel> => parseModel(await readFile(modelFile(name), 'utf8'), name);

describe.each(NAMES)('the model %s', (name) => {
  const scores = async (output: string): Promise<(number | undefined)[]> => {
    const score = compiled(ModelScorer, { file: modelFile(name), features: 'f', output });
    return (await predictionsOf(name)).rows.map((f) => score({ f }, 0));
  };

  it('predicts like LightGBM, to the bit', async () => {
    expect(await scores('raw')).toEqual((await predictionsOf(name)).raw);
  });

  it('returns the response of its objective', async () => {
    const { response } = await predictionsOf(name);
    for (const [k, score] of (await scores('response')).entries()) {
      // exp differs in the last bit between libraries.
      expect(Math.abs(score! - response[k]!)).toBeLessThanOrEqual(4e-16 * Math.abs(response[k]!));
    }
  });

  it('explains itself like LightGBM, and by parts that sum to its score', async () => {
    const model = await loaded(name);
    const { rows, contributions } = await predictionsOf(name);
    for (const [k, row] of rows.entries()) {
      const values = Float64Array.from(row, (value) => value ?? Number.NaN);
      const parts = treeShap(model, values);
      const all = [...parts.contributions, parts.base];
      for (const [j, part] of all.entries()) expect(part).toBeCloseTo(contributions[k]![j]!, 9);
      expect(all.reduce((sum, part) => sum + part, 0)).toBeCloseTo(rawScore(model, values), 9);
    }
  });

  it('stays within its range', async () => {
    const [least, most] = rawRange(await loaded(name));
    for (const raw of (await predictionsOf(name)).raw) {
      expect(raw).toBeGreaterThanOrEqual(least);
      expect(raw).toBeLessThanOrEqual(most);
    }
  });
});

/** The mean of a tree with only some features known: the definition of Shapley values. */
function expectation(model: TreeModel, node: number, values: Float64Array, known: ReadonlySet<number>): number {
  if (node < 0) return model.leafValue[~node]!;
  const [left, right] = [model.left[node]!, model.right[node]!];
  if (known.has(model.feature[node]!))
    return expectation(model, goesLeft(model, node, values[model.feature[node]!]!) ? left : right, values, known);
  const rows = (at: number): number =>
    at < 0 ? model.leafCount[~at]! : rows(model.left[at]!) + rows(model.right[at]!);
  const share = rows(left) / rows(node);
  return share * expectation(model, left, values, known) + (1 - share) * expectation(model, right, values, known);
}

it('computes the Shapley values of the definition, over all subsets of features', async () => {
  const model = await loaded('regression');
  const features = [0, 1, 2, 3, 4];
  const subsets = Array.from({ length: 32 }, (_, bits) => features.filter((k) => ((bits >> k) & 1) === 1));
  const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1));
  const value = fc.oneof(
    fc.double({ min: -3, max: 3, noNaN: true }),
    fc.integer({ min: 0, max: 40 }),
    fc.constant(Number.NaN),
  );
  fc.assert(
    fc.property(fc.array(value, { minLength: 5, maxLength: 5 }), (row) => {
      const values = Float64Array.from(row);
      const of = (known: readonly number[]): number =>
        model.roots.reduce((sum, root) => sum + expectation(model, root, values, new Set(known)), 0);
      const { contributions } = treeShap(model, values);
      for (const k of features) {
        const without = subsets.filter((subset) => !subset.includes(k));
        const shapley = without.reduce((sum, subset) => {
          const weight = (factorial(subset.length) * factorial(4 - subset.length)) / factorial(5);
          return sum + weight * (of([...subset, k]) - of(subset));
        }, 0);
        expect(contributions[k]).toBeCloseTo(shapley, 9);
      }
    }),
    { numRuns: 50 },
  );
});

describe('ModelScorer', () => {
  const file = modelFile('regression');

  it('takes its features from their names, from paths and entries, from a map or from pairs', async () => {
    const { rows, raw } = await predictionsOf('regression');
    const [price, age, rank, kind, clicks] = rows[0]!;
    const flat = { price, age, rank, kind, clicks };
    expect(compiled(ModelScorer, { file })(flat, 0)).toBe(raw[0]);
    expect(compiled(ModelScorer, { file, features: 'f' })({ f: flat }, 0)).toBe(raw[0]);
    expect(compiled(ModelScorer, { file, features: 'f' })({ f: Object.entries(flat) }, 0)).toBe(raw[0]);
    const pipeline = await createPipeline<object>({
      measures: [{ id: 'cost', expr: 'candidate.price * 1' }],
      tier2_scorers: [
        {
          id: 'model',
          class: 'ModelScorer',
          params: {
            file,
            features: {
              price: { expr: 'measures.cost' },
              age: 'age?',
              rank: 'rank?',
              kind: 'kind?',
              clicks: 'clicks?',
            },
          },
        },
      ],
      combine: 'weighted_sum',
    });
    const ranking = await pipeline.rank([{ id: 'a', ...flat }]);
    expect(ranking.ranked[0]?.score).toBe(raw[0]);
    expect(evaluate(ranking.explain('a'))).toBe(raw[0]);
    const [note] = nodesOfKind(explanationParts(ranking.explain('a')).scorers[0]!.details, 'note');
    const { base, contributions } = note!.data as unknown as {
      base: number;
      contributions: { contribution: number }[];
    };
    expect(contributions.reduce((sum, { contribution }) => sum + contribution, base)).toBeCloseTo(raw[0]!, 9);
    expect(note!.text).toMatch(/^-?[\d.]+ on average, here \w+ = -?[\d.]+ \([+−][\d.]+\), /);
  });

  it('handles a missing feature as configured', () => {
    const score = (missing: unknown) => compiled(ModelScorer, { file, features: 'f', missing })({ f: { price: 1 } }, 0);
    const zeros = { price: 1, age: 0, rank: 0, kind: 0, clicks: 0 };
    expect(score(0)).toBe(compiled(ModelScorer, { file })(zeros, 0));
    expect(score('abstain')).toBeUndefined();
    expect(score('nan')).not.toBe(score(0));
    expect(compiled(ModelScorer, { file })({}, 0)).toBeUndefined();
    expect(compiled(ModelScorer, { file, features: 'f' })({}, 0)).toBeUndefined();
    expect(compiled(ModelScorer, { file: modelFile('stump') })({}, 0)).toBeTypeOf('number');
  });

  it('reports unknown and missing features', () => {
    const wrong = (features: object) => JSON.stringify(problems(ModelScorer, { file, features }));
    const all = { price: 'a', age: 'b', rank: 'c', kind: 'd', clicks: 'e' };
    expect(wrong({ ...all, prise: 'f' })).toContain('there is no feature');
    expect(wrong({ price: 'a' })).toContain('missing the feature');
    expect(JSON.stringify(problems(ModelScorer, { file: modelFile('multiclass') }))).toContain('several classes');
  });
});

describe('an invalid model file', () => {
  let text: string;
  beforeAll(async () => {
    text = await readFile(modelFile('regression'), 'utf8');
  });
  const read = (changed: string) => () => parseModel(changed, 'm.txt');

  it('is rejected with its place', () => {
    expect(read('')).toThrow('m.txt:1:1: expected a model in LightGBM’s text format');
    expect(read('{"a": 1}')).toThrow('m.txt:1:1: expected a model');
    expect(read(text.slice(0, 2000))).toThrow(
      /^m\.txt:\d+:1: the file ends within Tree=\d: expected a line end of trees$/,
    );
    expect(read(text.replace('version=v4', 'version=v9'))).toThrow('m.txt:2:9: expected version v3 or v4, found v9');
    expect(read(text.replace('leaf_value=', 'leaf_value=x '))).toThrow(
      /^m\.txt:\d+:12: expected 8 numbers in leaf_value of Tree=0, found 9$/,
    );
    expect(read(text.replace(/leaf_value=\S+/, 'leaf_value=0x10'))).toThrow(
      /:12: expected a number in leaf_value, found "0x10"$/,
    );
    expect(read(text.replace(/(leaf_value=\S+ )\S+/, '$1nan'))).toThrow('expected a number in leaf_value, found "nan"');
    expect(read(text.replace('num_leaves=8', 'num_leaves=999999999999'))).toThrow('expected whole numbers from 1 to');
    expect(read(text.replace('max_feature_idx=4', 'max_feature_idx=900000000'))).toThrow(
      'expected a name for each feature',
    );
    expect(read(text.replace(/split_feature=\d/, 'split_feature=9'))).toThrow(
      'expected whole numbers from 0 to 4 in split_feature, found 9',
    );
    expect(read(text.replace('is_linear=0', 'is_linear=1'))).toThrow('linear trees are not supported');
    expect(read(text.replace(/^left_child=.*\n/m, ''))).toThrow('Tree=0 has no left_child');
  });

  it('is rejected if a tree has a cycle, or an unreachable node', () => {
    expect(read(text.replace(/left_child=\S+/, 'left_child=0'))).toThrow('is not a tree: split 0 has two parents');
    expect(read(text.replace(/left_child=\S+/, 'left_child=-8'))).toThrow('is not a tree');
  });

  it('with any bytes removed, is read or rejected with a message', () => {
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(400), fc.string({ maxLength: 5 }), (from, length, put) => {
        try {
          const model = parseModel(text.slice(0, from) + put + text.slice(from + length), 'm.txt');
          rawScore(model, new Float64Array(model.names.length));
        } catch (error) {
          expect((error as Error).message).toMatch(/^m\.txt:\d+:\d+: /);
        }
      }),
      { numRuns: 300 },
    );
  });

  let folder: string;
  beforeAll(async () => {
    folder = temporaryFolder('model-');
  });

  it('is a problem of the profile, with both places', async () => {
    await writeFile(join(folder, 'torn.txt'), text.slice(0, 2000));
    await writeFile(
      join(folder, 'p.yaml'),
      'tier2_scorers:\n  - { id: m, class: ModelScorer, params: { file: torn.txt } }\n',
    );
    const made = createPipeline(join(folder, 'p.yaml'));
    await expect(made).rejects.toThrow(/p\.yaml:2:\d+ error ASZ202 .*torn\.txt:\d+:1: the file ends within Tree=/);
    expect(problems(ModelScorer, { file: '/dev/zero' })).not.toEqual([]);
    expect(problems(ModelScorer, { file: folder })).not.toEqual([]);
  });
});

const SHARED = resolve(process.env['ASSIZE_SHARED'] ?? '../shared', 'data', 'ltr', 'lightgbm-lambdarank');

describe.skipIf(!existsSync(SHARED))('LightGBM’s ranking example, if its data are next to the project', () => {
  it('has the predictions of all 3,005 rows exactly, and explanations that sum to them', async () => {
    const text = async (name: string): Promise<string> => readFile(join(SHARED, name), 'utf8');
    const predictions = (await text('predictions.train.txt')).trim().split('\n').map(Number);
    const rows = (await text('rank.train')).trim().split('\n');
    const score = compiled(ModelScorer, { file: join(SHARED, 'model.txt'), features: 'f' });
    const model = parseModel(await text('model.txt'), 'model.txt');
    const vectors = rows.map((row) => {
      const f = new Float64Array(301);
      // The model's feature j is index j + 1 of the file.
      for (const [, index, value] of row.matchAll(/(\d+):(\S+)/g)) f[Number(index) - 1] = Number(value);
      return f;
    });
    expect(vectors.map((f) => score({ f }, 0))).toEqual(predictions);
    for (const [k, f] of vectors.slice(0, 50).entries()) {
      const { base, contributions } = treeShap(model, f);
      expect(contributions.reduce((sum, part) => sum + part, base)).toBeCloseTo(predictions[k]!, 9);
    }
  });
});
