import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { AssizeError, type ProfileInput } from 'assize';
import { type ScorerUse, scoresBy, type WeightedUse } from './cupel-scores.js';
import { compare, type Difference, type Expected, sum, type Tally } from './tally.js';

/** An item of a vector. Its other fields go to the scorers unchanged. */
export interface Item {
  readonly content: string;
  readonly timestamp?: Date;
  readonly futureRelevanceHint?: number;
}

export interface Config {
  readonly weights?: readonly { readonly kind: string; readonly weight: number }[];
  readonly tag_weights?: readonly { readonly tag: string; readonly weight: number }[];
  readonly scorers?: readonly Weighted[];
  readonly inner_scorer?: string;
  readonly reference_time?: Date;
  readonly null_timestamp_score?: number;
  readonly curve?: Curve;
  readonly default_score?: number;
  readonly key?: string;
  readonly value?: string;
  readonly boost?: number;
}

interface Weighted {
  readonly type: string;
  readonly weight: number;
  readonly children?: readonly Weighted[];
}

interface Curve {
  readonly type: string;
  readonly half_life_secs?: number;
  readonly max_age_secs?: number;
  readonly windows?: readonly { readonly max_age_secs: number; readonly score: number }[];
}

/** A file of `scoring`: one scorer over some items. */
interface ScoringVector {
  readonly test: { readonly name: string; readonly scorer: string; readonly expect_construction_error?: boolean };
  readonly config?: Config;
  readonly items?: readonly Item[];
  readonly expected?: readonly Scored[];
  readonly tolerance?: { readonly score_epsilon?: number };
}

interface Scored {
  readonly content: string;
  readonly score_approx: number;
}

/** A file of `pipeline`: the part with intermediate scores. */
interface PipelineVector {
  readonly test: { readonly name: string };
  readonly config: Config;
  readonly items?: readonly Item[];
  readonly expected?: {
    readonly diagnostics?: {
      readonly included?: readonly (Scored & { readonly inclusion_reason: string })[];
      readonly excluded?: readonly (Scored & { readonly exclusion_reason: string })[];
    };
  };
}

const EPSILON = 1e-9;

/** The reference's own vectors of single scorers. */
export const scoring = async (folder: string): Promise<Tally> =>
  sum(...(await Promise.all((await vectorsIn<ScoringVector>(folder)).map(scores))));

/** The scores in its vectors of whole pipelines. */
export const pipelineScores = async (folder: string): Promise<Tally> =>
  sum(...(await Promise.all((await vectorsIn<PipelineVector>(folder)).map(scoresOnTheWay))));

/** The data of a reference follows its format and is not checked. */
export async function vectorsIn<V>(folder: string): Promise<V[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.toml')).sort();
  return Promise.all(files.map(async (file) => parse(await readFile(join(folder, file), 'utf8')) as V));
}

export const oneCase = (failed: readonly Difference[]): Tally => ({
  passed: failed.length === 0 ? 1 : 0,
  failed: failed.slice(0, 1),
  skipped: [],
});

async function scores({ test, config = {}, items = [], expected = [], tolerance }: ScoringVector): Promise<Tally> {
  const found = await scoresBy(
    useOf(test.scorer, config),
    items.map(candidate),
    config.reference_time?.getTime(),
  ).catch((error: unknown) => {
    if (error instanceof AssizeError) return error.message;
    throw error;
  });
  if (test.expect_construction_error) {
    return oneCase(typeof found === 'string' ? [] : [{ name: test.name, expected: 'an error', found: 'a scorer' }]);
  }
  if (typeof found === 'string') return oneCase([{ name: test.name, expected: 'scores', found }]);
  const byContent = new Map(items.map(({ content }, index) => [content, found[index]]));
  const wanted = expected.map(({ content, score_approx }): Expected => {
    return { name: `${test.name}: ${content}`, score: score_approx };
  });
  const got = expected.map(({ content }) => byContent.get(content));
  return oneCase(compare(wanted, got, tolerance?.score_epsilon ?? EPSILON).failed);
}

/** Not scored in the reference: pinned items, and items with negative tokens. */
const AROUND: ProfileInput = {
  candidate: { pinned: 'candidate.?pinned.orValue(false)' },
  tier1_scorers: [{ id: 'negative_tokens', expr: 'candidate.tokens < 0' }],
};

async function scoresOnTheWay({ test, config, items = [], expected }: PipelineVector): Promise<Tally> {
  const told = [
    ...(expected?.diagnostics?.included ?? []).filter(({ inclusion_reason }) => inclusion_reason !== 'Pinned'),
    ...(expected?.diagnostics?.excluded ?? []).filter(({ exclusion_reason }) => exclusion_reason !== 'NegativeTokens'),
  ].map(({ content, score_approx }) => ({ content, score: score_approx }));
  if (told.length === 0) return sum();
  const { scorers = [] } = config;
  const [only, second] = scorers;
  const use = only && !second ? useOf(only.type, {}) : useOf('composite', config);
  const found = await scoresBy(use, items.map(candidate), undefined, AROUND);
  const scored = items.flatMap(({ content }, index) => {
    const score = found[index];
    return score === undefined ? [] : [{ content, score }];
  });
  // Contents repeat if duplicates are dropped: the scores identify the items.
  const wanted = told.sort(inOrder).map(({ content, score }) => ({ name: `${test.name}: ${content}`, score }));
  const got = scored.sort(inOrder).map(({ score }) => score);
  return oneCase(compare(wanted, got, EPSILON).failed);
}

interface OneScore {
  readonly content: string;
  readonly score: number;
}

const inOrder = (a: OneScore, b: OneScore): number =>
  a.content < b.content ? -1 : a.content > b.content ? 1 : a.score - b.score;

export const candidate = ({ futureRelevanceHint, timestamp, ...item }: Item): object => ({
  ...item,
  ...(timestamp && { timestamp: timestamp.getTime() }),
  ...(futureRelevanceHint !== undefined && { future_relevance_hint: futureRelevanceHint }),
});

const CLASSES: Readonly<Record<string, string>> = {
  recency: 'RecencyScorer',
  priority: 'PriorityScorer',
  frequency: 'FrequencyScorer',
  reflexive: 'ReflexiveScorer',
  kind: 'KindScorer',
  tag: 'TagScorer',
  metadata_trust: 'MetadataTrustScorer',
  metadata_key: 'MetadataKeyScorer',
  decay: 'DecayScorer',
  scaled: 'ScaledScorer',
  composite: 'CompositeScorer',
};

/** The class of a scorer of Cupel. */
export const classOf = (type: string): string => CLASSES[type] ?? type;

/** A scorer of a vector: an unknown type becomes a class that the profile does not know. */
export const useOf = (type: string, config: Config): ScorerUse => ({
  class: classOf(type),
  params: paramsOf(type, config),
});

function paramsOf(type: string, config: Config): Readonly<Record<string, unknown>> {
  switch (type) {
    case 'kind':
      return config.weights
        ? { weights: Object.fromEntries(config.weights.map(({ kind, weight }) => [kind, weight])) }
        : {};
    case 'tag':
      return { weights: Object.fromEntries((config.tag_weights ?? []).map(({ tag, weight }) => [tag, weight])) };
    case 'composite':
      return { scorers: (config.scorers ?? []).map(childOf) };
    case 'scaled':
      return { scorer: useOf(config.inner_scorer ?? '', {}) };
    case 'decay':
      return given({ curve: config.curve && curveOf(config.curve), null_timestamp_score: config.null_timestamp_score });
    case 'metadata_trust':
      return given({ default_score: config.default_score });
    case 'metadata_key':
      return given({ key: config.key, value: config.value, boost: config.boost });
    default:
      return {};
  }
}

const childOf = ({ type, weight, children }: Weighted): WeightedUse => ({
  ...useOf(type, children ? { scorers: children } : {}),
  weight,
});

const curveOf = ({ type, half_life_secs, max_age_secs, windows }: Curve): object =>
  given({
    type,
    half_life: millis(half_life_secs),
    max_age: millis(max_age_secs),
    windows: windows?.map(({ max_age_secs: seconds, score }) => ({ max_age: millis(seconds), score })),
  });

const millis = (seconds: number | undefined): number | undefined => seconds && seconds * 1000;

/** The params that a vector contains: the others have their defaults. */
const given = (params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
