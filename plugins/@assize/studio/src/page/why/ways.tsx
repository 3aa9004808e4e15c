import { useEffect, useState } from 'preact/hooks';
import type { WaysToWin } from 'assize/browser';
import type { StudioModel } from '../model/studio-model.js';
import { formatNumber } from '../parts/format.js';
import { plainName } from '../parts/in-words.js';
import { withWeightEverywhere } from '../settings/with-weights.js';

interface WaysProps {
  readonly model: StudioModel;
  readonly position: number;
  readonly report: (error: unknown) => void;
}

/** The single weights that would make an item first, each a button that sets it. Searched when a person wants to know. */
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
  if (!wanted) {
    return (
      <button type="button" onClick={() => setWanted(true)}>
        What would make it first?
      </button>
    );
  }
  if (!ways) return <p class="note">Searching…</p>;
  const weights = ways.weights.flatMap((way) => (way.state === 'flips' ? [way] : []));
  if (weights.length === 0) {
    return <p class="note">No single criterion can make it first{ways.because ? `: ${ways.because}` : ''}.</p>;
  }
  return (
    <section class="ways" aria-label="What would make it first">
      <h3>What would make it first</h3>
      <ul>
        {weights.map(({ id, from, to }) => (
          <li key={id}>
            <button
              type="button"
              title={`weight ${from === undefined ? '' : formatNumber(from)} → ${formatNumber(to)}`}
              onClick={() => void model.set(withWeightEverywhere(model.data, model.settings, id, to)).catch(report)}
            >
              {plainName(model, id)} counts {change(from, to)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How a weight changes, in words. */
function change(from: number | undefined, to: number): string {
  if (to === 0) return 'nothing';
  if (from === undefined || from === 0) return `with weight ${formatNumber(to)}`;
  const times = to / from;
  return times >= 1
    ? `${formatNumber(Number(times.toPrecision(2)))} times as much`
    : `${Math.round(100 * times)} % as much`;
}
