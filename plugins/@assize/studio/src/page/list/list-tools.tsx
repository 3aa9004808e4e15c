import type { ComponentChildren } from 'preact';
import { formatValue } from '../parts/format.js';
import { formatCount } from '../parts/in-words.js';
import { Menu } from '../parts/menu.js';
import type { ListColumn } from './list-columns.js';
import { type ListSettings, WHOLE_LIST, withRange } from './list-view.js';

interface ToolsProps {
  readonly columns: readonly ListColumn[];
  readonly list: ListSettings;
  /** How many are ranked, and how many of those are listed. */
  readonly ranked: number;
  readonly listed: number;
  readonly change: (list: ListSettings) => void;
  /** More controls. */
  readonly children?: ComponentChildren;
}

const isSortedByRank = ({ sortBy, descending }: ListSettings): boolean =>
  sortBy === WHOLE_LIST.sortBy && descending === WHOLE_LIST.descending;

/** What the list is narrowed and sorted by, each with a button that clears it. */
export function ListTools({ columns, list, ranked, listed, change, children }: ToolsProps) {
  const ranges = columns.flatMap((column) => {
    const range = list.ranges[column.key];
    return range ? [{ column, range }] : [];
  });
  return (
    <div class="tools row">
      {children}
      {list.search.trim() !== '' && (
        <button type="button" class="chip" onClick={() => change({ ...list, search: '' })}>
          “{list.search.trim()}” <span aria-hidden="true">×</span>
          <span class="visually-hidden">: clear</span>
        </button>
      )}
      {!isSortedByRank(list) && (
        <button
          type="button"
          class="chip"
          onClick={() => change({ ...list, sortBy: WHOLE_LIST.sortBy, descending: WHOLE_LIST.descending })}
        >
          by {columns.find(({ key }) => key === list.sortBy)?.title ?? list.sortBy} <span aria-hidden="true">×</span>
          <span class="visually-hidden">: clear</span>
        </button>
      )}
      {ranges.map(({ column: { key, title }, range: { least, most } }) => (
        <button key={key} type="button" class="chip" onClick={() => change(withRange(list, key, undefined))}>
          {title} {formatValue(least, title)}–{formatValue(most, title)} <span aria-hidden="true">×</span>
          <span class="visually-hidden">: clear</span>
        </button>
      ))}
      <span class="listed note">
        {listed < ranked && `${formatCount(ranked - listed)} of ${formatCount(ranked)} hidden`}
      </span>
      {listed < ranked && (
        <button
          type="button"
          class="quiet"
          onClick={() => change({ ...list, search: WHOLE_LIST.search, ranges: WHOLE_LIST.ranges })}
        >
          Show all
        </button>
      )}
    </div>
  );
}

/** The columns that can be shown, by what they are. */
export function ColumnChoice({ columns, list, change }: Pick<ToolsProps, 'columns' | 'list' | 'change'>) {
  const toggle = (key: string) =>
    list.shown.includes(key) ? list.shown.filter((one) => one !== key) : [...list.shown, key];
  const groups = [
    { title: 'Fields', kind: 'field' },
    { title: 'Criteria', kind: 'scorer' },
    { title: 'Measures', kind: 'measure' },
  ] as const;
  return (
    <Menu title="Columns">
      {groups.map(({ title, kind }) => {
        const own = columns.filter((column) => column.kind === kind);
        if (own.length === 0) return null;
        return (
          <fieldset key={kind}>
            <legend>{title}</legend>
            {own.map((column) => (
              <label key={column.key}>
                <input
                  type="checkbox"
                  checked={list.shown.includes(column.key)}
                  onChange={() => change({ ...list, shown: toggle(column.key) })}
                />{' '}
                {column.title}
              </label>
            ))}
          </fieldset>
        );
      })}
    </Menu>
  );
}
