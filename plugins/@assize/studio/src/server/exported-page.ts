import { withGiven } from '../data/given-grades.js';
import type { DraftAnswer, Editing, StudioData } from '../data/studio-data.js';
import type { LinkState } from '../data/link-state.js';
import type { FileEdit } from '../save/data-edit.js';
import { exportedPage } from './page-assets.js';
import type { StudioSession } from './studio-session.js';

/** The unsaved changes that an exported page opens with. */
export interface ExportedChanges {
  readonly state: LinkState;
  /** The lists of edits that the page asks its server about to rank by the state. An exported page has the answers. */
  readonly asked: readonly (readonly FileEdit[])[];
}

const NO_CHANGES: ExportedChanges = { state: { settings: {} }, asked: [] };

/**
 * The page of a session as one file, with its candidates.
 *
 * @throws as `StudioSession.draft` does
 */
export async function exportedFile(
  session: StudioSession,
  images: readonly string[],
  { state, asked }: ExportedChanges = NO_CHANGES,
): Promise<string> {
  const whole = await session.data();
  const given = whole.judging?.given ?? [];
  const judged = (one: StudioData, query: number): StudioData => withGiven(withoutServer(one), given, query);
  const data = judged(whole, 0);
  const all = session.queries.length > 1 ? await session.allQueries() : undefined;
  const queries = all?.map((one, query) => withGiven(one, given, query));
  const answers: DraftAnswer[] = [];
  for (const edits of asked) {
    for (const query of session.queries.keys()) {
      // oxlint-disable-next-line no-await-in-loop -- in parallel, they would only compete for time and memory
      answers.push({ edits, query, data: judged(await session.draft(edits, query), query) });
    }
  }
  const hasState = Object.keys(state.settings).length > 0;
  return exportedPage({ data, queries, ...(hasState && { state, answers }) }, images);
}

/** Without what identifies or edits the file: its text may have comments, and its params addresses. */
function withoutServer(data: StudioData): StudioData {
  const { file: _, key: __, editing: ___, judging: ____, ...rest } = data;
  const document: Editing['document'] = JSON.parse(JSON.stringify(data.profile)); // a profile may have dates
  return { ...rest, editing: { text: '', document, origins: {}, params: {} } };
}
