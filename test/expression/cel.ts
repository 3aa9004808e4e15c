import { ExpressionError, type ExpressionProblem, type ExpressionScope } from '../../src/expression/scope.js';
import { parseExpression, type ResultType } from '../../src/expression/parse-expression.js';

/** A scope with one variable of every kind. */
export const scope: ExpressionScope = {
  name: 'a rule',
  variables: {
    candidate: 'map',
    context: 'dyn',
    now: 'number',
    measures: { fields: { tools: 'number', size: 'number' } },
    signals: { fields: { phase: 'dyn' } },
  },
};

const roots = {
  context: () => ({ query: 'cats', limit: null }),
  now: () => 1000,
  measures: { tools: () => 3, size: () => undefined },
  signals: { phase: () => ({ name: 'early' }) },
};

/** Evaluates an expression of the scope on a candidate. */
export const evaluate = (source: string, candidate: unknown = {}, want?: ResultType): unknown =>
  parseExpression(source, scope, want).bind(roots)(candidate, 0);

/** The problems of an expression. */
export function problemsOf(source: string, want?: ResultType): readonly ExpressionProblem[] {
  try {
    parseExpression(source, scope, want);
    return [];
  } catch (error) {
    if (error instanceof ExpressionError) return error.problems;
    throw error;
  }
}

/** The problems as an author sees them: the message, the marked text, the hint. */
export const reportOf = (source: string, want?: ResultType): string =>
  problemsOf(source, want)
    .map(
      (p) => `${p.kind}: ${p.message} [${source.slice(p.offset, p.offset + p.length)}]${p.hint ? ` — ${p.hint}` : ''}`,
    )
    .join('\n');
