import { sketchText } from '../../evaluate/dataset/leaks.js';
import type { Tuning } from '../tuning.js';
import { heldOutText, learntFromText } from './evidence.js';
import { extendingYaml, originText, type TunedYamlOptions } from './extending-yaml.js';

/**
 * What was found as the YAML of a profile that extends the tuned one, with the evidence as comments.
 *
 * ```ts
 * const tuning = await tuneWeights('./films.yaml', queries);
 * if (tuning.shown) await writeFile('films-tuned.yaml', tunedYaml(tuning, { extends: './films.yaml' }));
 * ```
 */
export function tunedYaml(tuning: Tuning, options: TunedYamlOptions): string {
  return extendingYaml(options.extends, tuning.change, tuning.scorers, evidenceLines(tuning, options));
}

function evidenceLines(tuning: Tuning, options: TunedYamlOptions): readonly string[] {
  const { seed, left, case: caseName, heldOut, warnings } = tuning;
  return [
    `${originText('Tuned', options)}${learntFromText(tuning)}, seed ${seed}.`,
    ...heldOut.flatMap((one) => {
      const [how, what] = heldOutText(one);
      return [how, `  ${what}`];
    }),
    ...warnings.map(({ message }) => `Beware: ${message}.`),
    ...tuning.params.map(({ entry, param, before, value }) => `${entry}.${param}: ${value}, ${before} before.`),
    ...(caseName === undefined ? [] : [`The weights of the case ${caseName}.`]),
    ...left.map(({ id, because }) => `${id} is as it was: ${because}.`),
    sketchText(tuning.data),
  ];
}
