import { formatNumber, layoutTable, type RenderOptions, type TableRow, wrap } from '../../text/index.js';
import type { RuleTerm, StepTerm } from '../explanation.js';
import { fieldReadsText } from './term-text.js';

const OPERATION_TEXT: Readonly<Record<StepTerm['operation'], (amount: number) => string>> = {
  set: (amount) => `= ${formatNumber(amount)}`,
  add: (amount) => (amount < 0 ? `− ${formatNumber(-amount)}` : `+ ${formatNumber(amount)}`),
  multiply: (amount) => `× ${formatNumber(amount)}`,
  min: (amount) => `at least ${formatNumber(amount)}`,
  max: (amount) => `at most ${formatNumber(amount)}`,
};

/** The rules that fired, in order, with the score after each operation; the others by name. */
export function rulesText(rules: readonly RuleTerm[], render: RenderOptions): readonly string[] {
  const rows = rules.filter(({ state }) => state !== 'not_fired' && state !== 'not_asked').flatMap(ruleRows);
  const others = (state: RuleTerm['state'], label: string): readonly string[] => {
    const ids = rules.filter((rule) => rule.state === state).map(({ id }) => id);
    return ids.length === 0 ? [] : [wrap(`${label}: ${ids.join(', ')}`, render.columns, '  ')];
  };
  return [
    render.paint('strong', 'Rules'),
    ...layoutTable(rows, ['left', 'left', 'point'], undefined, render),
    ...others('not_fired', 'not fired'),
    ...others('not_asked', 'not asked'),
  ];
}

/** A row for each operation of a rule, the first with its name and why it fired; a last one for a refusal. */
function ruleRows({ id, steps, when, reads, error, refusal }: RuleTerm): readonly TableRow[] {
  const rows = steps.map(({ operation, amount, score, from }) => ({
    cells: [OPERATION_TEXT[operation](amount), formatNumber(score)],
    why: from === undefined ? [] : [`from ${from}`],
  }));
  if (refusal)
    rows.push({ cells: ['', ''], why: [error === undefined ? 'refused: its factor is 0' : `failed: ${error}`] });
  const because = [...(when === undefined ? [] : [when]), ...fieldReadsText(reads)];
  return rows.map(({ cells, why }, k) => ({
    cells: [k === 0 ? id : '', ...cells],
    why: k === 0 ? [...why, ...because] : why,
  }));
}
