import { abstain, defineScorer, path, type RowScorer, readTexts, type Score, z } from '../../src/sdk.js';
import { foldAscii, foldedDuplicates } from './ascii-case.js';

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
