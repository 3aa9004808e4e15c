import { useEffect, useRef, useState } from 'preact/hooks';
import { type DraftProblem, ServerError, type StudioServer } from '../model/server-api.js';
import type { StudioModel } from '../model/studio-model.js';
import type { Step } from '../../save/data-edit.js';
import { editsOf, NOTHING_SET, type Settings } from '../settings/settings.js';
import { placeIn } from './text-place.js';
import { messageOf } from '../parts/message-of.js';

interface YamlProps {
  readonly model: StudioModel;
  readonly server: StudioServer;
  readonly report: (error: unknown) => void;
  /** The part to show first. */
  readonly at: readonly Step[] | undefined;
}

/** Milliseconds without a key before a typed text is ranked. */
const QUIET_MS = 400;

/**
 * The text of the profile with all that is set, as it would be saved. A change in the page changes the text; a typed text
 * that is valid changes the page, and is a step that can be undone once the text loses the focus.
 */
export function YamlView({ model, server, report, at }: YamlProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  /** The typed text, before it is set. */
  const [typed, setTyped] = useState(model.typed);
  const [problems, setProblems] = useState<readonly DraftProblem[]>([]);
  const { settings } = model;
  const latest = useRef({ model, typed });
  latest.current = { model, typed };

  useEffect(() => area.current?.focus(), []);
  const isPlaced = useRef(false);
  useEffect(() => {
    const shown = typed ?? text;
    if (!at || shown === '' || isPlaced.current) return;
    isPlaced.current = true;
    moveTo(placeIn(shown, at));
  }, [typed ?? text]);
  useEffect(() => {
    if (typed !== undefined) return undefined;
    let isWanted = true;
    server.text(editsOf(model.data.profile, settings)).then((now) => isWanted && setText(now.text), report);
    return () => {
      isWanted = false;
    };
  }, [settings, model.data, typed]);

  const apply = async (value: string, set: (next: Settings) => Promise<void>): Promise<boolean> => {
    try {
      await set(settingsOf(latest.current.model, value));
      setProblems([]);
      latest.current.model.keepTyped(undefined);
      return true;
    } catch (error) {
      if (latest.current.typed !== value) return false; // it was discarded, or changed
      setProblems(problemsOf(error));
      latest.current.model.keepTyped(value);
      return false;
    }
  };

  useEffect(() => {
    if (typed === undefined) return undefined;
    const timer = setTimeout(() => void apply(typed, (next) => model.preview(next)), QUIET_MS);
    return () => clearTimeout(timer);
  }, [typed]);

  useEffect(() => {
    // A page that is closed or reloaded does not blur the text: the browser keeps what is shown.
    const keep = () => {
      const { model: now, typed: value } = latest.current;
      const isShown = now.settings.edits.some((edit) => 'text' in edit && edit.text === value);
      if (isShown && now.settings !== now.settled) now.set(now.settings).catch(() => {});
      if (!isShown && value !== undefined) now.keepTyped(value);
    };
    addEventListener('pagehide', keep, { capture: true }); // before the settings are stored
    return () => removeEventListener('pagehide', keep, { capture: true });
  }, []);

  const finish = async () => {
    const { typed: value } = latest.current;
    if (value === undefined) return;
    const isSet = await apply(value, (next) => latest.current.model.set(next));
    if (isSet && latest.current.typed === value) {
      setText(value);
      setTyped(undefined);
    }
  };
  const discard = () => {
    setTyped(undefined);
    setProblems([]);
    model.keepTyped(undefined);
    model.cancel().catch(report);
  };
  /** Moves the cursor, and scrolls to its line. */
  const moveTo = (position: number) => {
    const { current } = area;
    if (!current) return;
    current.focus();
    current.setSelectionRange(position, position);
    const lines = current.value.split('\n').length;
    const line = current.value.slice(0, position).split('\n').length - 1;
    current.scrollTop = (current.scrollHeight * line) / lines - current.clientHeight / 3;
  };
  const goTo = ({ place }: DraftProblem) => {
    const lines = (typed ?? text).split('\n');
    const before = lines.slice(0, (place?.line ?? 1) - 1).reduce((sum, line) => sum + line.length + 1, 0);
    moveTo(before + (place?.column ?? 1) - 1);
  };
  return (
    <section class="yaml" aria-label="Text of the profile">
      <textarea
        ref={area}
        aria-label="YAML"
        spellcheck={false}
        value={typed ?? text}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={() => void finish()}
      />
      {problems.length > 0 && (
        <p class="note" role="status">
          This text is not valid yet. The items are ranked by the last valid one; the page keeps your text, also if you
          close or reload it.
        </p>
      )}
      {problems.length > 0 && (
        <ul class="problem" role="alert">
          {problems.map((problem, k) => (
            <li key={k}>
              {problem.place ? (
                <button type="button" class="quiet" onClick={() => goTo(problem)}>
                  {problem.place.line}:{problem.place.column}
                </button>
              ) : null}{' '}
              {problem.code} {problem.message}
              {problem.hint === undefined ? '' : ` (${problem.hint})`}
            </li>
          ))}
        </ul>
      )}
      {typed !== undefined && (
        <div class="row">
          <button type="button" onClick={discard}>
            Discard the typed text
          </button>
        </div>
      )}
    </section>
  );
}

/** The settings that a whole text is: none, if it is the text of the file. */
const settingsOf = ({ saved }: StudioModel, text: string): Settings =>
  text === saved.editing?.text ? NOTHING_SET : { ...NOTHING_SET, edits: [{ text }] };

function problemsOf(error: unknown): readonly DraftProblem[] {
  const problems = error instanceof ServerError ? error.problems.filter(({ severity }) => severity === 'error') : [];
  if (problems.length > 0) return problems;
  return [{ severity: 'error', code: '', message: messageOf(error) }];
}
