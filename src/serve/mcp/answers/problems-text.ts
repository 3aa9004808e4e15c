import { formatProblems } from '../../../diagnostics/format.js';
import type { Problem } from '../../../diagnostics/index.js';
import { withoutFolder } from './problem-data.js';

/** Problems as the command line writes them, with their lines. */
export const problemsText = (problems: readonly Problem[], folder: string): string =>
  formatProblems(problems.map((problem) => withoutFolder(problem, folder)));
