import { useEffect, useState } from 'preact/hooks';
import type { StudioData } from '../../data/studio-data.js';
import { countMatches } from './count-matches.js';

/** The number of candidates for which an expression is true; undefined while it is not known or not valid. */
export function useMatches({ candidates, context }: StudioData, expr: string | undefined): number | undefined {
  const [matches, setMatches] = useState<number>();
  useEffect(() => {
    let isWanted = true;
    setMatches(undefined);
    if (expr === undefined) return undefined;
    countMatches(candidates, context, expr).then(
      (count) => isWanted && setMatches(count),
      () => {}, // the draft reports the problem
    );
    return () => {
      isWanted = false;
    };
  }, [candidates, context, expr]);
  return matches;
}
