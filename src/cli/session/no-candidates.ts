import { extname } from 'node:path';
import { formatProblem } from '../../diagnostics/format.js';
import { formatByExtension, type InputFormat } from '../../input/codecs.js';
import { noCandidatesWarning } from '../../input/read-candidates.js';
import type { TopRanking } from '../../stream/top-ranking.js';
import type { Io } from '../terminal/io.js';

/** Where candidates came from: files of one format, or a table. */
interface CandidateOrigin {
  readonly files: readonly string[];
  readonly table?: string | undefined;
  /** Of the files, where their endings do not say it. */
  readonly format?: InputFormat;
}

/** Warns where a ranking was given no candidates (ASZ717), as it is said of what this process reads by itself. */
export function warnOfNoCandidates(
  { counts }: Pick<TopRanking<object>, 'counts'>,
  { files, table, format = formatByExtension(extname(files[0] ?? '')) }: CandidateOrigin,
  { err }: Pick<Io, 'err'>,
): void {
  if (counts.given > 0) return;
  const name = files.length === 1 ? files[0]! : `${files.length} files`;
  const warning = table === undefined ? noCandidatesWarning(name, format) : noCandidatesWarning(`table ${table}`);
  if (warning) err.write(`${formatProblem(warning, { colour: err.colour })}\n`);
}
