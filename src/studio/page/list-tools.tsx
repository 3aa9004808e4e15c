import { formatValue } from './format.js';
import type { StudioModel } from './studio-model.js';

/** What is searched for, shown and sorted by. */
export interface ListSettings {
  readonly search: string;
  readonly fields: readonly string[];
  /** A field of the candidates; undefined: the score. */
  readonly sortBy?: string;
  readonly descending: boolean;
}

interface ToolsProps {
  readonly model: StudioModel;
  readonly list: ListSettings;
  readonly change: (list: ListSettings) => void;
}

/** Search, the columns of the candidates' own fields, and the order. */
export function ListTools({ model, list, change }: ToolsProps) {
  const keys = fieldsOf(model.data.candidates);
  const toggle = (field: string) =>
    list.fields.includes(field) ? list.fields.filter((one) => one !== field) : [...list.fields, field];
  return (
    <div class="tools row">
      <label>
        Search{' '}
        <input
          type="search"
          value={list.search}
          onInput={(event) => change({ ...list, search: event.currentTarget.value })}
        />
      </label>
      <label>
        Order{' '}
        <select
          aria-label="Order"
          value={list.sortBy ?? ''}
          onChange={(event) => {
            const { sortBy: _, ...rest } = list;
            const { value } = event.currentTarget;
            change(value === '' ? rest : { ...rest, sortBy: value });
          }}
        >
          <option value="">by score</option>
          {keys.map((key) => (
            <option key={key} value={key}>
              by {key}
            </option>
          ))}
        </select>
      </label>
      <label>
        <input
          type="checkbox"
          checked={!list.descending}
          onChange={() => change({ ...list, descending: !list.descending })}
        />{' '}
        reversed
      </label>
      <details class="fields">
        <summary>Columns</summary>
        {keys.map((key) => (
          <label key={key}>
            <input
              type="checkbox"
              checked={list.fields.includes(key)}
              onChange={() => change({ ...list, fields: toggle(key) })}
            />{' '}
            {key}
          </label>
        ))}
      </details>
    </div>
  );
}

/** How many candidates are looked at for the names of their fields. */
const SAMPLE = 50;

const fieldsOf = (candidates: readonly object[]): readonly string[] => [
  ...new Set(candidates.slice(0, SAMPLE).flatMap((candidate) => Object.keys(candidate))),
];

/** The positions of the candidates to list, in order. Linear, and for a field a sort. */
export function viewOf(model: StudioModel, order: Int32Array, list: ListSettings): ArrayLike<number> {
  const { candidates } = model.data;
  const words = list.search.trim().toLowerCase();
  const found = words === '' ? order : order.filter((position) => textOf(candidates[position]!).includes(words));
  const key = list.sortBy;
  if (key === undefined) return list.descending ? found : found.toReversed();
  const by = (position: number): unknown => Reflect.get(candidates[position]!, key);
  const sorted = [...found].sort((a, b) => compare(by(a), by(b)));
  return list.descending ? sorted.reverse() : sorted;
}

/** The texts and numbers of a candidate, to search in. */
const textOf = (candidate: object): string =>
  Object.values(candidate)
    .filter((value) => typeof value !== 'object')
    .join('\n')
    .toLowerCase();

/** Numbers by size, others as texts; what is absent is the least. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [formatValue(a), formatValue(b)];
  return left < right ? -1 : Number(left !== right);
}
