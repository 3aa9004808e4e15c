import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChangedLine } from '../../save/changed-lines.js';
import { fitsInLink } from '../model/changes-file.js';
import { linkTo } from '../model/link.js';
import type { StudioServer } from '../model/server-api.js';
import type { StudioModel } from '../model/studio-model.js';
import { formatCount, percent } from '../parts/in-words.js';
import { editsOf } from '../settings/settings.js';
import { changeTexts } from './change-words.js';
import { downloadChanges, downloadPage, downloadRanking } from './export-ranking.js';
import type { Moves } from './moved-items.js';
import { MovedLists } from './moved-lists.js';
import type { QualityChange } from './quality-change.js';
import { messageOf } from '../parts/message-of.js';

/** Edits of the file, as the server takes them. */
type Edits = Parameters<StudioServer['save']>[0];

/** Writes edits into the file, if it is still of a version. */
export type Save = (edits: Edits, version: string) => Promise<void>;

interface ReviewProps {
  readonly model: StudioModel;
  readonly moves: Moves;
  readonly quality: QualityChange | undefined;
  readonly titleOf: (position: number) => string;
  /** Undefined if nothing can be saved. */
  readonly server: StudioServer | undefined;
  readonly save: Save;
  readonly close: () => void;
}

const COPIED =
  'Link copied. It opens only in this browser, while the studio runs. For other people, use “Export for a colleague”.';

/** Everything that differs from the profile, what that does, the lines of the file that change, and the button that saves. */
export function ReviewDialog({ model, moves, quality, titleOf, server, save, close }: ReviewProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { file } = model.data;
  const canSave = server !== undefined && file !== undefined;
  const edits = editsOf(model.data.profile, model.settings);
  const { lines, problem, fail } = useDiff(canSave ? server : undefined, edits, [file?.version, model.settings]);
  const [note, setNote] = useState('');
  // What a button below has done.
  const [said, setSaid] = useState('');
  useEffect(() => dialog.current?.showModal(), []);
  const write = () => {
    if (!file) return;
    if (note.trim() !== '') model.keep(note.trim());
    void save(edits, file.version).then(close, fail);
  };
  const [isExporting, setExporting] = useState(false);
  const exportPage = () => {
    if (!server) return;
    setExporting(true);
    void downloadPage(model, server)
      .then((name) => setSaid(`${name} is in your downloads: it has your changes, and opens in any browser.`), fail)
      .finally(() => setExporting(false));
  };
  const copy = () =>
    void navigator.clipboard?.writeText(linkTo(model, location.href)).then(() => setSaid(COPIED), fail);
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="review-title" class="review">
      <h2 id="review-title">{canSave ? `Save to ${file.name}` : 'Your changes'}</h2>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <ul class="words">
        {changeTexts(model).map(({ key, text }) => (
          <li key={key}>{text}</li>
        ))}
      </ul>
      <Effects {...{ model, moves, quality, titleOf }} />
      {canSave && (
        <>
          <h3>Lines of the file that change</h3>
          <pre class="diff" tabIndex={0} role="region" aria-label="Lines that change">
            {lines?.map(({ sign, line, text }) => (
              <span key={`${sign}${line}`} class={sign === '+' ? 'plus' : 'minus'}>
                {`${sign} ${String(line).padStart(4)}  ${text}\n`}
              </span>
            ))}
          </pre>
          <label class="note-of">
            Note for the history of this page (optional){' '}
            <input value={note} onInput={({ currentTarget }) => setNote(currentTarget.value)} />
          </label>
        </>
      )}
      <div class="row buttons">
        {canSave && (
          <button type="button" class="primary" disabled={!lines || problem !== ''} onClick={write}>
            Save
          </button>
        )}
        {fitsInLink(model) ? (
          <button type="button" onClick={copy}>
            Copy link
          </button>
        ) : (
          <button type="button" title="They are too long for a link" onClick={() => downloadChanges(model)}>
            Download changes
          </button>
        )}
        <button type="button" onClick={() => setSaid(`${downloadRanking(model, titleOf)} is in your downloads.`)}>
          Export ranking
        </button>
        {server && (
          <button
            type="button"
            title="One HTML file with your changes, which opens without a server"
            disabled={isExporting}
            onClick={exportPage}
          >
            {isExporting ? 'Exporting…' : 'Export for a colleague'}
          </button>
        )}
        <span class="spring" />
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </div>
      <p class="note" role="status">
        {said}
      </p>
    </dialog>
  );
}

/** What the changes do to the order: before and after. */
function Effects({ model, moves, quality, titleOf }: Pick<ReviewProps, 'model' | 'moves' | 'quality' | 'titleOf'>) {
  const { baseline, shown } = model;
  return (
    <>
      <h3>Before and after</h3>
      <ul class="before-after">
        <li>
          {formatCount(baseline.order.length)} → {formatCount(shown.order.length)} ranked, order{' '}
          {percent(moves.similarity)} % similar
          {quality && `, quality ${quality.text}`}
        </li>
        <MovedLists {...{ model, moves, titleOf }} />
      </ul>
    </>
  );
}

/** The lines of the file that edits change. The file may change while this is open, and a link may be opened. */
function useDiff(server: StudioServer | undefined, edits: Edits, by: readonly unknown[]) {
  const [lines, setLines] = useState<readonly ChangedLine[] | undefined>(undefined);
  const [problem, setProblem] = useState('');
  const fail = (error: unknown) => setProblem(messageOf(error));
  useEffect(() => {
    let isWanted = true;
    setLines(undefined);
    setProblem('');
    server?.diff(edits).then(
      (changed) => isWanted && setLines(changed),
      (error: unknown) => isWanted && fail(error),
    );
    return () => {
      isWanted = false;
    };
  }, by);
  return { lines, problem, fail };
}
