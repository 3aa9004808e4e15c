import * as z from 'zod';
import { rankingData } from '../answers/ranking-data.js';
import { rankingText } from '../answers/ranking-text.js';
import { defineTool } from '../tool.js';
import { rankFor, rankingInput } from './request.js';

const count = z.int().nonnegative();

/** Ranks candidates. */
export const rank = defineTool({
  name: 'rank',
  title: 'Rank candidates',
  description:
    'Ranks candidates by a profile: vetoes refuse, scorers weigh, and the best are selected. Answers with the selected, best ' +
    'first, each with the scores it is made of, and with how many were refused or left out and why. Scores depend on the ' +
    'other candidates where a profile compares them: send all of them in one call.',
  input: rankingInput.extend({
    top: count.optional().describe("Select so many of the best, in place of the profile's own top."),
    offset: count.optional().describe('Skip so many of the best: the pages before.'),
    rows: z.int().positive().optional().describe('List at most so many of the selected; 20 when not said.'),
    learn: z.boolean().optional().describe('false: a profile that remembers what it has ranked forgets this call.'),
  }),
  learns: true,
  async run({ top, offset, learn, rows = 20, ...request }, context, abort) {
    const ranking = await rankFor(request, context, {
      abort,
      ...(learn !== undefined && { learn }),
      ...(top !== undefined && { top }),
      ...(offset !== undefined && { offset }),
    });
    const data = rankingData(ranking, Math.min(rows, context.limits.rows));
    return { text: rankingText(data), data: { ...data } };
  },
});
