import { useEffect, useState } from 'preact/hooks';
import type { StudioModel } from '../model/studio-model.js';
import { isOn } from '../settings/settings.js';
import { type FirstWeight, firstByWeight } from './first-by-weight.js';
import { keptOutBy } from './not-shown.js';
import { ProposalList } from './proposal-list.js';

interface WaysProps {
  readonly model: StudioModel;
  readonly position: number;
  readonly report: (error: unknown) => void;
}

/** Milliseconds of search before the page can draw and react. */
const SLICE_MS = 12;

/** The single weights that would make an item first, each with a button that tries it. Searched when a person wants to know. */
export function Ways({ model, position, report }: WaysProps) {
  const [wanted, setWanted] = useState(false);
  const [progress, setProgress] = useState(0);
  const [ways, setWays] = useState<readonly FirstWeight[]>();
  const { ranking } = model;
  useEffect(() => setWanted(false), [position]);
  useEffect(() => {
    setWays(undefined);
    setProgress(0);
    if (!wanted) return undefined;
    const weights = new Map(
      model.scorers
        .filter((scorer) => isOn(model.settings, scorer))
        .flatMap(({ id }) => {
          const weight = model.weightOf(id);
          return typeof weight === 'number' ? [[id, weight] as const] : [];
        }),
    );
    return inSlices(firstByWeight(ranking, position, weights), setProgress, setWays, report);
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
  if (!ways) {
    return (
      <div class="row">
        <label class="row">
          Searching <progress value={progress} />
        </label>
        <button type="button" onClick={() => setWanted(false)}>
          Stop
        </button>
      </div>
    );
  }
  return (
    <section class="ways" aria-label="What would make it first">
      <h3>What would make it first</h3>
      <ProposalList {...{ model, weights: ways, report }} />
    </section>
  );
}

/**
 * Runs a search in slices, between which the page draws and reacts.
 *
 * @returns stops it
 */
function inSlices<R>(
  search: Generator<number, R>,
  progress: (share: number) => void,
  done: (result: R) => void,
  report: (error: unknown) => void,
): () => void {
  let timer = setTimeout(slice);
  function slice(): void {
    const end = performance.now() + SLICE_MS;
    try {
      let step = search.next();
      while (!step.done && performance.now() < end) step = search.next();
      if (step.done) {
        done(step.value);
        return;
      }
      progress(step.value);
    } catch (error) {
      report(error);
      return;
    }
    timer = setTimeout(slice);
  }
  return () => clearTimeout(timer);
}
