import { PREPARED } from '../bounds.js';
import { prepared } from '../engines/assize.js';
import { twoLoops } from '../engines/by-hand.js';
import { sideBySide } from '../engines/side-by-side.js';
import type { Section } from '../section.js';

const GOAL = { atMost: 3, bound: PREPARED };

export const preparedColumn: Section = {
  name: 'prepared',
  title: 'The same with one prepared column',
  about: `One of the six scorers must see the batch before it can score: \`ScaledScorer\` stretches it over the candidates that
passed the vetoes. By hand that takes two loops: one that judges and finds the extremes, one that scores.`,
  run: (effort) => sideBySide({ byHand: twoLoops, ours: [prepared], goals: [GOAL, GOAL, GOAL], rivals: [] }, effort),
};
