import { wrap } from '../document/fit.js';
import { columnsOf, type Look, type Row } from './columns.js';
import type { RuleTerm, StepTerm } from './explanation.js';
import { shown } from './numbers.js';
import { readsText } from './words.js';

const DONE: Readonly<Record<StepTerm['operation'], (amount: number) => string>> = {
  set: (amount) => `= ${shown(amount)}`,
  add: (amount) => (amount < 0 ? `− ${shown(-amount)}` : `+ ${shown(amount)}`),
  multiply: (amount) => `× ${shown(amount)}`,
  min: (amount) => `at least ${shown(amount)}`,
  max: (amount) => `at most ${shown(amount)}`,
};

/** The rules that fired, in order, with the score after each operation; the others by name. */
export function rulesText(rules: readonly RuleTerm[], look: Look): readonly string[] {
  const rows = rules.filter(({ state }) => state !== 'not_fired' && state !== 'not_asked').flatMap(rowsOf);
  const others = (state: RuleTerm['state'], said: string): readonly string[] => {
    const ids = rules.filter((rule) => rule.state === state).map(({ id }) => id);
    return ids.length === 0 ? [] : [wrap(`${said}: ${ids.join(', ')}`, look.columns, '  ')];
  };
  return [
    look.paint('strong', 'Rules'),
    ...columnsOf(rows, ['left', 'left', 'point'], undefined, look),
    ...others('not_fired', 'not fired'),
    ...others('not_asked', 'not asked'),
  ];
}

/** A row for each operation of a rule, the first with its name and why it fired; a last one for a refusal. */
function rowsOf({ id, steps, when, reads, error, refusal }: RuleTerm): readonly Row[] {
  const rows = steps.map(({ operation, amount, score, from }) => ({
    cells: [DONE[operation](amount), shown(score)],
    why: from === undefined ? [] : [`from ${from}`],
  }));
  if (refusal)
    rows.push({ cells: ['', ''], why: [error === undefined ? 'refused: its factor is 0' : `failed: ${error}`] });
  const because = [...(when === undefined ? [] : [when]), ...readsText(reads)];
  return rows.map(({ cells, why }, k) => ({
    cells: [k === 0 ? id : '', ...cells],
    why: k === 0 ? [...why, ...because] : why,
  }));
}
