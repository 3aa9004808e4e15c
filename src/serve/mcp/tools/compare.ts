import { comparisonText } from '../../../explain/index.js';
import { defineTool } from '../tool.js';
import { COLUMNS, which } from './explain.js';
import { rankFor, rankingInput } from './request.js';

/** Compares two candidates. */
export const compare = defineTool({
  name: 'compare',
  title: 'Compare two candidates',
  description:
    'Ranks candidates by a profile, and says which of two comes first, what decides between them, and which single change ' +
    '(a weight, a scorer’s value, a veto) would put the other one first.',
  input: rankingInput.extend({ a: which, b: which }),
  async run({ a, b, ...request }, context, abort) {
    const ranking = await rankFor(request, context, { abort, learn: false });
    const comparison = await ranking.compare(a, b);
    const { profile, ahead, decidedBy, difference } = comparison;
    const data = {
      profile,
      a: sideOf(comparison.a),
      b: sideOf(comparison.b),
      ...(ahead && { ahead }),
      decidedBy,
      ...(difference !== undefined && { difference }),
      flips: comparison.flips.weights.filter(({ state }) => state === 'flips'),
    };
    return { text: comparisonText(comparison, { columns: COLUMNS }), data };
  },
});

const sideOf = ({ id, index, outcome }: { id: string; index: number; outcome: unknown }) => ({ id, index, outcome });
