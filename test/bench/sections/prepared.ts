import { PREPARED } from '../bounds.js';
import { prepared } from '../engines/assize.js';
import { twoLoops } from '../engines/by-hand.js';
import { sideBySide } from '../engines/side-by-side.js';
import type { Section } from '../section.js';

const GOAL = { atMost: 3, bound: PREPARED };

export const preparedColumn: Section = {
  name: 'prepared',
  title: 'The same with one prepared column',
  about: `One scorer must see the batch before it can score: \`ScaledScorer\` scales it over the candidates that passed the vetoes. By hand,
one loop vetoes and finds the extremes, and one scores.`,
  run: (effort) => sideBySide({ byHand: twoLoops, ours: [prepared], goals: [GOAL, GOAL, GOAL], rivals: [] }, effort),
};
