/** Every code that the command exits with. */
export const EXIT_CODES = { fine: 0, problems: 1, usage: 2 } as const;

/** The codes as the help says them. */
export const EXIT_HELP = `Exit codes:
  0  all is well
  1  the profile, the candidates, the context or the run has problems
  2  the command was called wrongly`;
