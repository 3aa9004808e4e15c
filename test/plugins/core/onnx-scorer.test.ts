import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { OnnxScorer } from '../../../plugins/core/onnx-scorer.js';
import { createPipeline, evaluate, explanationParts } from 'assize';
import { ONNX_MODELS } from 'assize/sdk';
import { OnnxRuntime } from '../../../src/services/onnx-runtime.js';
import { type MadeNode, madeModel, type MadeValue } from '../../services/onnx/made-model.js';
import { problems } from './ask.js';
import { temporaryFolder } from '../../temporary-folder.js';

interface Row {
  readonly features: Readonly<Record<string, number>>;
  readonly prediction: number;
}

const FIXTURES = resolve('test/fixtures/onnx');
const LAMBDARANK = join(FIXTURES, 'lambdarank.onnx');
const ROWS: readonly Row[] = readFileSync(join(FIXTURES, 'lambdarank.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);
/** Numbers of single precision are summed: the largest error of a score. */
const CLOSE = 2e-6;

const pipelineOf = (params: Readonly<Record<string, unknown>>) =>
  createPipeline<object>({ tier2_scorers: [{ id: 'model', class: 'OnnxScorer', params }], combine: 'weighted_sum' });

describe('a model in the ONNX format', () => {
  it('gives the predictions of its original model', async () => {
    const pipeline = await pipelineOf({ file: LAMBDARANK, features: 'features', missing: 0 });
    const { ranked } = await pipeline.rank(ROWS);
    expect(ranked).toHaveLength(ROWS.length);
    for (const { index, score } of ranked) expect(Math.abs(score - ROWS[index]!.prediction)).toBeLessThanOrEqual(CLOSE);
  });

  it('gives the same score alone and in a batch, so that a stream and a thread may split them', async () => {
    const pipeline = await pipelineOf({ file: LAMBDARANK, features: 'features', missing: 0 });
    const together = new Map((await pipeline.rank(ROWS)).ranked.map(({ index, score }) => [index, score]));
    for (const [k, row] of ROWS.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- tests single calls
      expect((await pipeline.rank([row])).ranked[0]!.score).toBe(together.get(k));
    }
  });

  it('is explained by its prediction alone, with a note', async () => {
    const pipeline = await pipelineOf({ file: LAMBDARANK, features: 'features', missing: 0 });
    const ranking = await pipeline.rank(ROWS.slice(0, 3));
    const [first] = ranking.ranked;
    const explanation = ranking.explain(first!.id);
    expect(evaluate(explanation)).toBe(first!.score);
    expect(explanationParts(explanation).scorers[0]!.text).toMatch(
      /^the model predicts -?[\d.]+ from 301 features; their contributions are not known$/,
    );
  });
});

describe('OnnxScorer', () => {
  let folder: string;
  beforeAll(async () => {
    folder = temporaryFolder('onnx-');
  });

  const input: MadeValue = { name: 'x', shape: ['n', 3] };
  const output: MadeValue = { name: 'y', shape: ['n', 3] };
  const softmax: MadeNode = { operation: 'Softmax', inputs: ['x'], outputs: ['y'] };

  async function made(name: string, nodes: readonly MadeNode[], inputs: MadeValue[], outputs: MadeValue[]) {
    const file = join(folder, `${name}.onnx`);
    await writeFile(file, madeModel(nodes, inputs, outputs));
    return file;
  }

  /** The message of the first problem of a run. */
  async function failure(params: Readonly<Record<string, unknown>>): Promise<string> {
    const pipeline = await pipelineOf(params);
    return pipeline.rank([{ f: [1, 2, 3] }]).then(
      () => 'no failure',
      (error: Error) => error.message,
    );
  }

  it('takes its features from a list, a map, pairs, paths and entries, and one column of several', async () => {
    const file = await made('softmax', [softmax], [input], [output]);
    const at = async (params: Readonly<Record<string, unknown>>, candidate: object): Promise<number> =>
      (await (await pipelineOf({ file, column: 2, ...params })).rank([candidate])).ranked[0]!.score;
    const wanted = Math.exp(3) / (Math.exp(1) + Math.exp(2) + Math.exp(3));
    const names = ['a', 'b', 'c'];
    const abc = { a: 1, b: 2, c: 3 };
    expect(await at({ features: 'f' }, { f: [1, 2, 3] })).toBeCloseTo(wanted, 6);
    expect(await at({ features: 'f', names }, { f: abc })).toBeCloseTo(wanted, 6);
    expect(await at({ features: 'f', names }, { f: Object.entries(abc) })).toBeCloseTo(wanted, 6);
    expect(await at({ features: { a: 'a', b: { expr: 'candidate.a * 2' }, c: 'c' } }, abc)).toBeCloseTo(wanted, 6);
    expect(await at({ features: { b: 'b', a: 'a', c: 'c' }, names }, abc)).toBeCloseTo(wanted, 6);
  });

  it('abstains and fails for each candidate alone', async () => {
    const file = await made('softmax', [softmax], [input], [output]);
    const pipeline = await pipelineOf({ file, features: 'f', column: 0, missing: 'abstain' });
    const { ranked, refused } = await pipeline.rank([
      { id: 'whole', f: [1, 2, 3] },
      { id: 'missing', f: [1, null, 3] },
      { id: 'none' },
      { id: 'text', f: [1, 'two', 3] },
      { id: 'short', f: [1] },
    ]);
    expect(ranked.map(({ id }) => id)).toEqual(['whole']);
    expect(refused.map(({ id, kind }) => `${id} ${kind}`).toSorted()).toEqual([
      'missing unscored',
      'none unscored',
      'short error',
      'text error',
    ]);
    expect((await pipeline.rank([])).ranked).toEqual([]);
  });

  it('reports mistakes in a model, and in its configuration', async () => {
    const file = await made('softmax', [softmax], [input], [output]);
    expect(await failure({ file, features: 'f' })).toContain('y has 3 columns, but column is not set');
    expect(await failure({ file, features: 'f', column: 3 })).toContain('y has columns 0 to 2, but not 3');
    expect(await failure({ file, features: 'f', output: 'z' })).toContain(
      'the model has no output z; its outputs are y',
    );
    expect(await failure({ file, features: 'f', names: ['a', 'b'] })).toContain(
      'the model takes 3 features, and the profile has 2',
    );
    const wide = await made('wide', [softmax], [{ name: 'x', shape: ['n', 'w'] }], [{ name: 'y', shape: ['n', 'w'] }]);
    expect(await failure({ file: wide, features: 'f' })).toContain('list them in names');
    expect(await failure({ file: wide, features: 'f', names: ['a', 'b', 'c'], column: 0 })).toBe('no failure');
    const fixed = await made('fixed', [softmax], [{ name: 'x', shape: [5, 3] }], [{ name: 'y', shape: [5, 3] }]);
    expect(await failure({ file: fixed, features: 'f' })).toContain('export it with a dynamic first axis');
    const add: MadeNode = { operation: 'Add', inputs: ['x', 'z'], outputs: ['y'] };
    const two = await made('two', [add], [input, { name: 'z', shape: ['n', 3] }], [output]);
    expect(await failure({ file: two, features: 'f' })).toContain('expected a model with one input, found x, z');
    const whole: MadeNode = { operation: 'Identity', inputs: ['x'], outputs: ['y'] };
    const integers = [
      { ...input, type: 7 },
      { ...output, type: 7 },
    ] as const;
    const counted = await made('counted', [whole], [integers[0]], [integers[1]]);
    expect(await failure({ file: counted, features: 'f' })).toContain(
      'expected an input of float or double, found int64',
    );
    const both = await made(
      'both',
      [softmax, { ...whole, outputs: ['same'] }],
      [input],
      [output, { ...output, name: 'same' }],
    );
    expect(await failure({ file: both, features: 'f' })).toContain(
      'several outputs, but output is not set; its outputs are y, same',
    );
    const torn = join(folder, 'torn.onnx');
    await writeFile(torn, (await readFile(file)).subarray(0, 40));
    expect(await failure({ file: torn, features: 'f' })).toContain('torn.onnx: expected a model in the ONNX format');
  });

  it('is rejected with its place, before anything is ranked, if the file or the package is missing', async () => {
    const profile = join(folder, 'p.yaml');
    await writeFile(
      profile,
      'tier2_scorers:\n  - { id: m, class: OnnxScorer, params: { file: gone.onnx, features: f } }\n',
    );
    await expect(createPipeline(profile)).rejects.toThrow(/p\.yaml:2:\d+ .*gone\.onnx: there is no such file/);
    const missing = new OnnxRuntime(() => {
      throw Object.assign(new Error('Cannot find package'), { code: 'MODULE_NOT_FOUND' });
    });
    await expect(createPipeline(profile, { services: [{ token: ONNX_MODELS, value: missing }] })).rejects.toThrow(
      'a model in the ONNX format needs a package that is not installed: npm install onnxruntime-node',
    );
    await expect(
      createPipeline({ yaml: await readFile(profile, 'utf8'), name: 'p' }, { trust: 'none' }),
    ).rejects.toThrow('ASZ111');
  });

  it('reports unknown and missing features', () => {
    const wrong = (params: object) => problems(OnnxScorer, { file: 'm.onnx', ...params }).join('; ');
    expect(wrong({ features: { a: 'a' }, names: ['a', 'b'] })).toBe('features: missing the feature "b"');
    expect(wrong({ features: { a: 'a', c: 'c' }, names: ['a'] })).toBe('features: there is no feature "c"');
    expect(wrong({ features: { 10: 'a', 9: 'b' } })).toBe(
      'features: names that are numbers do not keep their order here: list them in names',
    );
    expect(wrong({ features: { 10: 'a', 9: 'b' }, names: ['10', '9'] })).toBe('');
    expect(wrong({ features: 'f', names: ['a', 'a'] })).toBe('names: a name occurs twice');
  });
});

const SHARED = resolve(process.env['ASSIZE_SHARED'] ?? '../shared', 'data', 'ltr', 'lightgbm-lambdarank');

describe.skipIf(!existsSync(SHARED))('LightGBM’s ranking example, if its data are next to the project', () => {
  it('has the predictions of all 3,005 rows, to single precision', async () => {
    const text = (name: string): Promise<string> => readFile(join(SHARED, name), 'utf8');
    const predictions = (await text('predictions.train.txt')).trim().split('\n').map(Number);
    // The model's feature j is index j + 1 of the file.
    const rows = (await text('rank.train'))
      .trim()
      .split('\n')
      .map((row) => ({
        f: Array.from(row.matchAll(/(\d+):(\S+)/g), ([, index, value]) => [`${Number(index) - 1}`, Number(value)]),
      }));
    const pipeline = await pipelineOf({ file: join(SHARED, 'model.onnx'), features: 'f', missing: 0 });
    const { ranked } = await pipeline.rank(rows);
    const furthest = Math.max(...ranked.map(({ index, score }) => Math.abs(score - predictions[index]!)));
    expect(ranked).toHaveLength(3005);
    expect(furthest).toBeLessThanOrEqual(CLOSE);
  });
});
