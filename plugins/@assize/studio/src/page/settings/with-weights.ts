import type { StudioData } from '../../data/studio-data.js';
import { casesOf, NOTHING_SET, type Settings } from './settings.js';
import { weightIn } from './weighed-scorers.js';

type Weights = Settings['weights'];

/**
 * The settings with weights of scorers by their ids; without those that are what the profile writes.
 *
 * @param inCase where they hold in a case alone
 */
export function withWeights(data: StudioData, settings: Settings, weights: Weights, inCase?: string): Settings {
  if (inCase === undefined) {
    const written = (id: string) => weightIn(data, NOTHING_SET, id);
    return { ...settings, weights: differing({ ...settings.weights, ...weights }, written) };
  }
  const written = (id: string) => casesOf(data.profile)[inCase]?.[id];
  const { [inCase]: before, ...others } = settings.cases;
  const own = differing({ ...before, ...weights }, written);
  return { ...settings, cases: Object.keys(own).length === 0 ? others : { ...others, [inCase]: own } };
}

/** The settings with a weight that holds for every candidate: of the scorer itself, and in each case that says otherwise. */
export function withWeightEverywhere(data: StudioData, settings: Settings, id: string, weight: number): Settings {
  const cases = Object.entries(casesOf(data.profile)).filter(([, own]) => Object.hasOwn(own, id));
  return cases.reduce(
    (next, [inCase]) => withWeights(data, next, { [id]: weight }, inCase),
    withWeights(data, settings, { [id]: weight }),
  );
}

const differing = (weights: Weights, written: (id: string) => number | string | undefined): Weights =>
  Object.fromEntries(Object.entries(weights).filter(([id, weight]) => weight !== written(id)));
