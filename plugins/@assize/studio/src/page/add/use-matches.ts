import { createPipeline } from 'assize/browser';
import { useEffect, useState } from 'preact/hooks';
import type { StudioData } from '../../data/studio-data.js';

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

/** Counts by the engine, so that absent fields mean the same as in a veto. */
export async function countMatches(
  candidates: readonly object[],
  context: StudioData['context'],
  expr: string,
): Promise<number> {
  const pipeline = await createPipeline<object>({
    tier1_scorers: [{ id: 'matches', expr, on_error: 'pass' }],
    tier2_scorers: [{ id: 'one', expr: '1.0' }],
  });
  return pipeline.rankSync(candidates, context).refused.length;
}
