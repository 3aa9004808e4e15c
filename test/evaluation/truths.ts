import { execFileSync } from 'node:child_process';
import { createPipeline, type ProfileInput } from 'assize';
import { evaluateProfiles, type JudgedQuery, parseMeasure } from '@assize/evaluate';
import { type Random, seededRandom } from '../../plugins/@assize/evaluate/src/significance/distributions.js';
import { type TuneOptions, tuneWeights } from '@assize/evaluate/tune';
import type { Evaluation } from './evaluation.js';

/** A candidate: its features, and its true value, which no scorer sees. */
export interface Example {
  readonly x: readonly number[];
  readonly worth: number;
}

/** The true value of a candidate, and how its features and grades are drawn. */
interface Truth {
  readonly name: string;
  readonly features: number;
  readonly draw: (random: Random) => readonly number[];
  readonly worth: (x: readonly number[]) => number;
  /** The share of grades that are replaced by random ones. */
  readonly wrong?: number;
}

const FEATURES = 5;
const uniform =
  (count: number) =>
  (random: Random): readonly number[] =>
    Array.from({ length: count }, () => random());
const linear = ([a = 0, b = 0, c = 0]: readonly number[]): number => 3 * a + 2 * b + c;

/** Seven truths, from those that weights alone express to those that neither weights nor curves do. */
const TRUTHS: readonly Truth[] = [
  { name: 'linear', features: FEATURES, draw: uniform(FEATURES), worth: linear },
  {
    name: 'monotone',
    features: FEATURES,
    draw: uniform(FEATURES),
    worth: ([a = 0, b = 0, c = 0]) => 2 * a ** 5 + 2 * Math.sqrt(b) + (c > 0.7 ? 1 : 0),
  },
  {
    name: 'non-monotone',
    features: FEATURES,
    draw: uniform(FEATURES),
    worth: ([a = 0, b = 0, c = 0]) => -6 * Math.abs(a - 0.5) - 4 * (b - 0.3) ** 2 + c,
  },
  { name: 'interaction', features: FEATURES, draw: uniform(FEATURES), worth: ([a = 0, b = 0, c = 0]) => 4 * a * b + c },
  { name: '30 % of labels wrong', features: FEATURES, draw: uniform(FEATURES), worth: linear, wrong: 0.3 },
  {
    name: 'correlated',
    features: FEATURES,
    draw: (random) => {
      const common = random();
      return Array.from({ length: FEATURES }, () => 0.7 * common + 0.3 * random());
    },
    worth: linear,
  },
  { name: '30 irrelevant', features: 33, draw: uniform(33), worth: linear },
];

const MEASURE = 'nDCG@10';
const CANDIDATES = 15;
const TRAIN = 40;
const TEST = 200;

/** A normal variable, by Box and Muller. */
const normal = (random: Random): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Queries of a truth: a candidate is graded 0 to 3 by its value, with noise of a tenth of its deviation. */
function drawQueries(truth: Truth, count: number, seed: number): readonly JudgedQuery<Example>[] {
  const random = seededRandom(seed);
  const calibration = Array.from({ length: 2000 }, () => truth.worth(truth.draw(random))).sort((a, b) => a - b);
  const at = (share: number): number => calibration[Math.floor(share * calibration.length)]!;
  const noise = 0.1 * (at(0.84) - at(0.16));
  const thresholds = [at(0.5), at(0.75), at(0.9)];
  return Array.from({ length: count }, (_, q) => {
    const candidates = Array.from({ length: CANDIDATES }, () => {
      const x = truth.draw(random);
      return { x, worth: truth.worth(x) };
    });
    const grades = candidates.map(({ worth }) => {
      const seen = worth + noise * normal(random);
      const grade = thresholds.filter((threshold) => seen > threshold).length;
      return random() < (truth.wrong ?? 0) ? Math.floor(random() * 4) : grade;
    });
    return { id: `q${q}`, candidates, grades };
  });
}

type Scores = (example: Example) => number;

/** The mean nDCG@10 of the order by some scores. */
function meanOf(queries: readonly JudgedQuery<Example>[], score: Scores): number {
  const { of } = parseMeasure(MEASURE);
  const values = queries.map(({ candidates, grades }) => {
    const order = [...candidates.keys()].toSorted((a, b) => score(candidates[b]!) - score(candidates[a]!));
    return of({ grades: order.map((k) => grades[k]), judgements: grades.map((grade) => grade ?? 0) });
  });
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const dot = (weights: readonly number[], x: readonly number[]): number =>
  weights.reduce((sum, weight, k) => sum + weight * x[k]!, 0);

/** Logistic regression of grades of at least 1, by gradient descent with a small L2 penalty. */
function logistic(queries: readonly JudgedQuery<Example>[], features: number): Scores {
  const rows = queries.flatMap(({ candidates, grades }) =>
    candidates.map(({ x }, k) => ({ x, label: (grades[k] ?? 0) > 0 ? 1 : 0 })),
  );
  let weights = Array.from({ length: features + 1 }, () => 0);
  for (let step = 0; step < 800; step++) {
    const slopes = weights.map((weight, k) => (k === features ? 0 : 0.01 * weight));
    for (const { x, label } of rows) {
      const off = 1 / (1 + Math.exp(-(dot(weights.slice(0, features), x) + weights[features]!))) - label;
      for (let k = 0; k <= features; k++) slopes[k]! += (off * (k === features ? 1 : x[k]!)) / rows.length;
    }
    weights = weights.map((weight, k) => weight - 3 * slopes[k]!);
  }
  return ({ x }) => dot(weights.slice(0, features), x);
}

/** Coordinate ascent on nDCG@10 (Metzler and Croft 2007), from three starts. */
function coordinateAscent(queries: readonly JudgedQuery<Example>[], features: number): Scores {
  const random = seededRandom(9);
  const of = (weights: readonly number[]): number => meanOf(queries, ({ x }) => dot(weights, x));
  let best = { weights: Array.from({ length: features }, () => 1 / features), value: 0 };
  for (let start = 0; start < 3; start++) {
    let weights = best.weights.map((weight) => (start === 0 ? weight : random()));
    let value = of(weights);
    for (let pass = 0; pass < 5; pass++) {
      const before = value;
      for (let k = 0; k < features; k++) {
        for (const change of [-0.5, -0.1, -0.02, 0.02, 0.1, 0.5]) {
          const other = weights.with(k, weights[k]! + change);
          const reached = of(other);
          if (reached > value) [weights, value] = [other, reached];
        }
      }
      if (value - before < 1e-4) break;
    }
    if (value > best.value) best = { weights, value };
  }
  return ({ x }) => dot(best.weights, x);
}

const PYTHON = `
import sys, json
import numpy as np, lightgbm as lgb
data = json.load(sys.stdin)
train = lgb.Dataset(np.array(data['x']), np.array(data['y']), group=data['groups'])
params = dict(objective='lambdarank', metric='ndcg', num_leaves=7, min_data_in_leaf=10, learning_rate=0.1, verbose=-1, seed=1, deterministic=True, num_threads=1)
model = lgb.train(params, train, num_boost_round=100)
json.dump(model.predict(np.array(data['test'])).tolist(), sys.stdout)
`;

/** LightGBM's LambdaRank, with the Python in ASSIZE_TEST_LIGHTGBM; undefined without it. */
function lambdaRank(train: readonly JudgedQuery<Example>[], test: readonly JudgedQuery<Example>[]): Scores | undefined {
  const python = process.env['ASSIZE_TEST_LIGHTGBM'];
  if (python === undefined) return undefined;
  const examples = (queries: readonly JudgedQuery<Example>[]) => queries.flatMap(({ candidates }) => candidates);
  const input = JSON.stringify({
    x: examples(train).map(({ x }) => x),
    y: train.flatMap(({ grades }) => grades),
    groups: train.map(({ candidates }) => candidates.length),
    test: examples(test).map(({ x }) => x),
  });
  const predicted = JSON.parse(execFileSync(python, ['-c', PYTHON], { input, encoding: 'utf8' })) as number[];
  const byExample = new Map(examples(test).map((one, k) => [one, predicted[k]!]));
  return (example) => byExample.get(example) ?? 0;
}

/** The test nDCG@10 of a tuned profile, as written to YAML. */
async function tunedOn(
  { features }: Truth,
  train: readonly JudgedQuery<Example>[],
  test: readonly JudgedQuery<Example>[],
  options: TuneOptions,
): Promise<number> {
  const profile: ProfileInput = {
    name: 'truth',
    tier2_scorers: Array.from({ length: features }, (_, k) => ({ id: `x${k}`, expr: `candidate.x[${k}]` })),
  };
  const { change } = await tuneWeights(profile, train, { measure: MEASURE, folds: 2, repeats: 1, ...options });
  const byId = new Map((change.tier2_scorers ?? []).map((entry) => [entry['id'], entry]));
  const entries = profile.tier2_scorers!.map((entry) => ({ ...entry, ...byId.get(entry.id) }));
  const tuned = await createPipeline<Example>({
    ...profile,
    tier2_scorers: entries.map((entry) => ('class' in entry ? withoutExpr(entry) : entry)),
  });
  const { profiles } = await evaluateProfiles({ tuned }, test, { measures: [MEASURE] });
  return profiles[0]!.means[MEASURE]!;
}

function withoutExpr<E extends { readonly expr?: unknown }>({ expr: _expr, ...rest }: E): Omit<E, 'expr'> {
  return rest;
}

/** The result of each method on held-out queries; `undefined` if it was skipped. */
export interface Reached {
  readonly truth: string;
  readonly values: Readonly<Record<string, number | undefined>>;
}

/** Every method on one truth. */
async function measured(truth: Truth, seed: number): Promise<Reached> {
  const [train, test] = [drawQueries(truth, TRAIN, seed), drawQueries(truth, TEST, seed + 1000)];
  const ranker = lambdaRank(train, test);
  return {
    truth: truth.name,
    values: {
      'best possible': meanOf(test, ({ worth }) => worth),
      'equal weights': meanOf(test, ({ x }) => x.reduce((sum, one) => sum + one, 0)),
      weights: await tunedOn(truth, train, test, {}),
      'five curves': await tunedOn(truth, train, test, { curves: 5 }),
      'five curves, any shape': await tunedOn(truth, train, test, { curves: 5, anyShape: true }),
      'logistic regression': meanOf(test, logistic(train, truth.features)),
      'coordinate ascent': meanOf(test, coordinateAscent(train, truth.features)),
      LambdaRank: ranker && meanOf(test, ranker),
    },
  };
}

/** Every method on every truth, or on the named ones, by the mean over several seeds. */
export async function* onTruths(seeds: readonly number[], names?: readonly string[]): AsyncGenerator<Reached> {
  for (const truth of TRUTHS.filter(({ name }) => names?.includes(name) ?? true)) {
    const all: Reached[] = [];
    // oxlint-disable-next-line no-await-in-loop -- arithmetic
    for (const seed of seeds) all.push(await measured(truth, seed));
    const mean = (method: string): number | undefined => {
      const values = all.map(({ values: one }) => one[method]).filter((value) => value !== undefined);
      return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
    };
    yield {
      truth: truth.name,
      values: Object.fromEntries(Object.keys(all[0]!.values).map((name) => [name, mean(name)])),
    };
  }
}

const SEEDS = [1, 2, 3];

/** The quality of tuning with known truths, compared with other learning methods. */
export const truths: Evaluation = {
  name: 'truths',
  async *run() {
    yield `nDCG@10 on ${TEST} new queries, learnt from ${TRAIN} queries of ${CANDIDATES} candidates; the mean of ${SEEDS.length} seeds.\n`;
    if (process.env['ASSIZE_TEST_LIGHTGBM'] === undefined)
      yield 'LambdaRank is skipped: set ASSIZE_TEST_LIGHTGBM to a Python that has lightgbm.\n';
    let isFirst = true;
    for await (const { truth, values } of onTruths(SEEDS)) {
      if (isFirst) {
        yield `| truth | ${Object.keys(values).join(' | ')} |`;
        yield `|---|${Object.keys(values)
          .map(() => '---')
          .join('|')}|`;
      }
      isFirst = false;
      const cells = Object.values(values).map((value) => value?.toFixed(3) ?? 'skipped');
      yield `| ${truth} | ${cells.join(' | ')} |`;
    }
    yield '';
  },
};
