import type { Asked, LeftAlone, Tuning } from '../../tune/index.js';
import type { FoundWeights } from '../data/found-weights.js';

/** A search that was ended before it had found anything. */
export const NOTHING_FOUND: FoundWeights = {
  scorers: [],
  evidence: ['The search was ended before it had found any weights: nothing is kept.'],
  shown: false,
};

/** What a search found, with the evidence of `assize tune`. */
export async function foundByTuning(tuning: Tuning): Promise<FoundWeights> {
  const { heldOutText, learntFromText } = await import('../../tune/tuned-yaml.js');
  const { scorers, left, heldOut, shown, stopped } = tuning;
  return {
    scorers: scorers.map(({ id, before, weight }) => ({ id, before, weight })),
    evidence: [
      ...(stopped ? [UNFINISHED] : []),
      learntFromText(tuning),
      ...heldOut.flatMap(heldOutText),
      ...left.map(leftText),
    ],
    shown: shown && !stopped,
  };
}

const UNFINISHED =
  'Unfinished: the search was ended, and these are the best weights that it had by then. What was kept back is measured as far as it came.';

/** What answers say, and how sure that is. */
export function foundByAsking(asked: Asked<object>, text: string): FoundWeights {
  const { scorers, left, top, answers, stable } = asked;
  if (answers.length === 0) {
    return { scorers: [], evidence: ['Nothing was answered: the weights stay what they are.'], shown: false };
  }
  const against = answers.flatMap(({ contradicts }, k) => (contradicts ? [k + 1] : []));
  return {
    scorers: scorers.map(({ id, before, weight, likely }) => ({ id, before, weight, likely })),
    evidence: [
      ...(stable ? [] : [UNSURE]),
      text,
      `the top by them: ${top.map(({ id }) => id).join(', ')}`,
      ...left.map(leftText),
      ...(against.length > 0 ? [`the other answers say otherwise than ${against.join(', ')}`] : []),
    ],
    shown: stable,
  };
}

const UNSURE =
  'A guess: the answers do not decide the top yet, and each weight is likely, at 90 %, to be somewhere between the two that stand beside it.';

const leftText = ({ id, because }: LeftAlone): string => `${id} is as it was: ${because}`;
