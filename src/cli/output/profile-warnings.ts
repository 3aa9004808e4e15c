import { formatProblems } from '../../diagnostics/format.js';
import type { Pipeline } from '../../pipeline.js';
import type { Io } from '../terminal/io.js';
import { relativeToFolder } from '../terminal/report-failure.js';

/** Says on standard error what is legal in a profile and surely a mistake. */
export function writeProfileWarnings({ warnings }: Pick<Pipeline, 'warnings'>, io: Pick<Io, 'err' | 'folder'>): void {
  if (warnings.length === 0) return;
  const near = warnings.map((warning) => relativeToFolder(warning, io.folder));
  io.err.write(`${formatProblems(near, { colour: io.err.colour })}\n`);
}
