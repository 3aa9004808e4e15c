/** The `Function` constructor that threw an EvalError. It is not called again unless it is replaced. */
let refusing: FunctionConstructor | undefined;

/**
 * Returns the result of `make`, which generates code, or of `plain` if code generation is forbidden: by a page's policy
 * without `unsafe-eval`, or by Node's --disallow-code-generation-from-strings. Pages report each attempt, so Assize
 * tries only once.
 */
export function generatedOrPlain<F>(make: () => F, plain: () => F): F {
  if (refusing === Function) return plain();
  try {
    return make();
  } catch (error) {
    if (!(error instanceof EvalError)) throw error;
    refusing = Function;
    return plain();
  }
}
