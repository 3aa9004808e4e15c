import { useCallback, useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import type { Explanation } from 'assize/browser';
import { AddMenu } from './add/add-menu.js';
import { HistoryPanel } from './beside/history-panel.js';
import { type Side, SideBySide } from './beside/side-by-side.js';
import { FindWeights } from './find/find-weights.js';
import { Header } from './header.js';
import { FiltersPanel } from './list/filters-panel.js';
import { listColumns } from './list/list-columns.js';
import { ListTools } from './list/list-tools.js';
import { type ListSettings, viewOf, WHOLE_LIST } from './list/list-view.js';
import { NotSelected } from './list/not-selected.js';
import { ResultGrid } from './list/result-grid.js';
import { countsOf } from './model/counts.js';
import type { Kept } from './model/history.js';
import { remember } from './model/remember.js';
import type { StudioServer } from './model/server-api.js';
import type { StudioModel } from './model/studio-model.js';
import { Tabs } from './parts/tabs.js';
import { QueriesPanel, type ShownQuery } from './queries/queries-panel.js';
import { type Save, SaveDialog } from './save-dialog.js';
import { WeightsPanel } from './weights/weights-panel.js';
import { WhyTab } from './why/why-tab.js';

/** What is to be said of a link that was opened. */
export interface PageNote {
  readonly text: string;
  /** Whether it only informs; otherwise something is wrong. */
  readonly isInfo?: boolean;
}

interface AppProps {
  readonly model: StudioModel;
  /** Missing in a page that was exported. */
  readonly server: StudioServer | undefined;
  /** Where the page has several queries: those, and which is shown. */
  readonly several: ShownQuery | undefined;
  /** What is wrong with the file of the profile as it is now. */
  readonly fileProblem: string | undefined;
  readonly note: PageNote | undefined;
  readonly save: Save;
}

/** The studio: weights, the list, and why. */
export function App({ model, server, several, fileProblem, note, save }: AppProps) {
  const [, redraw] = useReducer<number, void>((turn) => turn + 1, 0);
  const [problem, setProblem] = useState('');
  const [info, setInfo] = useState('');
  const [list, setList] = useState<ListSettings>(WHOLE_LIST);
  const [active, setActive] = useState<number | undefined>(undefined);
  const [other, setOther] = useState<number | undefined>(undefined);
  const [control, setControl] = useState<'weights' | 'filters'>('weights');
  const [saving, setSaving] = useState(false);
  const [main, setMain] = useState<'list' | 'sides'>('list');
  const [detail, setDetail] = useState<'why' | 'history'>('why');
  const [sides, setSides] = useState<readonly [Side, Side]>(() => firstSides(model));
  useEffect(() => model.subscribe(() => redraw()), [model]);
  useEffect(() => whenIdle(() => model.rehearse()), [model, model.ranker]);
  useEffect(() => {
    setProblem('');
    setInfo('');
  }, [model.ranking]);
  useEffect(() => (note?.isInfo ? setInfo : setProblem)(note?.text ?? ''), [note]);
  const report = useCallback(
    (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    [],
  );
  useEffect(() => (server ? remember(model) : undefined), [server, model]);
  const columns = useMemo(() => listColumns(model.data), [model.data]);
  const shown = model.shown;
  const counts = useMemo(() => countsOf(model, shown), [model, shown]);
  const view = useMemo(() => viewOf(model, shown, list, columns), [model, shown, list, columns]);
  const details = useMemo(
    () =>
      server &&
      ((position: number): Promise<Explanation> => server.explain(position, several?.shown ?? 0, model.settings.edits)),
    [server, several?.shown, model.data],
  );
  useUndoKeys(model, report);
  const filters = { list, change: setList };
  const choose = (position: number) => {
    setActive(position);
    setDetail('why');
  };
  const beside = (kept: Kept) => {
    setSides([kept.key, 'now']);
    setMain('sides');
  };
  return (
    <main>
      <Header {...{ model, shown, counts, report }} save={server && model.data.file && (() => setSaving(true))}>
        <AddMenu {...{ model, server, report }} />
        {server && <FindWeights {...{ model, server, report }} query={several?.shown ?? 0} />}
      </Header>
      {several && <QueriesPanel {...{ model, report }} {...several} />}
      <Messages notes={model.data.notes} info={info} problem={fileProblem ?? problem} />
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
          <Tabs
            label="Ranking"
            tabs={[
              { name: 'list', title: 'List' },
              { name: 'sides', title: 'Side by side' },
            ]}
            chosen={main}
            choose={setMain}
          >
            {main === 'list' && (
              <>
                <ListTools {...{ columns }} {...filters} ranked={shown.order.length} listed={view.length} />
                <ResultGrid
                  {...{ model, shown, view, active, other }}
                  {...filters}
                  columns={columns.filter(({ key }) => list.shown.includes(key))}
                  choose={choose}
                  chooseOther={setOther}
                />
                <NotSelected {...{ model, counts, choose }} />
              </>
            )}
            {main === 'sides' && (
              <SideBySide {...{ model, sides, active, choose, report }} queries={several?.queries} change={setSides} />
            )}
          </Tabs>
        </section>
        <aside class="panel" aria-label="Details">
          <Tabs
            label="Details"
            tabs={[
              { name: 'why', title: 'Why' },
              { name: 'history', title: 'History', count: model.history.kept.length },
            ]}
            chosen={detail}
            choose={setDetail}
          >
            {detail === 'why' && (
              <WhyTab {...{ model, active, other, details, report }} compare={() => setOther(active)} />
            )}
            {detail === 'history' && <HistoryPanel {...{ model, report }} compare={beside} />}
          </Tabs>
        </aside>
      </div>
      {saving && server && model.data.file && (
        <SaveDialog {...{ model, server, save }} version={model.data.file.version} close={() => setSaving(false)} />
      )}
    </main>
  );
}

/** What the page leaves out, and what is wrong. */
function Messages({ notes, info, problem }: { notes: readonly string[]; info: string; problem: string }) {
  return (
    <>
      {notes.length > 0 && <p class="note notes">In this page, {notes.join('; ')}.</p>}
      {info !== '' && (
        <p class="note" role="status">
          {info}
        </p>
      )}
      {problem !== '' && (
        <pre class="problem" role="alert">
          {problem}
        </pre>
      )}
    </>
  );
}

/** At first another profile stands beside what is shown; without one, that beside how it was opened. */
function firstSides({ history: { kept } }: StudioModel): readonly [Side, Side] {
  const other = kept.find((one) => one.for === 'profile');
  return other ? ['now', other.key] : [kept.at(-1)?.key ?? 'now', 'now'];
}

/** Undo and redo by the keys that people expect; not behind a dialog, which is about what is set. */
export function useUndoKeys(model: StudioModel, report: (error: unknown) => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey)) return;
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      (event.shiftKey ? model.redo() : model.undo()).catch(report);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [model, report]);
}

/**
 * Does something once the page has nothing else to do; soon where the browser (Safari) does not say when that is.
 *
 * @returns leaves it, where it is not done yet
 */
export function whenIdle(work: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const handle = requestIdleCallback(work);
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(work);
  return () => clearTimeout(timer);
}
