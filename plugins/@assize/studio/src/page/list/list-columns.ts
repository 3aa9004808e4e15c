import type { Ranking } from 'assize/browser';
import type { StudioData } from '../../data/studio-data.js';
import { weighedScorers } from '../settings/weighed-scorers.js';
import { type Field, fieldsOf, readField } from './fields.js';

/** Something of every ranked candidate that the list can show, sort by, and be narrowed by. */
export interface ListColumn {
  /** Among all columns. */
  readonly key: string;
  readonly title: string;
  readonly kind: 'score' | 'scorer' | 'measure' | 'field';
  /** Whether its values are numbers, or some of them. */
  readonly numeric: boolean;
  /** The numbers by row of the ranking; NaN where there is none. */
  readonly numbers: (ranking: Ranking<object>) => Float64Array;
  /** The value of a row, as it is shown and sorted by. */
  readonly valueOf: (ranking: Ranking<object>, row: number) => unknown;
}

/** The column of the scores, by which a list is sorted where nothing else is said. */
export const SCORE: ListColumn = numberColumn('score', 'score', 'score', ({ matrix }) => matrix.totals);

/** The column of what a scorer or a measure gave. */
export const entryColumn = (id: string, title = id, kind: 'scorer' | 'measure' = 'scorer'): ListColumn =>
  numberColumn(`${kind} ${id}`, title, kind, ({ matrix }) =>
    matrix.entries.includes(id) ? matrix.column(id).resolved : new Float64Array(matrix.index.length).fill(Number.NaN),
  );

interface Measure {
  readonly id: string;
  readonly label?: string;
  readonly enabled?: boolean;
}

/** Every column that there can be: scores, then the fields of the candidates. */
export function listColumns(data: StudioData): readonly ListColumn[] {
  const measures = (data.profile.measures ?? []) as readonly Measure[];
  return [
    SCORE,
    ...weighedScorers(data).map(({ id, name }) => entryColumn(id, name)),
    ...measures.filter(({ enabled }) => enabled !== false).map(({ id, label }) => entryColumn(id, label, 'measure')),
    ...fieldsOf(data.candidates).map((field) => fieldColumn(field, data.candidates)),
  ];
}

function numberColumn(
  key: string,
  title: string,
  kind: ListColumn['kind'],
  numbers: ListColumn['numbers'],
): ListColumn {
  const valueOf = (ranking: Ranking<object>, row: number): unknown => {
    const value = numbers(ranking)[row]!;
    return Number.isNaN(value) ? undefined : value;
  };
  return { key, title, kind, numeric: true, numbers, valueOf };
}

/** The numbers of a field are read once for the rows of a ranking, which other weights leave as they are. */
function fieldColumn(field: Field, candidates: readonly object[]): ListColumn {
  const read = new WeakMap<Int32Array, Float64Array>();
  const numbers = ({ matrix: { index } }: Ranking<object>): Float64Array => {
    const found =
      read.get(index) ?? Float64Array.from(index, (position) => asNumber(readField(candidates[position], field)));
    read.set(index, found);
    return found;
  };
  return {
    key: `field ${field.name}`,
    title: field.name,
    kind: 'field',
    numeric: field.numeric,
    numbers,
    valueOf: ({ matrix }, row) => readField(candidates[matrix.index[row]!], field),
  };
}

const asNumber = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);
