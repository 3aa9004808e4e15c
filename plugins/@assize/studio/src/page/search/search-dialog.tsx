import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Term } from '../glossary/term.js';
import { isSelected } from '../model/snapshot.js';
import type { StudioModel } from '../model/studio-model.js';
import { Live } from '../parts/live.js';
import { counted, plainName } from '../parts/in-words.js';
import { entriesOf } from '../settings/settings.js';
import { placeText } from '../why/not-shown.js';
import type { SearchIndex } from './search-index.js';

/** Something that a person can do, by its name. */
export interface Command {
  readonly title: string;
  /** The keys that do the same. */
  readonly keys?: string;
  readonly disabled?: boolean;
  /** Whether only the search has it, because the page has a button for it. */
  readonly hasButton?: true;
  readonly run: () => void;
}

interface SearchProps {
  readonly model: StudioModel;
  readonly index: SearchIndex;
  readonly commands: readonly Command[];
  readonly titleOf: (position: number) => string;
  /** Shows an item. */
  readonly open: (position: number) => void;
  /** Lists only the items that a search finds. */
  readonly narrow: (search: string) => void;
  /** Shows an entry of the recipe. */
  readonly showEntry: (id: string) => void;
  readonly close: () => void;
}

/** More results are not read. */
const MOST = 50;

interface Result {
  readonly key: string;
  readonly title: string;
  readonly status: string;
  readonly kind: 'shown' | 'below' | 'removed' | 'entry' | 'command';
  readonly run: () => void;
}

/** One search for every item, with its status, for every entry of the recipe, and for every command. */
export function SearchDialog({ model, index, commands, titleOf, open, narrow, showEntry, close }: SearchProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  // Before the next key, which is the first letter of the search.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const statusOf = useStatus(model);
  const results = useMemo((): readonly Result[] => {
    const words = search.trim().toLowerCase().split(/\s+/);
    const found = commands
      .filter(({ title, disabled }) => !disabled && words.every((word) => title.toLowerCase().includes(word)))
      .map(
        ({ title, keys = '', run }): Result => ({ key: `command ${title}`, title, status: keys, kind: 'command', run }),
      );
    const items = index.find(search, MOST, model.shown.ranks).map((position) => ({
      key: String(position),
      title: titleOf(position),
      ...statusOf(position),
      run: () => open(position),
    }));
    if (search.trim() === '') return found;
    const all: Result = {
      key: 'narrow',
      title: `List only the items with “${search.trim()}”`,
      status: '',
      kind: 'command',
      run: () => narrow(search),
    };
    const entries = entriesNamed(model, words).map(
      ({ id, title, status }): Result => ({
        key: `entry ${id}`,
        title,
        status,
        kind: 'entry',
        run: () => showEntry(id),
      }),
    );
    // Entries are few. A command with a word that starts with the search comes before items, unless one has that title.
    const wanted = search.trim().toLowerCase();
    const starts = ({ title }: Result): boolean =>
      title
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u)
        .some((word) => word.startsWith(wanted));
    const startsWhole = ({ title }: Result): boolean => title.toLowerCase().startsWith(wanted);
    const isItem = items[0]?.title.toLowerCase() === wanted;
    const first = isItem ? [] : found.filter((command) => starts(command) || startsWhole(command));
    const others = found.filter((command) => !first.includes(command));
    if (isItem) return [...items, ...entries, ...others, all];
    // An entry with the word further back, such as “Many reviews”, comes after “Review and save…”.
    const [best, good] = [first.filter(startsWhole), first.filter((command) => !startsWhole(command))];
    return entries.some(startsWhole)
      ? [...entries, ...best, ...good, ...items, ...others, all]
      : [...best, ...entries, ...good, ...items, ...others, all];
  }, [search, commands, index, model.shown, statusOf]);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at, results]);
  const choose = (result: Result | undefined) => {
    if (!result) return;
    dialog.current?.close();
    result.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((at + step + results.length) % Math.max(1, results.length));
    else if (event.key === 'Enter') choose(results[at]);
    else return;
    event.preventDefault();
  };
  const items = results.filter(({ kind }) => kind !== 'command' && kind !== 'entry').length;
  return (
    <dialog ref={dialog} onClose={close} class="search" aria-label="Search">
      <input
        type="text"
        role="combobox"
        aria-label="Search items and commands"
        aria-expanded="true"
        aria-controls="search-results"
        aria-activedescendant={results[at] && `result-${at}`}
        placeholder="Search items and commands"
        autocomplete="off"
        value={search}
        onInput={({ currentTarget }) => {
          setSearch(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul ref={list} id="search-results" role="listbox" aria-label="Results">
        {results.map((result, k) => (
          <li
            key={result.key}
            id={`result-${k}`}
            role="option"
            aria-selected={k === at}
            class={`result ${result.kind}`}
            onPointerMove={() => k !== at && setAt(k)}
            onClick={() => choose(result)}
          >
            <span class="result-title">{result.title}</span>
            <span class="status">
              {result.kind === 'command' ? result.status && <kbd>{result.status}</kbd> : result.status}
            </span>
          </li>
        ))}
      </ul>
      {search.trim() !== '' && items === 0 && <p class="note">No item has these words.</p>}
      <p class="note keys">
        <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> open <kbd>Esc</kbd> close
        {results.some(({ kind }) => kind === 'removed') && (
          <>
            {' '}
            · why <Term of="removed">removed</Term>
          </>
        )}
      </p>
      <Live text={search.trim() === '' ? '' : `${counted(items, 'item')} found`} />
    </dialog>
  );
}

/** What became of each item, in words. */
function useStatus(model: StudioModel): (position: number) => Pick<Result, 'status' | 'kind'> {
  const { shown, ranking } = model;
  return useMemo(() => {
    const rules = new Map(ranking.refused.map(({ index, by }) => [index, by]));
    return (position) => {
      const rank = shown.ranks[position]!;
      if (rank > 0) {
        return { status: placeText(model, position), kind: isSelected(shown, position) ? 'shown' : 'below' };
      }
      const rule = rules.get(position);
      if (rule === undefined) return { status: 'pinned', kind: 'shown' };
      return { status: `removed: ${plainName(model, rule)}`, kind: 'removed' };
    };
  }, [shown, ranking]);
}

const LISTED = [
  ['tier2_scorers', 'criterion'],
  ['tier1_scorers', 'removal'],
  ['adjustments', 'boost'],
] as const;

/** The entries of the recipe whose name has all words. */
function entriesNamed(model: StudioModel, words: readonly string[]) {
  return LISTED.flatMap(([list, status]) =>
    entriesOf(model.data.profile, list).flatMap((entry) => {
      const id = String(entry['id']);
      const title = plainName(model, id);
      return words.every((word) => title.toLowerCase().includes(word)) ? [{ id, title, status }] : [];
    }),
  );
}
