import type { StudioModel } from '../model/studio-model.js';
import { colourOf } from '../parts/format.js';
import { entryColumn, type ListColumn } from './list-columns.js';
import { type ListSettings, withRange } from './list-view.js';
import { RangeHistogram } from './range-histogram.js';

interface FiltersProps {
  readonly model: StudioModel;
  readonly columns: readonly ListColumn[];
  readonly list: ListSettings;
  readonly change: (list: ListSettings) => void;
}

/** The kinds of columns in plain words. */
const KINDS: Readonly<Record<string, string>> = { scorer: 'criterion', measure: 'measure' };

/** A histogram of everything that is a number, each with a range outside of which nothing is listed. */
export function FiltersPanel({ model, columns, list, change }: FiltersProps) {
  const scorers = model.scorers.map(({ id }) => entryColumn(id).key);
  const numeric = columns.filter((column) => column.numeric);
  const colour = ({ kind, key }: ListColumn): string =>
    kind === 'scorer' ? colourOf(scorers.indexOf(key)) : 'var(--neutral)';
  return (
    <section aria-label="Filters">
      <p class="note">Drag over a histogram, or drag its ends, to filter the list. Ranks do not change.</p>
      <ul class="filters">
        {numeric.map((column) => {
          const range = list.ranges[column.key];
          return (
            <li key={column.key}>
              <div class="row">
                <span class="name">{column.title}</span>
                {column.kind !== 'field' && column.kind !== 'score' && <small>{KINDS[column.kind]}</small>}
                {range && (
                  <button type="button" class="quiet" onClick={() => change(withRange(list, column.key, undefined))}>
                    Clear<span class="visually-hidden"> {column.title}</span>
                  </button>
                )}
              </div>
              <RangeHistogram
                {...{ column, range }}
                ranking={model.ranking}
                colour={colour(column)}
                change={(next) => change(withRange(list, column.key, next))}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
