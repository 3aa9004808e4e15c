import { Term } from '../glossary/term.js';
import { type ListColumn, SCORE } from './list-columns.js';
import type { ListSettings } from './list-view.js';

interface HeadProps {
  readonly columns: readonly ListColumn[];
  readonly list: ListSettings;
  readonly change: (list: ListSettings) => void;
  readonly template: string;
}

/** The titles of the columns: each a button by which the list is sorted, and the other way round. */
export function GridHead({ columns, list, change, template }: HeadProps) {
  const sort = (key: string) =>
    change({ ...list, sortBy: key, descending: list.sortBy === key ? !list.descending : key !== 'id' });
  const head = (key: string, title: string, numeric: boolean) => {
    const sorted = list.sortBy === key;
    const way = list.descending ? 'descending' : 'ascending';
    return (
      <span
        key={key}
        role="columnheader"
        class={numeric ? 'number' : ''}
        aria-sort={sorted ? way : undefined}
        title={title}
      >
        <button type="button" class={sorted ? 'sorted' : ''} onClick={() => sort(key)}>
          {title}
          {sorted && <span aria-hidden="true">{list.descending ? ' ↓' : ' ↑'}</span>}
        </button>
      </span>
    );
  };
  return (
    <div role="rowgroup" class="head-group">
      <div class="head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
        <span role="columnheader">
          <span class="visually-hidden">slope</span>
        </span>
        <span role="columnheader" class="number">
          rank
        </span>
        {head('moved', 'moved', false)}
        {head('id', 'id', false)}
        {head(SCORE.key, SCORE.title, true)}
        <span role="columnheader">
          <Term of="breakdown" />
        </span>
        {columns.map(({ key, title, numeric }) => head(key, title, numeric))}
      </div>
    </div>
  );
}
