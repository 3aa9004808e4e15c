import { type Expression, isExpression } from '../expression/expression.js';
import type { Adjustment } from './profile.js';

/** Whether a rule says something else where a score is another. */
export function readsScores({ when, set, add, multiply, min, max }: Adjustment): boolean {
  const factors = typeof multiply === 'object' && 'by' in multiply ? multiply.by : [multiply];
  const expressions = [when, set, add, ...factors, min, max].filter((part): part is Expression => isExpression(part));
  return expressions.some(({ reads }) => reads.some((name) => /^scores?\b/.test(name)));
}
