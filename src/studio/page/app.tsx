import { useCallback, useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import type { Explanation } from '../../browser/index.js';
import { ComparePanel } from './compare-panel.js';
import { countsOf } from './counts.js';
import { FiltersPanel } from './filters-panel.js';
import { Header } from './header.js';
import { listColumns } from './list-columns.js';
import { ListTools } from './list-tools.js';
import { type ListSettings, viewOf, WHOLE_LIST } from './list-view.js';
import { NotSelected } from './not-selected.js';
import { ResultGrid } from './result-grid.js';
import { SaveDialog } from './save-dialog.js';
import type { StudioServer } from './server-api.js';
import type { StudioModel } from './studio-model.js';
import { Tabs } from './tabs.js';
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
  const [list, setList] = useState<ListSettings>(WHOLE_LIST);
  const [active, setActive] = useState<number | undefined>(undefined);
  const [other, setOther] = useState<number | undefined>(undefined);
  const [control, setControl] = useState<'weights' | 'filters'>('weights');
  const [saving, setSaving] = useState(false);
  useEffect(() => model.subscribe(() => (setProblem(''), redraw())), [model]);
  const report = useCallback(
    (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    [],
  );
  const columns = useMemo(() => listColumns(model.data), [model.data]);
  const shown = useMemo(() => model.snapshot(), [model, model.ranking]);
  const counts = useMemo(() => countsOf(model, shown), [model, shown]);
  const view = useMemo(() => viewOf(model, shown, list, columns), [model, shown, list, columns]);
  const details = useMemo(
    () => server && ((position: number): Promise<Explanation> => server.explain(position)),
    [server],
  );
  useUndoKeys(model, report);
  const filters = { list, change: setList };
  return (
    <main>
      <Header {...{ model, shown, counts, report }} save={server && model.data.file && (() => setSaving(true))} />
      <Messages notes={model.data.notes} problem={fileProblem ?? problem} />
      <div class="columns">
        <section class="controls panel" aria-label="Controls">
          <Tabs
            label="Controls"
            tabs={[
              { name: 'weights', title: 'Weights' },
              { name: 'filters', title: 'Filters', count: Object.keys(list.ranges).length },
            ]}
            chosen={control}
            choose={setControl}
          >
            {control === 'weights' && <WeightsPanel {...{ model, report }} {...filters} />}
            {control === 'filters' && <FiltersPanel {...{ model, columns }} {...filters} />}
          </Tabs>
        </section>
        <section class="list" aria-label="Ranking">
          <ListTools {...{ columns }} {...filters} ranked={shown.order.length} listed={view.length} />
          <ResultGrid
            {...{ model, shown, view, active, other }}
            {...filters}
            columns={columns.filter(({ key }) => list.shown.includes(key))}
            choose={setActive}
            chooseOther={setOther}
          />
          <NotSelected {...{ model, counts }} choose={setActive} />
        </section>
        <aside>
          {active === undefined && <NothingChosen />}
          {active !== undefined && (
            <WhyPanel model={model} position={active} details={details} compare={() => setOther(active)} />
          )}
          {active !== undefined && other !== undefined && active !== other && (
            <ComparePanel model={model} positions={[other, active]} report={report} />
          )}
          {active !== undefined && active === other && (
            <p class="note">Choose another candidate: the two are compared.</p>
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

/** What the page leaves out, and what is wrong. */
function Messages({ notes, problem }: { notes: readonly string[]; problem: string }) {
  return (
    <>
      {notes.length > 0 && <p class="note notes">In this page {notes.join('; ')}.</p>}
      {problem !== '' && (
        <pre class="problem" role="alert">
          {problem}
        </pre>
      )}
    </>
  );
}

/** What to do first. */
function NothingChosen() {
  return (
    <section class="panel hint" aria-label="Why">
      <h2>Why?</h2>
      <p class="note">Choose a candidate to see what its score is made of, down to the fields that were read.</p>
      <dl>
        <dt>
          <kbd>↑</kbd> <kbd>↓</kbd>
        </dt>
        <dd>another candidate</dd>
        <dt>
          <kbd>C</kbd>
        </dt>
        <dd>compare it with the next you choose</dd>
        <dt>
          <kbd>Ctrl</kbd> <kbd>Z</kbd>
        </dt>
        <dd>undo</dd>
      </dl>
    </section>
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
