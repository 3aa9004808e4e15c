import { met, type Result } from '../result.js';
import { amountText, goalText, subjectText, timesSpread } from './words.js';

/** A result as one line, while it is measured. */
export function consoleLine(result: Result): string {
  const { amount, unit, per, ratio, goal } = result;
  const own = `${amountText(amount.median, unit)}${per === undefined ? '' : ` a ${per}`}`;
  const beside = ratio ? `${timesSpread(ratio.times)} × ${ratio.to}` : '';
  const judgement = goal ? `${met(result) ? 'met' : 'MISSED'}: ${goalText(goal, result)}` : '';
  return `  ${subjectText(result).padEnd(44)} ${own.padStart(22)}   ${beside.padEnd(52)} ${judgement}`.trimEnd();
}
