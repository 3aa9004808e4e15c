import type { Columns } from '../../data/index.js';
import { callsClosure, type RowFormula, type RowText, type TextNames } from '../../expression/index.js';
import type { CandidateAt } from '../candidates.js';
import { loopOrPlain, LoopText } from './loop-text.js';

/** A rule as a loop applies it. */
export interface LoopRule {
  /** Its condition; undefined if it always applies. */
  readonly when: RowFormula | undefined;
  /** Its operations, in order. */
  readonly steps: readonly LoopStep[];
}

interface LoopStep {
  readonly operation: keyof typeof OPERATION_TEXTS;
  readonly amount: number | RowFormula | LoopTable;
}

/** An amount that is looked up in nested maps, one key per level. */
export interface LoopTable {
  readonly table: ReadonlyMap<string, unknown>;
  readonly by: readonly RowFormula[];
  /** The amount without an entry; undefined if the rule then has no effect. */
  readonly missing: number | undefined;
  /** Whether an amount of 0 refuses the candidate. */
  readonly zeroRefuses: boolean;
}

/** The operations of `operations.ts` as text. */
const OPERATION_TEXTS = {
  set: (_score: string, amount: string) => amount,
  add: (score: string, amount: string) => `${score}+${amount}`,
  multiply: (score: string, amount: string) => `${score}*${amount}`,
  min: (score: string, amount: string) => `Math.max(${score},${amount})`,
  max: (score: string, amount: string) => `Math.min(${score},${amount})`,
} as const;

/** The input of the loop for one run. */
export interface RuleInput {
  readonly candidates: readonly unknown[];
  /** Reads candidates that are stored by column. */
  readonly at?: CandidateAt | undefined;
  /** The columns, if candidates are stored by column. */
  readonly table?: Columns | undefined;
  /** By row: the candidate's position. */
  readonly kept: Int32Array;
  /** By position: not 0 if the candidate is refused. Its row is left as it is. */
  readonly verdicts: Uint16Array;
  /** By row: the score before and after the rules. */
  readonly totals: Float64Array;
  /**
   * Applies one rule.
   *
   * @throws Error if the rule fails or refuses
   */
  readonly apply: (rule: number, score: number, candidate: unknown, row: number) => number;
  /** Applies all rules to a row, after one threw. */
  readonly applyAll: (row: number) => void;
}

/** Applies all rules to the rows `from` to `to`. */
export type RuleLoop = (input: RuleInput, from: number, to: number) => void;

const plainLoop: RuleLoop = ({ applyAll }, from, to) => {
  for (let row = from; row < to; row++) applyAll(row);
};

/**
 * Makes the loop that applies rules to rows, in order.
 *
 * @param rules undefined for a rule that only its function applies
 * @param table columns of the kinds that the loop reads, if candidates are stored by column
 */
export const makeRuleLoop = (
  rules: readonly (LoopRule | undefined)[],
  codegen: boolean,
  table: Columns | undefined,
): RuleLoop =>
  loopOrPlain(
    codegen,
    () => generateRuleLoop(rules, table),
    () => plainLoop,
  );

function generateRuleLoop(rules: readonly (LoopRule | undefined)[], table: Columns | undefined): RuleLoop {
  const loop = new LoopText('K[j]', 'j', table);
  const texts = rules.map((rule, k) => ruleText(loop, rule, k));
  const body = `const K=k.kept,X=k.verdicts,T=k.totals;let j=b;
for(;;) try { for(;j<e;j++) { if(X[K[j]]!==0) continue; ${loop.start} const t0=T[j]; ${texts.join('\n')} T[j]=t${rules.length}; } break; }
catch (x) { k.applyAll(j); j++; }`;
  return loop.make(['k', 'b', 'e'], body);
}

/** The text that applies rule `k` to the score in the variable `t` and its number. */
function ruleText(loop: LoopText, rule: LoopRule | undefined, k: number): string {
  const call = `t${k + 1}=k.apply(${k},t${k},${loop.candidate},j);`;
  const own = rule && ownText(loop, rule, k);
  if (own === undefined) return `const ${call}`;
  const { done, unsure, text } = own;
  return `${loop.row.take()}let t${k + 1}=t${k};${done}:{${unsure}:{${text}} ${call}}`;
}

/** The rule's own text; undefined if a part of it has none. */
function ownText({ row, names }: LoopText, { when, steps }: LoopRule, k: number) {
  const locals = new Map([['score', `t${k}`]]);
  const [done, unsure] = [names.fresh(), names.fresh()];
  // The amounts are computed before the condition, so they must not throw.
  if (when && steps.some(({ amount }) => mayThrow(amount))) return undefined;
  const test = when ? row.test({ ...when, locals }, '', `break ${done};`, `break ${unsure};`) : '';
  if (test === undefined) return undefined;
  let score = `t${k}`;
  const amounts: string[] = [];
  const isFinite: string[] = [];
  for (const { operation, amount } of steps) {
    const name = names.fresh();
    if (typeof amount === 'object' && 'table' in amount) {
      const found = tableText(row, names, amount, name, `break ${unsure};`);
      if (found === undefined) return undefined;
      amounts.push(found);
      score = `(${name}===undefined?${score}:${OPERATION_TEXTS[operation](`(${score})`, name)})`;
      continue;
    }
    const text = typeof amount === 'number' ? names.slot(amount) : row.number({ ...amount, locals });
    if (text === undefined) return undefined;
    amounts.push(`const ${name}=${text};`);
    isFinite.push(`${name}-${name}===0`);
    score = OPERATION_TEXTS[operation](`(${score})`, name);
  }
  const result = names.fresh();
  const isDone = [...isFinite, `${result}-${result}===0`].join('&&');
  const text = `${test}${amounts.join('')}const ${result}=${score};if(${isDone}){t${k + 1}=${result};break ${done};}`;
  return { done, unsure, text };
}

const mayThrow = (amount: LoopStep['amount']): boolean =>
  typeof amount === 'object' && 'tree' in amount && callsClosure(amount.tree);

/** The text that looks up an amount in the variable `name`: undefined if the rule has no effect. */
function tableText(row: RowText, names: TextNames, table: LoopTable, name: string, unsure: string): string | undefined {
  const values = table.by.map((by) => row.read(by));
  if (!values.every((value) => value !== undefined)) return undefined;
  let text = `${name}=typeof ${name}==='number'?${name}:${table.missing ?? 'undefined'};${table.zeroRefuses ? `if(${name}===0)${unsure}` : ''}`;
  for (const value of values.toReversed()) {
    // An absent key has no effect; one that is not a text is converted by the rule's function.
    text = `if(typeof ${value}==='string'){${name}=${name} instanceof Map?${name}.get(${value}):undefined;${text}}else if(${value}===undefined||${value}===null)${name}=undefined;else ${unsure}`;
  }
  return `let ${name}=${names.slot(table.table)};${text}`;
}
