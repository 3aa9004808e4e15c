import { columns as byColumn, type ColumnSet, createPipeline, type Pipeline } from 'assize';
import { random } from '../random.js';
import { objectsOf } from './rows.js';
import type { Best } from './best.js';

/** The time of every run. */
export const NOW = 1_700_000_000_000;
export const DAY = 86_400_000;

/** One set of rows in both forms, and the loops by hand over it. */
export interface Work {
  readonly objects: readonly object[];
  /** The same rows, as `columns` of Assize makes them. */
  readonly columns: readonly object[];
  readonly overObjects: () => Best;
  readonly overColumns: () => Best;
}

/** A profile with its rows and its two loops by hand. */
export interface BenchProfile {
  readonly name: string;
  /** The number of rows of a full measurement. */
  readonly rows: number;
  readonly yaml: string;
  /** Makes rows. The same seed makes the same rows. */
  readonly open: (count: number, seed?: number) => Work;
  /** Rows of other shapes: lists that the pipeline ranks before it is measured. One pipeline then ranks both forms. */
  readonly before?: (count: number) => readonly (readonly object[])[];
}

/** The definition of one profile of the ten. */
export interface Definition<Row extends object, Columns extends ColumnSet> {
  readonly name: string;
  readonly rows?: number;
  readonly yaml: string;
  /** Makes the columns of random rows. */
  readonly columnsOf: (count: number, next: () => number) => Columns;
  /** Fields without a key in an object where they are absent. Other absent fields are null. */
  readonly omitted?: readonly string[];
  /** Returns a loop: the best rows of objects. */
  readonly overObjects: (rows: readonly Row[]) => Best;
  /** The same over the columns. */
  readonly overColumns: (columns: Columns, count: number) => Best;
}

export const pipelineOf = ({ yaml }: Pick<BenchProfile, 'yaml'>): Promise<Pipeline> => createPipeline({ yaml });

const ROWS = 300_000;

export function benchProfile<Row extends object, Columns extends ColumnSet>(
  definition: Definition<Row, Columns>,
): BenchProfile {
  const { name, rows = ROWS, yaml, columnsOf, omitted = [], overObjects, overColumns } = definition;
  const open = (count: number, seed?: number): Work => {
    const data = columnsOf(count, random(seed));
    const objects = objectsOf<Row>(data, count, omitted);
    return {
      objects,
      columns: byColumn(data, { length: count }),
      overObjects: () => overObjects(objects),
      overColumns: () => overColumns(data, count),
    };
  };
  return { name, rows, yaml, open };
}
