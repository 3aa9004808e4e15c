import { isAbsolute, relative } from 'node:path';
import { isWarning, type Problem } from '../../../diagnostics/index.js';

/** A problem for an agent: what is wrong, where, and what to do. */
export interface ProblemData {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly path?: string;
  /** `team.yaml:3:9` */
  readonly place?: string;
  readonly hint?: string;
}

/** @param folder what files are named from: agents learn nothing of the folders around it */
export function problemData({ code, message, path, place, hint }: Problem, folder?: string): ProblemData {
  return {
    severity: isWarning(code) ? 'warning' : 'error',
    code,
    message,
    ...(path && { path }),
    ...(place && { place: `${fileName(place.file, folder)}:${place.line}:${place.column}` }),
    ...(hint !== undefined && { hint }),
  };
}

/** The same with the file of its place as agents know it. */
export const withoutFolder = (problem: Problem, folder: string): Problem =>
  problem.place ? { ...problem, place: { ...problem.place, file: fileName(problem.place.file, folder) } } : problem;

const fileName = (file: string, folder: string | undefined): string =>
  folder !== undefined && isAbsolute(file) ? relative(folder, file) : file;
