import { isAbsolute, relative } from 'node:path';
import type { ProblemCode } from '../../diagnostics/codes.js';
import { formatProblems } from '../../diagnostics/format.js';
import { AssizeError, type Problem } from '../../diagnostics/problem.js';
import { escapeInvisible } from '../../text/wrap.js';
import { EXIT_CODES, type Io } from './io.js';

/** The codes of problems of the command line itself, as opposed to those of its files. */
const USAGE_CODES: ReadonlySet<ProblemCode> = new Set<ProblemCode>(['ASZ534', 'ASZ601', 'ASZ602', 'ASZ603']);

/** A command line that parses, and that its verb cannot run. */
export const usageError = (message: string, hint?: string): AssizeError =>
  new AssizeError([{ code: 'ASZ601', message, hint }]);

/** A ranking or scoring without candidates. */
export const noCandidatesError = (hint: string): AssizeError => usageError('there are no candidates', hint);

/** Writes an error to standard error, with a stack only under ASSIZE_DEBUG=1, and returns the exit code. */
export function reportFailure(error: unknown, io: Io): number {
  if (error instanceof AssizeError) {
    writeProblems(error.problems, io);
  } else {
    const message = error instanceof Error ? error.message : String(error);
    io.err.write(`assize failed: ${escapeInvisible(message)}\n  ASSIZE_DEBUG=1 shows where\n`);
  }
  if (io.env['ASSIZE_DEBUG'] === '1' && error instanceof Error) io.err.write(`${stackOf(error)}\n`);
  const misused = error instanceof AssizeError && error.problems.some(({ code }) => USAGE_CODES.has(code));
  return misused ? EXIT_CODES.usage : EXIT_CODES.problems;
}

const stackOf = (error: Error): string =>
  [error.stack, ...(error.cause instanceof Error ? [`caused by ${error.cause.stack}`] : [])].join('\n');

/** Writes problems to standard error, their paths relative to the working directory where they are inside it. */
export function writeProblems(problems: readonly Problem[], { err, folder }: Pick<Io, 'err' | 'folder'>): void {
  if (problems.length === 0) return;
  const shown = problems.map((problem) => relativeToFolder(problem, folder));
  err.write(`${formatProblems(shown, { colour: err.colour })}\n`);
}

/** A problem with the path of its file relative to a folder, where it is inside it. */
export function relativeToFolder(problem: Problem, folder: string): Problem {
  const { place } = problem;
  if (!place || !isAbsolute(place.file)) return problem;
  const path = relative(folder, place.file);
  return path.startsWith('..') || isAbsolute(path) ? problem : { ...problem, place: { ...place, file: path } };
}
