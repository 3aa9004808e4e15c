import type { Context } from '../../contract/index.js';
import { type PathReader, setOwn } from '../../expression/index.js';
import type { JudgedQuery } from '../judged-query.js';
import { nameOf, optionPath } from './data-path.js';
import type { DatasetOptions } from './dataset.js';
import type { JudgedDraft } from './judge-queries.js';
import type { RowFile } from './row-file.js';

/** What an option reads of a query: the first value at its path, in its own line or in its first candidate. */
const valueOf = ({ described }: JudgedDraft, path: PathReader): unknown =>
  described.map(path).find((value) => value !== undefined);

/** Adds to queries their contexts, groups and folds. */
export function describeQueries(
  drafts: readonly JudgedDraft[],
  file: RowFile,
  { context = {}, contextFrom = [], groupBy, foldsBy }: DatasetOptions,
  hasQueries: boolean,
): readonly JudgedQuery<object>[] {
  const fields = contextFrom.map(contextField);
  const group = groupBy === undefined ? undefined : optionPath('groupBy', groupBy);
  const fold = foldsBy === undefined ? undefined : optionPath('foldsBy', foldsBy);
  const nameAt = (path: PathReader, value: unknown, row: number): string => {
    const name = nameOf(value);
    if (name === undefined) file.refuse(row, `${path.source} is missing, or no text or number`, HINT);
    return name ?? '';
  };
  return drafts.map((draft) => {
    const { id, candidates, grades, missing = [], rows } = draft;
    const ofQuery = (path: PathReader): string => nameAt(path, valueOf(draft, path), rows[0] ?? 0);
    const ofEach = (path: PathReader): string[] => candidates.map((one, k) => nameAt(path, path(one), rows[k]!));
    return {
      id,
      context: contextOf(draft, context, fields),
      candidates,
      grades,
      ...(missing.length > 0 && { missing }),
      ...(group && (hasQueries ? { group: ofQuery(group) } : { candidateGroups: ofEach(group) })),
      ...(fold && (hasQueries ? { fold: ofQuery(fold) } : { candidateFolds: ofEach(fold) })),
    };
  });
}

const HINT = 'what groups and folds are named by is in every query';

interface ContextField {
  readonly name: string;
  readonly path: PathReader;
}

/** `text`, or `query=text`: a path, whose last key is the name where none is said. */
function contextField(text: string): ContextField {
  const [, name, source = text] = /^([\p{ID_Start}_][\p{ID_Continue}]*)=(.*)$/su.exec(text) ?? [];
  const path = optionPath('contextFrom', source);
  const last = path.steps.at(-1);
  return { name: name ?? (last?.kind === 'key' ? last.key : source), path };
}

function contextOf(draft: JudgedDraft, given: Context, fields: readonly ContextField[]): Context {
  const context: Record<string, unknown> = { ...given };
  for (const { name, path } of fields) {
    const value = valueOf(draft, path);
    if (value !== undefined) setOwn(context, name, value);
  }
  return { ...context, ...draft.context };
}
