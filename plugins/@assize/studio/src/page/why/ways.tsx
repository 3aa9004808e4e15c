import { useEffect, useState } from 'preact/hooks';
import type { WaysToWin } from 'assize/browser';
import type { StudioModel } from '../model/studio-model.js';
import { keptOutBy } from './not-shown.js';
import { ProposalList } from './proposal-list.js';

interface WaysProps {
  readonly model: StudioModel;
  readonly position: number;
  readonly report: (error: unknown) => void;
}

/** The single weights that would make an item first, each with a button that tries it. Searched when a person wants to know. */
export function Ways({ model, position, report }: WaysProps) {
  const [wanted, setWanted] = useState(false);
  const [ways, setWays] = useState<WaysToWin | undefined>(undefined);
  const { ranking } = model;
  useEffect(() => setWanted(false), [position]);
  useEffect(() => {
    setWays(undefined);
    if (!wanted) return undefined;
    let isWanted = true;
    // After the next frame, which shows that the search runs: the search blocks the page.
    const timer = setTimeout(() => {
      ranking.waysToWin({ index: position }).then((found) => isWanted && setWays(found), report);
    }, 30);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [ranking, position, wanted, report]);
  if (!model.ranker.readsWeights || model.shown.ranks[position]! <= 1) return null;
  // A weight does not lift the limit that keeps the item out.
  if (keptOutBy(model, position) !== undefined) return null;
  if (!wanted) {
    return (
      <button type="button" onClick={() => setWanted(true)}>
        What would make it first?
      </button>
    );
  }
  if (!ways) return <p class="note">Searching…</p>;
  const weights = ways.weights.flatMap((way) => (way.state === 'flips' ? [way] : []));
  return (
    <section class="ways" aria-label="What would make it first">
      <h3>What would make it first</h3>
      {ways.because === undefined ? (
        <ProposalList {...{ model, weights, report }} />
      ) : (
        <p class="note">{ways.because}</p>
      )}
    </section>
  );
}
