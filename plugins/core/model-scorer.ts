import { defineScorer, type Live, type ParamsOf, type RowScorer, type Score, z } from '../../src/unit-sdk.js';
import { compileFeatureRow, featuresByName, featuresParam, featuresProblem, missingParam } from './features.js';
import { parseModel, rawRange, rawScore, splitFeatures, type TreeModel } from './lightgbm-model.js';
import { treeShap } from './tree-shap.js';
import { parsedFile } from './params.js';

type Params = ParamsOf<typeof ModelScorer>;

/** A model with values that are computed once. The engine does not search instances of a class for params. */
class LoadedModel {
  readonly wanted: readonly number[];
  readonly range: readonly [number, number];
  constructor(readonly trees: TreeModel) {
    this.wanted = splitFeatures(trees);
    this.range = rawRange(trees);
  }
}

const params = z
  .strictObject({
    file: parsedFile((text, file) => new LoadedModel(parseModel(text, file))).describe(
      'A model in LightGBM’s text format, relative to the profile.',
    ),
    features: featuresParam()
      .optional()
      .describe(
        'The path to all features (a map, a list or pairs), or the path or entry of each feature. Default: each name is a path.',
      ),
    missing: missingParam(),
    output: z
      .enum(['raw', 'response'])
      .default('raw')
      .describe('raw: the sum of the leaves. response: the output of the objective, such as a probability.'),
  })
  .transform(({ file, features, output, ...rest }, ctx) => {
    const refuse = (message: string, path: string) => {
      ctx.issues.push({ code: 'custom', input: features, message, path: [path] });
      return z.NEVER;
    };
    const { names, objective, divisor } = file.trees;
    const response = output === 'response' ? responseOf(objective, divisor) : undefined;
    if (output === 'response' && !response)
      return refuse(`the response of the model’s objective is not known: ${objective || 'it names none'}`, 'output');
    const wanted = file.wanted.map((feature) => names[feature]!);
    const found = features ?? featuresByName(wanted);
    const problem = typeof found === 'string' ? found : featuresProblem(found, names, wanted);
    if (problem !== undefined || typeof found === 'string') return refuse(problem ?? '', 'features');
    return { ...rest, model: file, features: found, response };
  });

/** Scores the prediction of gradient-boosted trees trained by LightGBM, the same number as LightGBM's own. */
export class ModelScorer implements RowScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Scores by the prediction of a LightGBM model, explained by feature (TreeSHAP).',
    reads: 'params',
    params,
    range: ({ model, response }) => {
      const [least, most] = model.range;
      return response ? [response(least), response(most)] : [least, most];
    },
    cost: ({ model }) => Math.max(1, model.trees.roots.length),
    reasons: {
      raw: '{base} on average, here {contributions:contributions}',
      response: '{response}, of {raw}: {base} on average, here {contributions:contributions}',
      missing: 'the feature {name} is missing',
      absent: 'there are no features',
    },
  });

  compile({ model, features, missing, response }: Params, live: Live): Score<unknown> {
    const { trees, wanted } = model;
    const { names } = trees;
    const read = compileFeatureRow(features, names, wanted, missing, live);
    const values = new Float64Array(names.length);
    return (candidate, index, note) => {
      if (!read(candidate, index, values, note)) return undefined;
      const raw = rawScore(trees, values);
      const score = response ? response(raw) : raw;
      note?.(response ? 'response' : 'raw', { raw, response: score, ...explainTrees(trees, wanted, values) });
      return score;
    };
  }
}

/** The base and the contribution of each feature, without those that add 0. */
function explainTrees(trees: TreeModel, wanted: readonly number[], values: Float64Array) {
  const { base, contributions } = treeShap(trees, values);
  return {
    base,
    contributions: wanted.flatMap((feature) => {
      const contribution = contributions[feature]!;
      const value = Number.isNaN(values[feature]!) ? undefined : values[feature]!;
      return contribution === 0 ? [] : [{ name: trees.names[feature]!, value, contribution }];
    }),
  };
}

/** The response of a raw score, by LightGBM's name of the objective. All are increasing. */
const TRANSFORMS: Readonly<Record<string, (raw: number, words: readonly string[]) => number>> = {
  binary: (raw, words) => 1 / (1 + Math.exp(-sigmoidOf(words) * raw)),
  cross_entropy: (raw) => 1 / (1 + Math.exp(-raw)),
  cross_entropy_lambda: (raw) => Math.log1p(Math.exp(raw)),
  poisson: Math.exp,
  gamma: Math.exp,
  tweedie: Math.exp,
  regression: (raw, words) => (words.includes('sqrt') ? Math.sign(raw) * raw * raw : raw),
};

/** Objectives whose response is the raw score. */
const UNCHANGED = ['regression_l1', 'huber', 'fair', 'quantile', 'mape', 'lambdarank', 'rank_xendcg'];

const sigmoidOf = (words: readonly string[]): number =>
  Number(words.find((word) => word.startsWith('sigmoid:'))?.slice('sigmoid:'.length) ?? 1);

/**
 * The function from raw score to response; undefined for an unknown objective.
 *
 * @param divisor divides the raw score first: the number of trees in a random forest, else 1
 */
function responseOf(objective: string, divisor: number): ((raw: number) => number) | undefined {
  const [name = '', ...words] = objective.split(' ');
  if (UNCHANGED.includes(name)) return (raw) => raw / divisor;
  const transform = Object.hasOwn(TRANSFORMS, name) ? TRANSFORMS[name] : undefined;
  return transform && sigmoidOf(words) > 0 ? (raw) => transform(raw / divisor, words) : undefined;
}
