import { useCallback, useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import type { Explanation } from '../../browser/index.js';
import { ComparePanel } from './compare-panel.js';
import { formatNumber } from './format.js';
import { type ListSettings, ListTools, viewOf } from './list-tools.js';
import { NotSelected } from './not-selected.js';
import { QualityLine } from './quality-line.js';
import { ResultGrid } from './result-grid.js';
import { SaveDialog } from './save-dialog.js';
import type { StudioServer } from './server-api.js';
import { linkTo } from './link.js';
import { NOTHING_SET } from './settings.js';
import type { StudioModel } from './studio-model.js';
import { WeightsPanel } from './weights-panel.js';
import { WhyPanel } from './why-panel.js';

interface AppProps {
  readonly model: StudioModel;
  /** Missing in a page that was exported. */
  readonly server: StudioServer | undefined;
  /** What is wrong with the file of the profile as it is now. */
  readonly fileProblem: string | undefined;
}

/** The studio: weights, the list, and why. */
export function App({ model, server, fileProblem }: AppProps) {
  const [, redraw] = useReducer<number, void>((turn) => turn + 1, 0);
  const [problem, setProblem] = useState('');
  const [list, setList] = useState<ListSettings>({ search: '', fields: [], descending: true });
  const [active, setActive] = useState<number | undefined>(undefined);
  const [other, setOther] = useState<number | undefined>(undefined);
  const [saving, setSaving] = useState(false);
  useEffect(() => model.subscribe(() => redraw()), [model]);
  const report = useCallback(
    (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    [],
  );
  const shown = useMemo(() => model.snapshot(), [model, model.ranking]);
  const view = useMemo(() => viewOf(model, shown.order, list), [model, shown, list]);
  const details = useMemo(
    () => server && ((position: number): Promise<Explanation> => server.explain(position)),
    [server],
  );
  useUndoKeys(model, report);
  const act = (work: Promise<void>) => void work.catch(report);
  return (
    <main>
      <header>
        <h1>{model.data.title}</h1>
        <Agreement {...{ model, shown }} />
        <QualityLine now={shown.quality} before={model.baseline.quality} />
        <div class="row actions">
          <button type="button" disabled={!model.canUndo} onClick={() => act(model.undo())}>
            Undo
          </button>
          <button type="button" disabled={!model.canRedo} onClick={() => act(model.redo())}>
            Redo
          </button>
          <button type="button" disabled={!model.changed} onClick={() => act(model.set(NOTHING_SET))}>
            Reset
          </button>
          <button type="button" onClick={() => model.pin()}>
            Pin as baseline
          </button>
          <button type="button" onClick={() => void navigator.clipboard?.writeText(linkTo(model)).catch(report)}>
            Copy link
          </button>
          {server && model.data.file && (
            <button type="button" class="primary" disabled={!model.changed} onClick={() => setSaving(true)}>
              Save…
            </button>
          )}
        </div>
      </header>
      {model.data.notes.map((note) => (
        <p key={note} class="note">
          Here {note}.
        </p>
      ))}
      {(fileProblem ?? problem) !== '' && (
        <pre class="problem" role="alert">
          {fileProblem ?? problem}
        </pre>
      )}
      <div class="columns">
        <WeightsPanel model={model} report={report} />
        <section class="list" aria-label="Ranking">
          <ListTools model={model} list={list} change={setList} />
          <ResultGrid
            {...{ model, shown, view, active, other }}
            fields={list.fields}
            choose={setActive}
            chooseOther={setOther}
          />
          <NotSelected model={model} shown={shown} choose={setActive} />
        </section>
        <aside>
          {active !== undefined && <WhyPanel model={model} position={active} details={details} />}
          {active !== undefined && (
            <button type="button" onClick={() => setOther(active)}>
              Compare with another
            </button>
          )}
          {active !== undefined && other !== undefined && active !== other && (
            <ComparePanel model={model} positions={[other, active]} report={report} />
          )}
        </aside>
      </div>
      {saving && server && model.data.file && (
        <SaveDialog
          {...{ model, server }}
          version={model.data.file.version}
          close={() => setSaving(false)}
          saved={() => setSaving(false)}
        />
      )}
    </main>
  );
}

/** How many are ranked, and how the order agrees with the baseline. */
function Agreement({ model, shown }: { model: StudioModel; shown: ReturnType<StudioModel['snapshot']> }) {
  const { shared, top, rbo } = model.overlap(shown);
  const entered = [...shown.selected].filter((position) => !model.baseline.selected.has(position));
  return (
    <p class="agreement" aria-live="polite">
      <b>{shown.order.length}</b> ranked, <b>{model.data.candidates.length - shown.order.length}</b> refused · with the
      baseline: <b>{shared}</b> of the first {top}, order <b>{formatNumber(rbo)}</b>
      {entered.length > 0 && (
        <>
          {' '}
          · new:{' '}
          {entered
            .slice(0, 3)
            .map((position) => model.ranking.rankedAt(shown.ranks[position]!)?.id)
            .join(', ')}
          {entered.length > 3 && ` and ${entered.length - 3} more`}
        </>
      )}
    </p>
  );
}

/** Undo and redo by the keys that people expect. */
function useUndoKeys(model: StudioModel, report: (error: unknown) => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      (event.shiftKey ? model.redo() : model.undo()).catch(report);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [model, report]);
}
