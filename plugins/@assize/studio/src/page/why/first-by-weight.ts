import type { Ranking } from 'assize/browser';

/** A weight that alone makes an item first. */
export interface FirstWeight {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

/** The weights to search, by the id of a scorer. */
export type SearchedWeights = ReadonlyMap<string, number>;

/** Weights are tried up to this multiple of the greatest. */
const MOST = 1000;
/** The factor between two probes, and the least difference of a result and the next weight that fails. */
const [STEP, PRECISION] = [1.6, 0.01];
const DIGITS = 3;

/**
 * Searches for each weight the nearest one that alone makes an item first. Each result was ranked. One step is one
 * ranking, so that the page can do other work between two steps.
 *
 * @returns a generator of the searched share, from 0 to 1, which returns the weights
 */
export function* firstByWeight(
  ranking: Ranking<object>,
  position: number,
  weights: SearchedWeights,
): Generator<number, readonly FirstWeight[]> {
  const greatest = Math.max(1, ...[...weights.values()].map(Math.abs));
  const found: FirstWeight[] = [];
  let done = 0;
  for (const [id, from] of weights) {
    const wins = (weight: number): boolean => isFirst(ranking, position, { [id]: weight });
    const probes = probesAround(from, greatest * MOST);
    for (const [k, probe] of probes.entries()) {
      yield (done + k / probes.length) / weights.size;
      if (!wins(probe)) continue;
      // The last probe on the same side failed.
      let lost = probes.slice(0, k).findLast((one) => one < from === probe < from) ?? from;
      let won = probe;
      while (Math.abs(won - lost) > PRECISION * Math.max(Math.abs(won), Math.abs(lost))) {
        const middle = (won + lost) / 2;
        if (wins(middle)) won = middle;
        else lost = middle;
        yield (done + k / probes.length) / weights.size;
      }
      const rounded = Number(won.toPrecision(DIGITS));
      found.push({ id, from, to: rounded !== won && wins(rounded) ? rounded : won });
      break;
    }
    done += 1;
  }
  return found;
}

/** Weights at growing distances from one, the nearest first, up to 0 and to the greatest. */
function probesAround(from: number, greatest: number): readonly number[] {
  const start = from > 0 ? from : greatest / MOST / 100;
  const up: number[] = from > 0 ? [] : [start];
  for (let weight = start * STEP; weight < greatest; weight *= STEP) up.push(weight);
  up.push(greatest);
  if (from <= 0) return up;
  const down: number[] = [];
  for (let weight = from / STEP; weight > from / MOST; weight /= STEP) down.push(weight);
  down.push(0);
  return [...Array(Math.max(up.length, down.length)).keys()].flatMap((k) => [
    ...up.slice(k, k + 1),
    ...down.slice(k, k + 1),
  ]);
}

/** Whether an item is the first that is selected for its score. A weight that the profile cannot have does not make it so. */
function isFirst(ranking: Ranking<object>, position: number, weights: Readonly<Record<string, number>>): boolean {
  try {
    const { selected } = ranking.reweigh({ weights });
    return selected.find(({ score }) => score !== undefined)?.index === position;
  } catch {
    return false;
  }
}
