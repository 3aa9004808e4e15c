/** An expression that cannot be evaluated on what it was given: which operation, what it found, what it needs. */
export class EvaluationFailure extends Error {
  override readonly name = 'EvaluationFailure';
}
