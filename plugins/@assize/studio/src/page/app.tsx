import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { Explanation } from 'assize/browser';
import type { Edit, Edited } from './add/edited.js';
import type { Side } from './beside/side-by-side.js';
import { useDifferences } from './beside/use-differences.js';
import { ChangesBar } from './changes/changes-bar.js';
import { movesBetween } from './changes/moved-items.js';
import { qualityChange } from './changes/quality-change.js';
import type { Save } from './changes/review-dialog.js';
import { commandsOf, type View } from './commands.js';
import type { Way } from './find/find-weights.js';
import { fileNameOf, Header } from './header.js';
import { useFocusAfterDialogs, useOpenKeys, useUndoKeys } from './keys.js';
import { shownQuality } from './judge/enough-grades.js';
import { JudgeBar } from './judge/judge-bar.js';
import type { Judging } from './judge/judging.js';
import { pageSteps } from './judge/page-steps.js';
import { useJudge } from './judge/use-judge.js';
import { listColumns } from './list/list-columns.js';
import { ColumnChoice, ListTools } from './list/list-tools.js';
import { isPlain, type ListSettings, viewOf, WHOLE_LIST } from './list/list-view.js';
import { NotSelected } from './list/not-selected.js';
import { ResultGrid } from './list/result-grid.js';
import { countsOf } from './model/counts.js';
import type { Kept } from './model/history.js';
import { remember } from './model/remember.js';
import type { StudioServer } from './model/server-api.js';
import type { StudioModel } from './model/studio-model.js';
import { Expert, useExpertChoice } from './parts/expert.js';
import { Tabs } from './parts/tabs.js';
import { textSize } from './parts/text-scale.js';
import { useLater } from './parts/use-later.js';
import { whenIdle } from './parts/when-idle.js';
import { QueriesPanel, type ShownQuery } from './queries/queries-panel.js';
import { useQueries } from './queries/use-measured.js';
import { Recipe } from './recipe/recipe.js';
import { showEntry } from './recipe/show-entry.js';
import { SearchDialog } from './search/search-dialog.js';
import { SearchIndex } from './search/search-index.js';
import { FieldChoice } from './shelf/field-choice.js';
import { Shelf } from './shelf/shelf.js';
import { shelfOrder } from './shelf/shelf-order.js';
import { useCardFields } from './shelf/use-card-fields.js';
import type { Settings } from './settings/settings.js';
import { MOST_COMPARED } from './why/compare-tray.js';
import { NothingChosen } from './why/nothing-chosen.js';
import { messageOf } from './parts/message-of.js';

/** A message about a link that was opened, or about the file. */
export interface PageNote {
  readonly text: string;
  /** `done` confirms; `conflict` asks for a decision. Otherwise something is wrong. */
  readonly kind?: 'done' | 'conflict';
}

interface AppProps {
  readonly model: StudioModel;
  /** Missing in a page that was exported. */
  readonly server: StudioServer | undefined;
  /** Where the page has several queries: those, and which is shown. */
  readonly several: ShownQuery | undefined;
  /** The grades that people give; missing in a page that was exported. */
  readonly judging: Judging | undefined;
  /** What is wrong with the file of the profile as it is now. */
  readonly fileProblem: string | undefined;
  readonly note: PageNote | undefined;
  readonly save: Save;
  /** Applies the changes in a file. */
  readonly openChanges: (file: File) => void;
}

/** The studio: the recipe, the items that it ranks, why each is where it is, and what has changed. */
export function App({ model, server, several, judging, fileProblem, note, save, openChanges }: AppProps) {
  const [, redraw] = useReducer<number, void>((turn) => turn + 1, 0);
  const [problem, setProblem] = useState('');
  const [conflict, setConflict] = useState('');
  const [expert, setExpert] = useExpertChoice();
  const [list, setList] = useState<ListSettings>(WHOLE_LIST);
  const [active, activate] = useState<number | undefined>(() => (judging?.isOn ? model.shown.order[0] : undefined));
  // Keys may be pressed faster than the page renders.
  const activeNow = useRef(active);
  activeNow.current = active;
  const setActive = (position: number) => {
    activeNow.current = position;
    activate(position);
  };
  const [tray, setTray] = useState<readonly number[]>([]);
  const [control, setControl] = useState<'recipe' | 'filters'>('recipe');
  const [isSheetOpen, openSheet] = useState(false);
  const [view, setView] = useState<View>(expert && !judging?.isOn ? 'table' : 'cards');
  const [drawer, setDrawer] = useState<'item' | 'history' | undefined>(
    expert && hasRoomForDrawer() ? 'item' : undefined,
  );
  const [dialog, setDialog] = useState<'search' | 'review' | Way | undefined>(undefined);
  const [edited, setEdited] = useState<Edited | undefined>(undefined);
  const [sides, setSides] = useState<readonly [Side, Side]>(() => firstSides(model));
  useEffect(() => model.subscribe(() => redraw()), [model]);
  useEffect(() => {
    document.title = `${fileNameOf(model.data.title)} – Assize studio`;
  }, [model.data.title]);
  useEffect(() => whenIdle(() => model.rehearse()), [model, model.ranker]);
  useEffect(() => {
    setProblem('');
    setConflict('');
  }, [model.ranking]);
  const [done, setDone] = useState<{ readonly text: string; readonly of: Settings } | undefined>(undefined);
  // Until something else is set.
  const confirm = (text: string) => setDone({ text, of: model.settings });
  useEffect(() => {
    if (note?.kind === 'done') confirm(note.text);
    else (note?.kind === 'conflict' ? setConflict : setProblem)(note?.text ?? '');
  }, [note]);
  const report = useCallback((error: unknown) => setProblem(messageOf(error)), []);
  useEffect(() => (server ? remember(model) : undefined), [server, model]);
  const { shown } = model;
  const { later, missing } = useLater(
    (dialog !== undefined && dialog !== 'search') ||
      edited !== undefined ||
      view === 'sides' ||
      control === 'filters' ||
      drawer !== undefined,
  );
  const cards = useCardFields(model.data);
  const columns = useMemo(() => listColumns(model.data), [model.ranker]);
  const counts = useMemo(() => countsOf(model, shown), [model, shown]);
  const rows = useMemo(() => viewOf(model, shown, list, columns), [model, shown, list, columns]);
  const shelf = useMemo(
    () => (isPlain(list) ? shelfOrder(shown) : { order: rows, cut: undefined }),
    [shown, list, rows],
  );
  const moves = useMemo(() => movesBetween(model.baseline, shown), [model.baseline, shown]);
  const measured = useQueries(several?.queries, model, report);
  const differences = useDifferences(several?.queries, measured?.before, measured?.now);
  const single = shownQuality(model, judging?.hasOtherGrades ?? true);
  const quality = qualityChange(single, measured, differences);
  const steps = pageSteps(model, judging);
  const titleOf = (position: number): string =>
    cards.read(model.data.candidates[position]!).title ?? model.idOf(position);
  const index = useIndex(model, cards.read, dialog === 'search');
  const details = useMemo(
    () =>
      server &&
      ((position: number): Promise<Explanation> => server.explain(position, several?.shown ?? 0, model.settings.edits)),
    [server, several?.shown, model.data],
  );
  const closeDrawer =
    drawer === undefined
      ? undefined
      : () => {
          setDrawer(undefined);
          focusItems();
        };
  useUndoKeys(steps, report);
  useFocusAfterDialogs(focusItems);
  useOpenKeys(() => setDialog('search'), closeDrawer);
  const filters = { list, change: setList };
  const open = (position: number) => {
    setActive(position);
    setDrawer('item');
  };
  const choose = (position: number) => {
    setActive(position);
    if (drawer === 'history') setDrawer('item');
  };
  const mark = (position: number) =>
    setTray(
      tray.includes(position) ? tray.filter((one) => one !== position) : [...tray, position].slice(-MOST_COMPARED),
    );
  const compare = (kept: Kept) => {
    setSides([kept.key, 'now']);
    setView('sides');
  };
  const showItems = () => {
    setView('cards');
    setDrawer(undefined);
    setTimeout(focusItems); // after the items are drawn
  };
  // A dialog reports that it is closed later: by then another may be open.
  const closing = (closed: typeof dialog) => () => setDialog((now) => (now === closed ? undefined : now));
  const canSave = server !== undefined && model.data.file !== undefined;
  const edit: Edit | undefined = server && model.data.editing ? setEdited : undefined;
  const judge = useJudge({
    model,
    judging,
    query: several?.shown ?? 0,
    shelf,
    activeNow,
    choose: setActive,
    showItems,
  });
  const commands = commandsOf({
    model,
    steps,
    judge: judge.toggle,
    server,
    report,
    confirm,
    titleOf,
    expert,
    canSave,
    openChanges,
    setExpert: (next) => {
      setExpert(next);
      setView(next ? 'table' : 'cards');
      if (next && hasRoomForDrawer()) setDrawer('item');
    },
    show: setView,
    showHistory: () => setDrawer('history'),
    showFilters: () => {
      setControl('filters');
      openSheet(true);
    },
    review: () => setDialog('review'),
    find: server && setDialog,
    edit,
  });
  const finds = server !== undefined && model.ranker.readsWeights;
  const items = { model, shown, active, tray, choose, open, mark };
  return (
    <Expert.Provider value={expert}>
      <a class="skip" href="#items" onClick={skip}>
        Skip to the items
      </a>
      <main class={`${drawer ? 'with-drawer' : ''}${view === 'cards' ? ' with-cards' : ''}`}>
        <Header
          {...{ model, steps, counts, report }}
          quality={single}
          isOneQuery={several !== undefined}
          judge={judge.toggle && { isOn: judge.isOn, toggle: judge.toggle }}
          openSearch={() => setDialog('search')}
          commands={commands.filter(({ hasButton = false }) => !hasButton)}
        />
        {several && measured && <QueriesPanel {...{ measured, differences, report }} {...several} />}
        {model.data.notes.length > 0 && <p class="note notes">In this page, {model.data.notes.join('; ')}.</p>}
        {(missing || (fileProblem ?? problem)) !== '' && (
          <pre class="problem" role="alert">
            {missing || (fileProblem ?? problem)}
          </pre>
        )}
        <div class="columns">
          <section class={`controls panel${isSheetOpen ? ' open' : ''}`} aria-label="Controls">
            <Tabs
              label="Controls"
              tabs={[
                { name: 'recipe', title: 'Recipe' },
                { name: 'filters', title: 'Filters', count: Object.keys(list.ranges).length },
              ]}
              chosen={control}
              choose={(name) => {
                setControl(name);
                openSheet(true);
              }}
              end={
                <button
                  type="button"
                  class="quiet sheet-toggle"
                  aria-expanded={isSheetOpen}
                  onClick={() => openSheet(!isSheetOpen)}
                >
                  {isSheetOpen ? 'Close' : 'Open'}
                </button>
              }
            >
              {control === 'recipe' && <Recipe {...{ model, report, edit }} {...filters} />}
              {control === 'filters' && later && <later.FiltersPanel {...{ model, columns }} {...filters} />}
            </Tabs>
          </section>
          <section class="list" aria-label="Ranking" id="items">
            <Tabs
              label="Ranking"
              tabs={[
                { name: 'cards', title: 'Cards' },
                { name: 'table', title: 'Table' },
                { name: 'sides', title: 'Side by side' },
              ]}
              chosen={view}
              choose={setView}
              end={
                view !== 'sides' && (
                  <ListTools {...{ columns }} {...filters} ranked={shown.order.length} listed={rows.length}>
                    {view === 'cards' ? <FieldChoice cards={cards} /> : <ColumnChoice {...{ columns }} {...filters} />}
                  </ListTools>
                )
              }
            >
              {view === 'cards' && judging && judge.isOn && (
                <JudgeBar
                  {...judge.bar}
                  judging={judging}
                  quality={model.qualityOf(shown)}
                  queryName={several?.queries.ids[several.shown]}
                  item={active === undefined ? undefined : { title: titleOf(active), grade: judge.gradeOf(active) }}
                  choosePairs={finds ? () => setDialog('ask') : undefined}
                  findWeights={finds ? () => setDialog('tune') : undefined}
                />
              )}
              {view === 'cards' && <Shelf {...items} {...{ shelf, cards }} judge={judge.cards} />}
              {view === 'table' && (
                <ResultGrid
                  {...items}
                  {...filters}
                  view={rows}
                  columns={columns.filter(({ key }) => list.shown.includes(key))}
                />
              )}
              {view !== 'sides' && <NotSelected {...{ model, counts }} choose={open} />}
              {view === 'sides' && later && (
                <later.SideBySide
                  {...{ model, sides, active, report }}
                  choose={open}
                  queries={several?.queries}
                  change={setSides}
                />
              )}
            </Tabs>
          </section>
          {drawer && (
            <aside class="panel drawer" aria-label="Details">
              <Tabs
                label="Details"
                tabs={[
                  { name: 'item', title: 'Item' },
                  { name: 'history', title: 'History', count: model.history.kept.length },
                ]}
                chosen={drawer}
                choose={setDrawer}
                end={
                  <button type="button" class="quiet close" aria-label="Close the details" onClick={closeDrawer}>
                    ×
                  </button>
                }
              >
                {drawer === 'item' && active === undefined && <NothingChosen />}
                {drawer === 'item' && active !== undefined && later && (
                  <later.ItemDrawer {...{ model, cards, tray, details, mark, report }} position={active} />
                )}
                {drawer === 'history' && later && <later.HistoryPanel {...{ model, report, compare }} />}
              </Tabs>
            </aside>
          )}
        </div>
        <ChangesBar
          {...{ model, moves, quality, conflict, canSave, titleOf, report }}
          endConflict={() => setConflict('')}
          done={done?.of === model.settings ? done.text : ''}
          endDone={() => {
            setDone(undefined);
            focusItems();
          }}
          isPreview={model.settings !== model.settled && (edited !== undefined || dialog !== undefined)}
          review={() => setDialog('review')}
          showText={edit && (() => edit('text'))}
        />
      </main>
      {dialog === 'search' && (
        <SearchDialog
          {...{ model, index, commands, titleOf, open }}
          narrow={(search) => setList({ ...list, search })}
          showEntry={(id) => {
            setControl('recipe');
            openSheet(true);
            showEntry(id);
          }}
          close={closing('search')}
        />
      )}
      {dialog === 'review' && later && (
        <later.ReviewDialog {...{ model, moves, quality, titleOf, server, save }} close={closing('review')} />
      )}
      {server && edited !== undefined && later && (
        <later.EditDialog
          key={JSON.stringify(edited)}
          {...{ model, server, report, edited }}
          edit={setEdited}
          close={() => setEdited((now) => (now === edited ? undefined : now))}
        />
      )}
      {(dialog === 'tune' || dialog === 'ask') && server && later && (
        <later.FindWeights
          {...{ model, server, cards, report }}
          way={dialog}
          query={several?.shown ?? 0}
          close={closing(dialog)}
        />
      )}
    </Expert.Provider>
  );
}

/** The index of the search: made once, while the page has nothing else to do, or when the search opens before that. */
function useIndex(
  { data: { candidates } }: StudioModel,
  read: (candidate: object) => { readonly title: string | undefined },
  isNeeded: boolean,
): SearchIndex {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  const isMade = isNeeded || isIdle;
  return useMemo(
    () => new SearchIndex(isMade ? candidates : [], (candidate) => read(candidate).title ?? ''),
    [candidates, read, isMade],
  );
}

/** Whether an empty drawer fits beside the items. It covers them in a narrow window, as in layout.css. */
const hasRoomForDrawer = (): boolean => innerWidth > 89.1 * textSize();

/** Skips the recipe. */
function skip(event: Event): void {
  event.preventDefault();
  focusItems();
}

/** Moves the focus to the items, or to the first control of their region. */
function focusItems(): void {
  const items = document.getElementById('items');
  (items?.querySelector<HTMLElement>('[role=listbox], [role=grid]') ?? items?.querySelector('button'))?.focus();
}

/** At first another profile stands beside what is shown; without one, that beside how it was opened. */
function firstSides({ history: { kept } }: StudioModel): readonly [Side, Side] {
  const other = kept.find((one) => one.for === 'profile');
  return other ? ['now', other.key] : [kept.at(-1)?.key ?? 'now', 'now'];
}
