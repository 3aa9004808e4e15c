import type { Edit, Edited } from './add/edited.js';
import { downloadChanges, downloadPage, downloadRanking } from './changes/export-ranking.js';
import type { Way } from './find/find-weights.js';
import { isMac } from './header.js';
import type { PageSteps } from './judge/page-steps.js';
import { fitsInLink } from './model/changes-file.js';
import { linkTo } from './model/link.js';
import type { StudioServer } from './model/server-api.js';
import type { StudioModel } from './model/studio-model.js';
import { chooseFile } from './parts/files.js';
import type { Command } from './search/search-dialog.js';
import { NOTHING_SET } from './settings/settings.js';

/** The ways to look at the items. */
export type View = 'cards' | 'table' | 'sides';

/** What commands act on. */
export interface CommandContext {
  readonly model: StudioModel;
  readonly steps: PageSteps;
  /** Undefined without a server. */
  readonly judge: (() => void) | undefined;
  readonly report: (error: unknown) => void;
  /** Says that something was done. */
  readonly confirm: (text: string) => void;
  readonly titleOf: (position: number) => string;
  readonly expert: boolean;
  readonly setExpert: (expert: boolean) => void;
  readonly show: (view: View) => void;
  readonly showHistory: () => void;
  readonly showFilters: () => void;
  readonly review: () => void;
  readonly canSave: boolean;
  /** Applies the changes in a file. */
  readonly openChanges: (file: File) => void;
  /** Undefined in an exported page. */
  readonly server: StudioServer | undefined;
  /** Undefined without a server. */
  readonly find: ((way: Way) => void) | undefined;
  /** Undefined in a page that cannot edit the profile. */
  readonly edit: Edit | undefined;
}

const FIND_TITLES: Readonly<Record<Way, string>> = { tune: 'Find best weights…', ask: 'Choose between pairs…' };
const WAYS: readonly Way[] = ['tune', 'ask'];

/** The subjects of the dialogs. */
const EDITS: readonly (readonly [title: string, edited: Edited])[] = [
  ['Add a criterion…', 'criterion'],
  ['Add a removal…', 'removal'],
  ['Add a boost…', 'boost'],
  ['Limit per group…', 'limit'],
  ['Variety…', 'variety'],
  ['Budget…', 'budget'],
  ['Weights by group…', 'weights by group'],
  ['Add a named value…', 'value'],
  ['How scores combine…', 'combination'],
  ['Add a measure…', 'measure'],
  ['Add a signal…', 'signal'],
  ['Add an order of the shown items…', 'order'],
  ['Add a strategy…', 'strategy'],
  ['Add a report…', 'report'],
  ['Add a criterion of another kind…', 'other criterion'],
  ['Add a removal of another kind…', 'other removal'],
  ['Add another part…', 'other part'],
  ['How many are shown…', 'selection'],
  ['Change an entry…', 'any entry'],
  ['Text of the file', 'text'],
];

const modifier = (): string => (isMac ? '⌘' : 'Ctrl ');

/** Everything that a person can do in the page, by name. */
export function commandsOf(context: CommandContext): readonly Command[] {
  const { model, steps, server, report, titleOf, expert, setExpert, show, openChanges, find, edit } = context;
  const act = (work: () => Promise<unknown>) => () => void work().catch(report);
  return [
    { title: 'Undo', keys: `${modifier()}Z`, disabled: !steps.canUndo, hasButton: true, run: act(() => steps.undo()) },
    {
      title: 'Redo',
      keys: `${modifier()}Shift Z`,
      disabled: !steps.canRedo,
      hasButton: true,
      run: act(() => steps.redo()),
    },
    { title: 'Reset all changes', disabled: !model.changed, run: act(() => model.set(NOTHING_SET)) },
    {
      title: context.canSave ? 'Review and save…' : 'Review…',
      disabled: !model.changed,
      run: context.review,
    },
    {
      title: 'Copy link',
      disabled: !fitsInLink(model),
      run: act(async () => {
        await navigator.clipboard.writeText(linkTo(model, location.href));
        context.confirm('Link copied: it opens in this browser');
      }),
    },
    { title: 'Download changes', disabled: !model.changed, hasButton: true, run: () => downloadChanges(model) },
    { title: 'Open a file of changes…', hasButton: true, run: () => chooseFile('.json', openChanges) },
    { title: 'Export ranking', run: () => void downloadRanking(model, titleOf) },
    ...(context.judge ? [{ title: 'Judge items', keys: 'G', hasButton: true as const, run: context.judge }] : []),
    ...(server
      ? [{ title: 'Export for a colleague', hasButton: true as const, run: act(() => downloadPage(model, server)) }]
      : []),
    { title: 'Show cards', run: () => show('cards') },
    { title: 'Show table', run: () => show('table') },
    { title: 'Compare side by side', run: () => show('sides') },
    { title: 'Show filters', run: context.showFilters },
    { title: 'Show history', run: context.showHistory },
    { title: 'Compare with the present order from now on', run: () => model.pin() },
    ...(edit ? EDITS.map(([title, edited]) => ({ title, hasButton: true as const, run: () => edit(edited) })) : []),
    ...(find && model.ranker.readsWeights
      ? WAYS.map((way) => ({ title: FIND_TITLES[way], run: () => find(way) }))
      : []),
    { title: expert ? 'Simple view' : 'Expert view', run: () => setExpert(!expert) },
  ];
}
