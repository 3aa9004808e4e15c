/** What an objective makes of a raw score, by LightGBM's name of it; all are rising. */
const TRANSFORMS: Readonly<Record<string, (raw: number, words: readonly string[]) => number>> = {
  binary: (raw, words) => 1 / (1 + Math.exp(-sigmoidOf(words) * raw)),
  cross_entropy: (raw) => 1 / (1 + Math.exp(-raw)),
  cross_entropy_lambda: (raw) => Math.log1p(Math.exp(raw)),
  poisson: Math.exp,
  gamma: Math.exp,
  tweedie: Math.exp,
  regression: (raw, words) => (words.includes('sqrt') ? Math.sign(raw) * raw * raw : raw),
};

/** Objectives whose response is the raw score. */
const UNCHANGED = ['regression_l1', 'huber', 'fair', 'quantile', 'mape', 'lambdarank', 'rank_xendcg'];

const sigmoidOf = (words: readonly string[]): number =>
  Number(words.find((word) => word.startsWith('sigmoid:'))?.slice('sigmoid:'.length) ?? 1);

/**
 * What makes the response of a raw score; undefined where the objective is not known.
 *
 * @param divisor divides the raw score first: the number of trees in a random forest, else 1
 */
export function responseOf(objective: string, divisor: number): ((raw: number) => number) | undefined {
  const [name = '', ...words] = objective.split(' ');
  if (UNCHANGED.includes(name)) return (raw) => raw / divisor;
  const transform = Object.hasOwn(TRANSFORMS, name) ? TRANSFORMS[name] : undefined;
  return transform && sigmoidOf(words) > 0 ? (raw) => transform(raw / divisor, words) : undefined;
}
