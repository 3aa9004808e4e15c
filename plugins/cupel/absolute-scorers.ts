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
} from '../../src/unit-sdk.js';

/** The default weights, as in the reference. */
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

/** Scores the weight of a candidate's kind, without normalising or clamping. A kind without a weight scores 0. */
export class KindScorer implements RowScorer<KindParams> {
  static readonly meta = defineScorer({
    summary: 'Favours candidates by kind.',
    reads: 'params',
    params: z.strictObject({
      field: path('kind').describe('The path to the kind, a string.'),
      weights: kindWeights
        .default(DEFAULT_WEIGHTS)
        .describe('The score of each kind, at least 0, ignoring ASCII case. Replaces the defaults.'),
      default_kind: z.string().default('Message').describe('The kind of a candidate without a kind.'),
    }),
    range: ({ weights }) => [0, Math.max(0, ...Object.values(weights))],
    reasons: { known: 'kind {kind}', unknown: 'kind {kind} has no weight' },
  });

  compile({ field, weights, default_kind }: KindParams): Score<unknown> {
    const byKind = new Map(Object.entries(weights).map(([kind, weight]) => [foldAscii(kind), weight]));
    // Also under their original spelling, which most candidates use: they need no folding.
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
    weights: z.record(z.string(), z.number().min(0)).describe('The weight of each tag, at least 0.'),
    case_sensitive: z.boolean().default(true).describe('false: ignore ASCII case.'),
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
 * Scores the weight of a candidate's tags as a share of all weights: `min(1, Σ weight of its tags / Σ all weights)`. A
 * repeated tag counts each time. The sums run in the order of the candidate's tags and of the profile.
 */
export class TagScorer implements RowScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours candidates with weighted tags.',
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
      return share < 1 ? share : 1; // 1 also for ∞ / ∞: the minimum of NaN and 1 is 1 in the reference
    };
  }
}

type MetadataKeyParams = ParamsOf<typeof MetadataKeyScorer>;

/**
 * Scores `boost` if a candidate's metadata has exactly this value under the key, otherwise 1. The reference calls it a
 * multiplier, but it is a score: in a weighted mean it is added, and every other candidate gets 1.
 */
export class MetadataKeyScorer implements RowScorer<MetadataKeyParams> {
  static readonly meta = defineScorer({
    summary: 'Boosts candidates whose metadata has a given value under a key.',
    reads: 'params',
    params: z.strictObject({
      field: path('metadata').describe('The path to a map.'),
      key: z.string().describe('The key in the metadata, compared exactly.'),
      value: z.union([z.string(), z.number(), z.boolean()]).describe('The value, compared exactly: "1" is not 1.'),
      boost: z.number().positive().describe('The score of a match; other candidates score 1.'),
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

/** The decimal numbers that the reference parses: no whitespace, no hexadecimal, nothing after the number. */
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

type MetadataTrustParams = ParamsOf<typeof MetadataTrustScorer>;

/**
 * Scores the trust in a candidate's metadata, clamped to 0–1: a number, or a decimal number as a string. A trust that
 * is missing, not finite or anything else scores `default_score`.
 */
export class MetadataTrustScorer implements RowScorer<MetadataTrustParams> {
  static readonly meta = defineScorer({
    summary: 'Scores by the trust in the candidate’s metadata.',
    reads: 'params',
    params: z.strictObject({
      field: path('metadata').describe('The path to a map.'),
      key: z.string().default('cupel:trust').describe('The key of the trust in the metadata, compared exactly.'),
      default_score: z.number().min(0).max(1).default(0.5).describe('The score if the key has no number.'),
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
      return clamp01(trust);
    };
  }
}

/** Parses a value as a number; NaN if it is not one. */
function numberFrom(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : Number.NaN;
}

type ReflexiveParams = ParamsOf<typeof ReflexiveScorer>;

/** Scores the candidate's own relevance, clamped to 0–1. A value that is not finite scores 0, including +∞. */
export class ReflexiveScorer implements RowScorer<ReflexiveParams> {
  static readonly meta = defineScorer({
    summary: 'Scores by the candidate’s own relevance.',
    reads: 'params',
    params: z.strictObject({
      field: path('future_relevance_hint').describe('The path to a number, which is clamped to 0–1.'),
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
 * Lower-cases ASCII capitals only, as the reference compares kinds and, if case is ignored, tags. `toLowerCase` folds
 * more: the Kelvin sign would equal `k`.
 */
export const foldAscii = (text: string): string => text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());

/** The keys that equal an earlier key when folded, each with that key. */
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
