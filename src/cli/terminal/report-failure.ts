import { isAbsolute, relative } from 'node:path';
import { CommanderError } from 'commander';
import type { ProblemCode } from '../../diagnostics/codes.js';
import { formatProblems } from '../../diagnostics/format.js';
import { AssizeError, type Problem } from '../../diagnostics/problem.js';
import { EXIT_CODES } from './exit-codes.js';
import type { Io } from './io.js';

/** What is wrong with the command line itself, and not with what it names. */
const USAGE_CODES: ReadonlySet<ProblemCode> = new Set<ProblemCode>(['ASZ601', 'ASZ602', 'ASZ603']);

/** A command called wrongly in a way that only its action can see. */
export const usageError = (message: string, hint?: string): AssizeError =>
  new AssizeError([{ code: 'ASZ601', message, hint }]);

/** Says what went wrong, without a stack unless ASSIZE_DEBUG asks for it, and gives the exit code. */
export function reportFailure(error: unknown, io: Io): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.fine : EXIT_CODES.usage; // it has said so already
  if (error instanceof AssizeError) {
    const problems = error.problems.map((problem) => relativeToFolder(problem, io.folder));
    io.err.write(`${formatProblems(problems, { colour: io.err.colour })}\n`);
  } else {
    const message = error instanceof Error ? error.message : String(error);
    io.err.write(`assize failed: ${message}\n  ASSIZE_DEBUG=1 shows where\n`);
  }
  if (io.env['ASSIZE_DEBUG'] === '1' && error instanceof Error) io.err.write(`${stackOf(error)}\n`);
  const misused = error instanceof AssizeError && error.problems.some(({ code }) => USAGE_CODES.has(code));
  return misused ? EXIT_CODES.usage : EXIT_CODES.problems;
}

const stackOf = (error: Error): string =>
  [error.stack, ...(error.cause instanceof Error ? [`caused by ${error.cause.stack}`] : [])].join('\n');

/** A path is shown as one would type it, where it is inside the working directory. */
export function relativeToFolder(problem: Problem, folder: string): Problem {
  const { place } = problem;
  if (!place || !isAbsolute(place.file)) return problem;
  const near = relative(folder, place.file);
  return near.startsWith('..') || isAbsolute(near) ? problem : { ...problem, place: { ...place, file: near } };
}
