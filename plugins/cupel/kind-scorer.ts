import { defineScorer, type ParamsOf, path, type RowScorer, readText, type Score, z } from '../../src/sdk.js';
import { foldAscii, foldedDuplicates } from './ascii-case.js';

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

type Params = ParamsOf<typeof KindScorer>;

/** Scores the weight of a candidate's kind, neither normalised nor clamped. A kind without a weight scores 0. */
export class KindScorer implements RowScorer<Params> {
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

  compile({ field, weights, default_kind }: Params): Score<unknown> {
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
