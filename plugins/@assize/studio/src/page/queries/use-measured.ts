import { useEffect, useState } from 'preact/hooks';
import type { QueriesQuality } from './several-queries.js';

/** How good the queries are: measured anew when something of `by` changes; what was measured last, until then. */
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
