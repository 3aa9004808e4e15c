import { useEffect, useState } from 'preact/hooks';
import type { StudioModel } from '../model/studio-model.js';
import type { QueriesQuality, SeveralQueries } from './several-queries.js';

/** How good the queries are: measured again when something of `by` changes; the last measure until then. */
export function useMeasured(
  measure: (isWanted: () => boolean) => Promise<QueriesQuality | undefined>,
  by: readonly unknown[],
  report: (error: unknown) => void,
): QueriesQuality | undefined {
  const [measured, setMeasured] = useState<QueriesQuality | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    measure(() => isWanted).then((quality) => isWanted && setMeasured(quality), report);
    return () => {
      isWanted = false;
    };
  }, by);
  return measured;
}

/** How good all queries are now, and by the baseline; each undefined until it is measured. */
export interface Measured {
  readonly now: QueriesQuality | undefined;
  readonly before: QueriesQuality | undefined;
}

const NOTHING = Promise.resolve(undefined);

/** Measures all queries of a page; undefined if it has only one. */
export function useQueries(
  queries: SeveralQueries | undefined,
  { baselineKept, settings }: StudioModel,
  report: (error: unknown) => void,
): Measured | undefined {
  const before = useMeasured(
    (isWanted) => (queries && baselineKept ? queries.measureKept(baselineKept, isWanted) : NOTHING),
    [queries, queries?.gradedAs, baselineKept],
    report,
  );
  const now = useMeasured(
    (isWanted) => queries?.measure(settings, isWanted) ?? NOTHING,
    [queries, queries?.gradedAs, settings],
    report,
  );
  return queries && { now, before };
}
