import { createPipeline, type Pipeline, type Ranking } from 'assize';
import { random } from '../random.js';

export type Row = Readonly<Record<string, number>>;

/** Candidates with this number of numeric fields each, as if read from JSON. */
export function rowsOf(size: number, fields: number): readonly Row[] {
  const next = random();
  return Array.from({ length: size }, () =>
    Object.fromEntries(Array.from({ length: fields }, (_, k) => [`f${k}`, next()])),
  );
}

/** A scorer for each field, all different, and the best ten. */
export const pipelineOf = (fields: number): Promise<Pipeline<Row>> =>
  createPipeline<Row>({
    tier2_scorers: Array.from({ length: fields }, (_, k) => ({
      id: `s${k}`,
      expr: `min(candidate.f${k} * ${k + 2} / ${fields}, 1)`,
      weight: (k % 5) + 1,
    })),
    select: { top: 10 },
  });

/** Reads every column of a ranking. */
export function readAll({ matrix }: Ranking<Row>): number {
  let sum = 0;
  for (const entry of matrix.entries) sum += matrix.column(entry).resolved[0] ?? 0;
  return sum;
}
