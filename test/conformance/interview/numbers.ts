import { ngramSimilarity } from '../../../plugins/interview/repetition-vetoes.js';
import { newInformationRate, nextLowInfoStreak } from '../../../plugins/interview/history.js';
import { createPipeline, type ProfileInput } from 'assize';
import type { Case } from '../tally.js';
import { AllSignals } from './stubs.js';
import { snakeKeys } from './translate.js';
import type { Data, Vectors } from './vectors.js';

async function signalsOf(profile: ProfileInput, context: Data): Promise<Data> {
  const all: ProfileInput = { ...profile, report: [{ id: 'all', class: 'AllSignals' }] };
  const ranking = await (await createPipeline(all, { units: { AllSignals } })).rank([], context);
  return ranking.report['all'] as Data;
}

/** The phase by the number of turns. */
export const phases = ({ phaseVectors }: Vectors): Promise<readonly Case[]> =>
  Promise.all(
    phaseVectors.map(async ({ config, exploratoryTurns, focusedTurns, turnCount, phase }) => {
      const windows = { exploratory: { n_turns: exploratoryTurns }, focused: { n_turns: focusedTurns }, closing: {} };
      const signals = await signalsOf({ phases: windows }, { turn_count: turnCount });
      return { name: `${config}, turn ${turnCount}`, expected: phase, found: signals['phase'] };
    }),
  );

/** The lengths of a graph's chains. */
export const chains = ({ chainDepthVectors }: Vectors): Promise<readonly Case[]> =>
  Promise.all(
    chainDepthVectors.map(async ({ id, nodes, edges, expected }) => {
      const profile: ProfileInput = { plugins: ['interview'], signals: [{ id: 'chains', class: 'ChainDepth' }] };
      const signals = await signalsOf(profile, { graph: { nodes: nodes.map(snakeKeys), edges } });
      return { name: id, expected, found: signals['chains'] };
    }),
  );

/** The similarity of the wording of two texts. */
export const similarities = ({ similarityVectors }: Vectors): readonly Case[] =>
  similarityVectors.map(({ id, a, b, expected }) => ({ name: id, expected, found: ngramSimilarity(a, b) }));

/** The novelty of an answer, and the number of turns with little novelty. */
export const informationRates = ({ informationRateVectors }: Vectors): readonly Case[] =>
  informationRateVectors.map(({ id, concepts, recentLabels, previousLowInfoTurns, expected }) => {
    const rate = newInformationRate(concepts, new Set(recentLabels.map((label) => label.toLowerCase())));
    const found = { newInfoRate: rate, consecutiveLowInfoTurns: nextLowInfoStreak(rate, previousLowInfoTurns) };
    return { name: id, expected, found };
  });
