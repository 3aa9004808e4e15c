import type { Difference } from '@assize/evaluate/measures';
import { useEffect, useState } from 'preact/hooks';
import type { QueriesQuality, SeveralQueries } from '../queries/several-queries.js';

/** How long nothing has to change before differences are tested, in milliseconds: that takes longer than to measure. */
const REST_MS = 200;

/** How two sides differ, once nothing moves; undefined until then. */
export function useDifferences(
  queries: SeveralQueries | undefined,
  before: QueriesQuality | undefined,
  now: QueriesQuality | undefined,
): readonly Difference[] | undefined {
  const [differences, setDifferences] = useState<readonly Difference[] | undefined>(undefined);
  useEffect(() => {
    setDifferences(undefined);
    if (!queries || !before || !now) return undefined;
    let isWanted = true;
    const compare = async () => {
      const { compareSides } = await import('./compare-sides.js'); // large, and few pages have several queries
      if (isWanted) setDifferences(compareSides(queries, before, now));
    };
    const timer = setTimeout(() => void compare().catch(() => {}), REST_MS); // without a server they stay unknown
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [queries, before, now]);
  return differences;
}
