import * as z from 'zod';
import { explanationText } from '../../../explain/index.js';
import { defineTool } from '../tool.js';
import { rankFor, rankingInput } from './request.js';

/** How wide the text of an explanation is: long lines cost an agent nothing. */
export const COLUMNS = 120;

/** A candidate of a call. */
export const which = z
  .union([z.string(), z.strictObject({ index: z.int().nonnegative() })])
  .describe('A candidate: its id, or its position: { index: 0 }.');

/** Explains one candidate. */
export const explain = defineTool({
  name: 'explain',
  title: 'Explain a candidate',
  description:
    'Ranks candidates by a profile, and says why one of them came out as it did: what each veto, scorer and rule found, ' +
    'what it read, and how the score is computed. Send the same candidates and context as to rank.',
  input: rankingInput.extend({ candidate: which }),
  async run({ candidate, ...request }, context, abort) {
    const ranking = await rankFor(request, context, { abort, learn: false });
    const explanation = ranking.explain(candidate);
    const { profile, id, index, outcome } = explanation;
    return { text: explanationText(explanation, { columns: COLUMNS }), data: { profile, id, index, outcome } };
  },
});
