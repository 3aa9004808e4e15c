import {
  abstain,
  type BatchScorer,
  defineScorer,
  type ParamsOf,
  type PathReader,
  path,
  type Run,
  readTexts,
  type Score,
  z,
} from '../../src/sdk.js';
import { countOthersSharing } from './shared-tags.js';

type Params = ParamsOf<typeof FrequencyScorer>;

/**
 * Scores the share of the other candidates with which a candidate has a tag in common: `sharing / (N − 1)`; 0 without
 * tags, and where there are no others. Others without tags count. ASCII case does not matter, unlike in the TagScorer.
 */
export class FrequencyScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours candidates that share tags with many others in the batch.',
    reads: 'params',
    params: z.strictObject({ field: path('tags').describe('The path to the tags, a list of strings.') }),
    scope: 'set',
    range: [0, 1],
    onAbsent: 0,
    reasons: {
      shared: 'shares a tag with {sharing} of {others} others',
      untagged: 'it has no tags',
      alone: 'there are no others',
      absent: '{field} is absent',
    },
  });

  prepare({ field }: Params, { candidates }: Run): Score<unknown> {
    const column = countOthersSharing(candidates.map((candidate) => readValidTags(field, candidate)));
    const others = candidates.length - 1;
    return (candidate, index, note) => {
      const sharing = column[index] ?? Number.NaN;
      if (Number.isNaN(sharing)) {
        readTexts(field, candidate); // throws again where the list is malformed
        return abstain(note, 'absent', { field: field.source });
      }
      const untagged = (): boolean => readTexts(field, candidate)?.length === 0;
      note?.(untagged() ? 'untagged' : others === 0 ? 'alone' : 'shared', { sharing, others });
      return others === 0 ? 0 : sharing / others;
    };
  }
}

/** The tags; undefined where they are malformed too: that candidate fails alone, and shares no tag with the others. */
function readValidTags(field: PathReader, candidate: unknown): readonly string[] | undefined {
  try {
    return readTexts(field, candidate);
  } catch {
    return undefined;
  }
}
