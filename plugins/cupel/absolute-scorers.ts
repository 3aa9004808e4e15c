import {
  abstain,
  defineScorer,
  ownValue,
  type ParamsOf,
  path,
  readMap,
  readNumber,
  readText,
  readTexts,
  type RowScorer,
  type Score,
  z,
} from '../../src/sdk.js';

/** The weights of the reference. */
const DEFAULT_WEIGHTS = { SystemPrompt: 1, Memory: 0.8, ToolOutput: 0.6, Document: 0.4, Message: 0.2 };

const kindWeights = z.record(z.string(), z.number().min(0)).superRefine((weights, ctx) => {
  for (const [kind, before] of foldedDuplicates(Object.keys(weights))) {
    ctx.addIssue({
      code: 'custom',
      path: [kind],
      message: `${kind} is the same kind as ${before}: case does not matter`,
    });
  }
});

type KindParams = ParamsOf<typeof KindScorer>;

/** Scores the weight of a candidate's kind, neither normalised nor clamped. A kind without a weight scores 0. */
export class KindScorer implements RowScorer<KindParams> {
  static readonly meta = defineScorer({
    summary: 'Favours candidates by what kind of thing they are.',
    reads: 'params',
    params: z.strictObject({
      field: path('kind').describe('The path to the kind, a string.'),
      weights: kindWeights
        .default(DEFAULT_WEIGHTS)
        .describe(
          'The score of each kind, 0 or above; ASCII case does not matter. In place of the defaults, not added.',
        ),
      default_kind: z.string().default('Message').describe('The kind of a candidate that names none.'),
    }),
    range: ({ weights }) => [0, Math.max(0, ...Object.values(weights))],
    reasons: { known: 'kind {kind}', unknown: 'kind {kind} has no weight' },
  });

  compile({ field, weights, default_kind }: KindParams): Score<unknown> {
    const byKind = new Map(Object.entries(weights).map(([kind, weight]) => [foldAscii(kind), weight]));
    // Also by their own spelling: most candidates spell a kind as the profile does, and then nothing is folded.
    for (const [kind, weight] of Object.entries(weights)) byKind.set(kind, weight);
    return (candidate, _index, note) => {
      const kind = readText(field, candidate) ?? default_kind;
      const weight = byKind.get(kind) ?? byKind.get(foldAscii(kind));
      note?.(weight === undefined ? 'unknown' : 'known', { kind });
      return weight ?? 0;
    };
  }
}

const params = z
  .strictObject({
    field: path('tags').describe('The path to the tags, a list of strings.'),
    weights: z.record(z.string(), z.number().min(0)).describe('The weight of each tag, 0 or above.'),
    case_sensitive: z.boolean().default(true).describe('false: ASCII case does not matter.'),
  })
  .superRefine(({ weights, case_sensitive }, ctx) => {
    if (case_sensitive) return;
    for (const [tag, before] of foldedDuplicates(Object.keys(weights))) {
      const message = `${tag} is the same tag as ${before} where case does not matter`;
      ctx.addIssue({ code: 'custom', path: ['weights', tag], message });
    }
  });

type Params = z.output<typeof params>;

/**
 * Scores the share of all weights that a candidate's tags have: `min(1, Σ weight of its tags / Σ all weights)`. A tag
 * that a candidate has twice counts twice. The sums run in the order of the candidate's tags and of the profile.
 */
export class TagScorer implements RowScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours candidates with tags of weight.',
    reads: 'params',
    params,
    range: [0, 1],
    onAbsent: 0,
    reasons: {
      matched: '{weight} of {total} for {tags}',
      unmatched: 'none of its tags has a weight',
      untagged: 'it has no tags',
      absent: '{field} is absent',
    },
  });

  compile({ field, weights, case_sensitive }: Params): Score<unknown> {
    const fold = case_sensitive ? (tag: string) => tag : foldAscii;
    const byTag = new Map(Object.entries(weights).map(([tag, weight]) => [fold(tag), weight]));
    const weightOf = (tag: string): number => byTag.get(fold(tag)) ?? 0;
    const total = [...byTag.values()].reduce((sum, weight) => sum + weight, 0);
    return (candidate, _index, note) => {
      const tags = readTexts(field, candidate);
      if (tags === undefined) return abstain(note, 'absent', { field: field.source });
      let weight = 0;
      for (const tag of tags) weight += weightOf(tag);
      note?.(tags.length === 0 ? 'untagged' : weight > 0 ? 'matched' : 'unmatched', {
        weight,
        total,
        tags: tags.filter((tag) => weightOf(tag) > 0),
      });
      if (tags.length === 0 || total === 0) return 0;
      const share = weight / total;
      return share < 1 ? share : 1; // ∞ / ∞ too: the reference's minimum of NaN and 1 is 1
    };
  }
}

type MetadataKeyParams = ParamsOf<typeof MetadataKeyScorer>;

/**
 * Scores `boost` where a candidate's metadata has exactly this value under the key, else 1. The reference calls it a
 * multiplier, but it is a score: in a weighted mean it adds, and every other candidate has its 1 there, too.
 */
export class MetadataKeyScorer implements RowScorer<MetadataKeyParams> {
  static readonly meta = defineScorer({
    summary: 'Raises candidates whose metadata has one value under one key.',
    reads: 'params',
    params: z.strictObject({
      field: path('metadata').describe('The path to a map.'),
      key: z.string().describe('The key in it, exactly.'),
      value: z.union([z.string(), z.number(), z.boolean()]).describe('The value, exactly: "1" is not 1.'),
      boost: z.number().positive().describe('The score where it matches; 1 where not.'),
    }),
    range: ({ boost }) => [Math.min(1, boost), Math.max(1, boost)],
    reasons: { matched: '{key} is {value}', unmatched: '{key} is not {value}' },
  });

  compile({ field, key, value, boost }: MetadataKeyParams): Score<unknown> {
    return (candidate, _index, note) => {
      const matches = ownValue(readMap(field, candidate), key) === value;
      note?.(matches ? 'matched' : 'unmatched', { key, value });
      return matches ? boost : 1;
    };
  }
}

/** A decimal number as the reference parses it: no white space, no hexadecimal, nothing after it. */
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

type MetadataTrustParams = ParamsOf<typeof MetadataTrustScorer>;

/**
 * Takes the trust that a candidate's metadata states, clamped to 0 to 1: a number, or a decimal number as a string. A
 * missing trust, one that is not finite and anything else score `default_score`.
 */
export class MetadataTrustScorer implements RowScorer<MetadataTrustParams> {
  static readonly meta = defineScorer({
    summary: 'Takes the trust that the candidate’s metadata states.',
    reads: 'params',
    params: z.strictObject({
      field: path('metadata').describe('The path to a map.'),
      key: z.string().default('cupel:trust').describe('The key of the trust in it, exactly.'),
      default_score: z
        .number()
        .min(0)
        .max(1)
        .default(0.5)
        .describe('The score where there is no number under the key.'),
    }),
    range: [0, 1],
    reasons: { trusted: '{key} is {trust}', unstated: '{key} is missing or no number' },
  });

  compile({ field, key, default_score }: MetadataTrustParams): Score<unknown> {
    return (candidate, _index, note) => {
      const trust = numberFrom(ownValue(readMap(field, candidate), key));
      if (!Number.isFinite(trust)) {
        note?.('unstated', { key });
        return default_score;
      }
      note?.('trusted', { key, trust });
      return trust < 0 ? 0 : trust > 1 ? 1 : trust;
    };
  }
}

/** The number that a value states; NaN where it states none. */
function numberFrom(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : Number.NaN;
}

type ReflexiveParams = ParamsOf<typeof ReflexiveScorer>;

/** Takes the relevance that a candidate brings, clamped to 0 to 1; 0 where it is not finite, +∞ included. */
export class ReflexiveScorer implements RowScorer<ReflexiveParams> {
  static readonly meta = defineScorer({
    summary: 'Takes the relevance that the candidate brings with it.',
    reads: 'params',
    params: z.strictObject({
      field: path('future_relevance_hint').describe('The path to a number, which is cut to 0 to 1.'),
    }),
    range: [0, 1],
    onAbsent: 0,
    reasons: {
      hinted: '{field} is {hint}',
      not_finite: '{field} is {hint}, which is not finite',
      absent: '{field} is absent',
    },
  });

  compile({ field }: ReflexiveParams): Score<unknown> {
    return (candidate, _index, note) => {
      const hint = readNumber(field, candidate);
      if (hint === undefined) return abstain(note, 'absent', { field: field.source });
      const finite = Number.isFinite(hint);
      note?.(finite ? 'hinted' : 'not_finite', { field: field.source, hint });
      return finite ? clamp01(hint) : 0;
    };
  }
}

const clamp01 = (value: number): number => (value < 0 ? 0 : value > 1 ? 1 : value);

/**
 * Lower-cases the ASCII capitals of a text and nothing else, as the reference compares kinds, and tags where it ignores
 * case: `toLowerCase` folds far more, so that the Kelvin sign would equal `k`.
 */
export const foldAscii = (text: string): string => text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());

/** The keys that fold to an earlier key, each with that key. */
function foldedDuplicates(keys: Iterable<string>): readonly (readonly [key: string, before: string])[] {
  const seen = new Map<string, string>();
  const duplicates: [string, string][] = [];
  for (const key of keys) {
    const before = seen.get(foldAscii(key));
    if (before === undefined) seen.set(foldAscii(key), key);
    else duplicates.push([key, before]);
  }
  return duplicates;
}
