import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChangedLine } from '../save/changed-lines.js';
import type { FileEdit } from '../save/data-edit.js';
import type { StudioServer } from './model/server-api.js';
import type { StudioModel } from './model/studio-model.js';
import { editsOf } from './settings/settings.js';

/** Writes edits into the file, if it is still of a version. */
export type Save = (edits: readonly FileEdit[], version: string) => Promise<void>;

interface SaveProps {
  readonly model: StudioModel;
  readonly server: StudioServer;
  /** The version of the file that the page is of. */
  readonly version: string;
  readonly save: Save;
  readonly close: () => void;
}

/** The lines that saving would change, and the button that does. */
export function SaveDialog({ model, server, version, save, close }: SaveProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [lines, setLines] = useState<readonly ChangedLine[] | undefined>(undefined);
  const [problem, setProblem] = useState('');
  const edits = editsOf(model.data.profile, model.settings);
  const fail = (error: unknown) => setProblem(error instanceof Error ? error.message : String(error));
  useEffect(() => dialog.current?.showModal(), []);
  // The file may change while this is open, and a link may be opened: what is shown is what would be saved.
  useEffect(() => {
    let isWanted = true;
    setLines(undefined);
    setProblem('');
    server.diff(edits).then(
      (changed) => isWanted && setLines(changed),
      (error: unknown) => isWanted && fail(error),
    );
    return () => {
      isWanted = false;
    };
  }, [version, model.settings]);
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="save-title">
      <h2 id="save-title">Save to {model.data.file?.name}</h2>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <pre class="diff" tabIndex={0} role="region" aria-label="Lines that change">
        {lines?.map(({ sign, line, text }) => (
          <span key={`${sign}${line}`} class={sign === '+' ? 'plus' : 'minus'}>
            {`${sign} ${String(line).padStart(4)}  ${text}\n`}
          </span>
        ))}
      </pre>
      {problem === '' && <p class="note">The rest of the file is not changed.</p>}
      <div class="row">
        <button
          type="button"
          class="primary"
          disabled={!lines || problem !== ''}
          onClick={() => void save(edits, version).then(close, fail)}
        >
          Save
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </div>
    </dialog>
  );
}
