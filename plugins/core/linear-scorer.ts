import { abstain, defineScorer, type Live, type ParamsOf, type RowScorer, type Score, z } from '../../src/unit-sdk.js';
import { compileFeatures, featureFormulas, featuresByName, featuresParam, featuresProblem } from './features.js';
import { filePlace, ParamFileError, parsedFile } from './params.js';

type Params = ParamsOf<typeof LinearScorer>;

const params = z
  .strictObject({
    weights: z
      .record(z.string().min(1), z.number())
      .refine((weights) => Object.keys(weights).length > 0, 'expected at least one weight')
      .optional()
      .describe('The weight of each feature, by name. Set weights or file.'),
    file: parsedFile(parseWeights)
      .optional()
      .describe(
        'A file of weights, relative to the profile: JSON, or CSV with the header feature,weight. Set weights or file.',
      ),
    features: featuresParam()
      .optional()
      .describe(
        'The path to all features (a map, a list or pairs), or the path or entry of each feature. Default: each name is a path.',
      ),
    intercept: z.number().default(0).describe('The constant that is added to the sum.'),
    link: z.enum(['identity', 'logistic']).default('identity').describe('logistic: 1 / (1 + e^−sum), between 0 and 1.'),
    missing: z
      .union([z.number(), z.literal('abstain')])
      .default(0)
      .describe('The value of a missing feature, or `abstain`.'),
  })
  .transform(({ weights, file, features, ...rest }, ctx) => {
    const refuse = (message: string, path: readonly string[] = []) => {
      ctx.issues.push({ code: 'custom', input: { weights, file, features }, message, path: [...path] });
      return z.NEVER;
    };
    if (weights && file) return refuse('expected either weights or file, found both');
    const pairs = file ?? (weights && Object.entries(weights));
    if (!pairs) return refuse('missing weights or file');
    const names = pairs.map(([name]) => name);
    const found = features ?? featuresByName(names);
    const problem = typeof found === 'string' ? found : featuresProblem(found, names, names);
    if (problem !== undefined || typeof found === 'string') return refuse(problem ?? '', ['features']);
    return { ...rest, features: found, names, weights: pairs.map(([, weight]) => weight) };
  });

/** Scores the weighted sum of features: `intercept + Σ weight × feature`, in the order of the weights. */
export class LinearScorer implements RowScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'A weighted sum of named features, whose weights may come from a file.',
    reads: 'params',
    params,
    range: ({ link }) => (link === 'logistic' ? [0, 1] : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]),
    formula: ({ features, names, weights, intercept, link, missing }, parts) => {
      const values = featureFormulas(features, names, parts);
      if (!values) return undefined;
      const filled = values.map((value) =>
        missing === 'abstain' ? value : `${value}.orValue(${parts.number(missing)})`,
      );
      const terms = filled.map((value, k) => `${parts.number(weights[k]!)} * ${value}`);
      const sum = [parts.number(intercept), ...terms].join(' + ');
      const score = link === 'logistic' ? `1 / (1 + exp(-(${sum})))` : sum;
      return `${values.map((value) => `has(${value})`).join(' || ')} ? ${score} : 0 / 0`;
    },
    reasons: {
      sum: '{intercept} and {contributions:contributions}',
      logistic: 'logistic of {sum}: {intercept} and {contributions:contributions}',
      missing: 'the feature {name} is missing',
      absent: 'there are no features',
    },
  });

  compile({ features, names, weights, intercept, link, missing }: Params, live: Live): Score<unknown> {
    const fill = compileFeatures(features, names, [...names.keys()], live);
    const factors = Float64Array.from(weights);
    const values = new Float64Array(names.length);
    return (candidate, index, note) => {
      if (!fill(candidate, index, values, note)) return abstain(note, 'absent');
      let sum = intercept;
      for (let k = 0; k < factors.length; k++) {
        let value = values[k]!;
        if (Number.isNaN(value)) {
          if (missing === 'abstain') return abstain(note, 'missing', { name: names[k] });
          value = missing;
        }
        sum += factors[k]! * value;
      }
      note?.(link === 'logistic' ? 'logistic' : 'sum', {
        sum,
        intercept,
        contributions: linearContributions(names, factors, values, missing),
      });
      return link === 'logistic' ? 1 / (1 + Math.exp(-sum)) : sum;
    };
  }
}

/** The contribution of each feature, without those that add 0. */
const linearContributions = (
  names: readonly string[],
  weights: Float64Array,
  values: Float64Array,
  missing: number | 'abstain',
) =>
  names.flatMap((name, k) => {
    const value = Number.isNaN(values[k]!) ? undefined : values[k]!;
    const weight = weights[k]!;
    const contribution = weight * (value ?? Number(missing));
    return contribution === 0 ? [] : [{ name, value, weight, contribution }];
  });

/** The tokens of a flat JSON map, each with the whitespace before it. */
const TOKENS = {
  open: /\s*(\{)/y,
  close: /\s*(\})/y,
  comma: /\s*(,)/y,
  colon: /\s*(:)/y,
  text: /\s*("[^"\\\n]*(?:\\.[^"\\\n]*)*")/y,
  number: /\s*(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w.])/y,
  end: /\s*($)/y,
} as const;
type TokenKind = keyof typeof TOKENS;

/**
 * Reads weights from JSON (a map of numbers by feature) or from CSV with the header `feature,weight`. A file whose name
 * ends in `.csv` is CSV.
 *
 * @throws ParamFileError with the place of the first mistake
 */
export function parseWeights(text: string, file: string): readonly (readonly [feature: string, weight: number])[] {
  const pairs = /\.csv$/i.test(file) ? readCsv(text, file) : readJson(text, file);
  const weights = new Map<string, number>();
  for (const { feature, weight, at } of pairs) {
    if (weights.has(feature)) throw new ParamFileError(`${at()}: the feature ${JSON.stringify(feature)} occurs twice`);
    if (!Number.isFinite(weight)) throw new ParamFileError(`${at()}: expected a finite number`);
    weights.set(feature, weight);
  }
  if (weights.size === 0) throw new ParamFileError(`${filePlace(file, 1, 1)}: expected at least one weight`);
  return [...weights];
}

/** A pair with its place as text for messages, which is computed only if needed. */
interface PlacedWeight {
  readonly feature: string;
  readonly weight: number;
  readonly at: () => string;
}

function* readJson(text: string, file: string): Generator<PlacedWeight> {
  let at = text.charCodeAt(0) === 0xfe_ff ? 1 : 0;
  const place = (offset: number): string => {
    const before = text.slice(0, offset).split('\n');
    return filePlace(file, before.length, before.at(-1)!.length + 1);
  };
  const next = (kind: TokenKind): string | undefined => {
    const token = TOKENS[kind];
    token.lastIndex = at;
    const found = token.exec(text)?.[1];
    if (found !== undefined) at = token.lastIndex;
    return found;
  };
  const expected = (kind: TokenKind, words: string): string => {
    const found = next(kind);
    if (found !== undefined) return found;
    const offset = at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
    const there = offset >= text.length ? 'the end of the file' : JSON.stringify(text.slice(offset, offset + 20));
    throw new ParamFileError(`${place(offset)}: expected ${words}, found ${there}`);
  };
  expected('open', 'a map of weights by feature');
  if (next('close') === undefined) {
    do {
      const key = expected('text', 'the name of a feature');
      const start = at - key.length;
      expected('colon', 'a colon');
      const weight = Number(expected('number', `a number, the weight of ${key}`));
      yield { feature: unquote(key, () => place(start)), weight, at: () => place(start) };
    } while (next('comma') !== undefined);
    expected('close', 'a comma or a closing brace');
  }
  expected('end', 'the end of the file');
}

function unquote(text: string, at: () => string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    throw new ParamFileError(`${at()}: expected the name of a feature, found ${text}`);
  }
}

const CSV_LINE = /^(?:"((?:[^"]|"")*)"|([^",]*)),\s*(\S+)\s*$/;
const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

function* readCsv(text: string, file: string): Generator<PlacedWeight> {
  const [heading = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (heading !== 'feature,weight')
    throw new ParamFileError(
      `${filePlace(file, 1, 1)}: expected the heading feature,weight, found ${heading.slice(0, 40)}`,
    );
  for (const [k, line] of lines.entries()) {
    if (line === '') continue;
    const [, quoted, plain = '', number = ''] = CSV_LINE.exec(line) ?? [];
    const at = () => filePlace(file, k + 2, 1);
    if (!NUMBER.test(number))
      throw new ParamFileError(`${at()}: expected a feature, a comma and a number, found ${line.slice(0, 60)}`);
    yield { feature: quoted?.replaceAll('""', '"') ?? plain, weight: Number(number), at };
  }
}
