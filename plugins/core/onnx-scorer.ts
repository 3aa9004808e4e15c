import {
  type BatchScorer,
  defineScorer,
  filePath,
  inject,
  injectable,
  ONNX_MODELS,
  type OnnxModels,
  type ParamsOf,
  type Run,
  type Score,
  z,
} from '../../src/sdk.js';
import { compileFeatureRow, featuresParam, featuresProblem, missingParam, type ReadFeatureRow } from './features.js';

type Params = ParamsOf<typeof OnnxScorer>;

const params = z
  .strictObject({
    file: filePath().describe('A model in the ONNX format, from this profile’s folder.'),
    features: featuresParam().describe(
      'A path to all (a list in the model’s order, a map, pairs), or each one’s path or entry, in the model’s order.',
    ),
    names: z
      .array(z.string().min(1))
      .min(1)
      .refine((names) => new Set(names).size === names.length, 'a name is there twice')
      .optional()
      .describe('The features’ names in the model’s order; those of `features`, or "0", "1" … when not said.'),
    missing: missingParam(),
    output: z.string().min(1).optional().describe('The output that is the score, where the model has several.'),
    column: z.int().min(0).optional().describe('The column of it, from 0, where it has several: that of a class.'),
  })
  .transform(({ features, names, ...rest }, ctx) => {
    const own = names ?? (typeof features === 'function' ? undefined : Object.keys(features));
    const problem = own && (orderProblem(own, names) ?? featuresProblem(features, own, own));
    if (problem !== undefined) {
      ctx.issues.push({ code: 'custom', input: features, message: problem, path: ['features'] });
      return z.NEVER;
    }
    return { ...rest, features, names: own };
  });

/** Keys that are whole numbers come in the order of numbers, whatever the order in which they were written. */
const orderProblem = (own: readonly string[], names: readonly string[] | undefined): string | undefined =>
  names === undefined && own.some((name) => /^\d+$/.test(name))
    ? 'names that are numbers do not keep their order here: say it in names'
    : undefined;

/** So many numbers are handed to the model at once: many candidates with many features would fill the memory. */
const MOST_VALUES = 2 ** 22;

/** The prediction of a model in the ONNX format. Which feature adds what, the format does not tell. */
@injectable()
export class OnnxScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'What a model in the ONNX format predicts, of any kind that takes rows of numbers.',
    reads: 'params',
    params,
    scope: 'candidate',
    cost: 1000,
    reasons: {
      predicted: 'the model gives {prediction} for {features} features, and does not tell what each adds',
      missing: 'the feature {name} is missing',
      absent: 'there are no features',
    },
  });

  constructor(@inject(ONNX_MODELS) private readonly models: OnnxModels) {}

  /** Reports a missing package or file before the first run. */
  check({ file }: Params): void {
    this.models.check(file);
  }

  async prepare({ file, features, names: named, missing, output, column }: Params, run: Run): Promise<Score<unknown>> {
    const model = await this.models.open(file);
    const names = featureNames(file, named, model.width);
    const read = compileFeatureRow(features, names, [...names.keys()], missing, run);
    const predictions = new Float64Array(run.candidates.length).fill(Number.NaN);
    const width = names.length;
    for (const { values, rows } of batches(read, run.candidates, width)) {
      run.abort.throwIfAborted();
      // oxlint-disable-next-line no-await-in-loop -- one after another, so that few are in memory at once
      const given = await model.predict(values.subarray(0, rows.length * width), rows.length, { output, column });
      for (const [k, row] of rows.entries()) predictions[row] = given[k]!;
    }
    const values = new Float64Array(width);
    return (candidate, index, note) => {
      const prediction = predictions[index]!;
      if (note === undefined && !Number.isNaN(prediction)) return prediction;
      // Read again: it is explained, or abstains or fails as it did.
      if (!read(candidate, index, values, note)) return undefined;
      note?.('predicted', { prediction, features: width });
      return prediction;
    };
  }
}

/** The names that the profile says, as many as the model takes; else numbers from 0. */
function featureNames(
  file: string,
  named: readonly string[] | undefined,
  width: number | undefined,
): readonly string[] {
  if (named && width !== undefined && width !== named.length)
    throw new Error(`${file}: the model takes ${width} features, and the profile has ${named.length}`);
  if (named) return named;
  if (width === undefined)
    throw new Error(`${file}: the model does not say how many features it takes: name them in names`);
  return Array.from({ length: width }, (_, k) => `${k}`);
}

/** The features of candidates, batch by batch in one buffer, without those that abstain or fail. */
function* batches(
  read: ReadFeatureRow,
  candidates: readonly unknown[],
  width: number,
): Generator<{ readonly values: Float64Array; readonly rows: readonly number[] }> {
  const most = Math.max(1, Math.min(candidates.length, Math.floor(MOST_VALUES / width)));
  const values = new Float64Array(most * width);
  let rows: number[] = [];
  for (const [index, candidate] of candidates.entries()) {
    const row = values.subarray(rows.length * width, (rows.length + 1) * width);
    if (reads(read, candidate, index, row)) rows.push(index);
    if (rows.length < most) continue;
    yield { values, rows };
    rows = [];
  }
  if (rows.length > 0) yield { values, rows };
}

/** A candidate that fails has no row: it fails again where its score is asked for. */
function reads(read: ReadFeatureRow, candidate: unknown, index: number, row: Float64Array): boolean {
  try {
    return read(candidate, index, row);
  } catch {
    return false;
  }
}
