/** The `Function` that has refused to make code: another may be put in its place, and be asked. */
let refusing: FunctionConstructor | undefined;

/**
 * What is made as code of its own, or what takes its place if that is forbidden: by a page's policy without
 * `unsafe-eval`, by Node's --disallow-code-generation-from-strings. A page reports every attempt: there is one.
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
