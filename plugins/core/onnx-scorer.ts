import {
  type BatchScorer,
  defineScorer,
  filePath,
  ONNX_MODELS,
  type OnnxModels,
  type ParamsOf,
  type Run,
  type Score,
  z,
} from '../../src/unit-sdk.js';
import { compileFeatureRow, featuresParam, featuresProblem, missingParam, type ReadFeatureRow } from './features.js';

type Params = ParamsOf<typeof OnnxScorer>;

const params = z
  .strictObject({
    file: filePath().describe('A model in the ONNX format, relative to the profile.'),
    features: featuresParam().describe(
      'The path to all features (a list in the model’s order, a map or pairs), or the path or entry of each, in the model’s order.',
    ),
    names: z
      .array(z.string().min(1))
      .min(1)
      .refine((names) => new Set(names).size === names.length, 'a name occurs twice')
      .optional()
      .describe('The names of the features in the model’s order. Default: the names in `features`, or "0", "1" …'),
    missing: missingParam(),
    output: z.string().min(1).optional().describe('The output to use as the score if the model has several.'),
    column: z
      .int()
      .min(0)
      .optional()
      .describe('The column of the output, from 0, if it has several, such as one for each class.'),
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

/** JavaScript sorts keys that are whole numbers, whatever their order in the source. */
const orderProblem = (own: readonly string[], names: readonly string[] | undefined): string | undefined =>
  names === undefined && own.some((name) => /^\d+$/.test(name))
    ? 'names that are numbers do not keep their order here: list them in names'
    : undefined;

/**
 * The most numbers that are passed to the model at once. It bounds the memory for many candidates with many features.
 */
const MOST_VALUES = 2 ** 22;

/** Scores the prediction of a model in the ONNX format. The format does not provide the contributions of features. */
export class OnnxScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Scores by the prediction of any ONNX model that takes rows of numbers.',
    reads: 'params',
    params,
    scope: 'candidate',
    cost: 1000,
    reasons: {
      predicted: 'the model predicts {prediction} from {features} features; their contributions are not known',
      missing: 'the feature {name} is missing',
      absent: 'there are no features',
    },
  });

  static readonly inject = [ONNX_MODELS];
  constructor(private readonly models: OnnxModels) {}

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
      // oxlint-disable-next-line no-await-in-loop -- one after another, to bound the memory
      const given = await model.predict(values.subarray(0, rows.length * width), rows.length, { output, column });
      for (const [k, row] of rows.entries()) predictions[row] = given[k]!;
    }
    const values = new Float64Array(width);
    return (candidate, index, note) => {
      const prediction = predictions[index]!;
      if (note === undefined && !Number.isNaN(prediction)) return prediction;
      // Read the features again, to note the reason or to repeat the failure.
      if (!read(candidate, index, values, note)) return undefined;
      note?.('predicted', { prediction, features: width });
      return prediction;
    };
  }
}

/** The names from the profile, as many as the model takes; by default the numbers from 0. */
function featureNames(
  file: string,
  named: readonly string[] | undefined,
  width: number | undefined,
): readonly string[] {
  if (named && width !== undefined && width !== named.length)
    throw new Error(`${file}: the model takes ${width} features, and the profile has ${named.length}`);
  if (named) return named;
  if (width === undefined)
    throw new Error(`${file}: the model does not declare its number of features: list them in names`);
  return Array.from({ length: width }, (_, k) => `${k}`);
}

/** Yields the features of candidates in batches that share one buffer, without candidates that abstain or fail. */
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

/** A candidate that fails has no row. It fails again when its score is computed. */
function reads(read: ReadFeatureRow, candidate: unknown, index: number, row: Float64Array): boolean {
  try {
    return read(candidate, index, row);
  } catch {
    return false;
  }
}
