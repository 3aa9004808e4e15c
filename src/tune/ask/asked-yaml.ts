import { extendingYaml, originText, type TunedYamlOptions } from '../output/extending-yaml.js';
import { type Asked, FEWEST_ANSWERS } from './ask-weights.js';

/** What was learnt from answers as the YAML of a profile that extends the one that was asked about. */
export function askedYaml(asked: Asked<unknown>, options: TunedYamlOptions): string {
  return extendingYaml(options.extends, asked.change, asked.scorers, [
    `${originText('Asked', options)}${askedText(asked)}.`,
    ...asked.left.map(({ id, because }) => `${id} is as it was: ${because}.`),
  ]);
}

/** How many answers there were, what they agree on, and how many contradict the others. */
export function askedText({ answers, agreement, top }: Asked<unknown>): string {
  if (answers.length === 0) return 'no answers: the weights are as they were';
  const against = answers.filter(({ contradicts }) => contradicts).length;
  const sure = `the weights that fit them agree on ${Math.round(agreement * 100)} % of the top ${top.length}`;
  const few = answers.length < FEWEST_ANSWERS ? `; fewer than ${FEWEST_ANSWERS} answers prove nothing` : '';
  return `${answers.length} answer${answers.length === 1 ? '' : 's'}; ${sure}${against > 0 ? `; ${against} of them contradict the others` : ''}${few}`;
}
