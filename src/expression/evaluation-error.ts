/** An expression that cannot be evaluated on what it was given: which operation, what it found, what it needs. */
export class ExpressionEvaluationError extends Error {
  override readonly name = 'ExpressionEvaluationError';
}
