import type { Columns } from '../../data/index.js';
import { callsClosure, MOST_COMPARED, type RowFormula, type RowText, type TextNames } from '../../expression/index.js';
import type { CandidateAt } from '../candidates.js';
import { OPERATION_TEXTS } from './combine-methods.js';
import { loopOrPlain, LoopText } from './loop-text.js';

/** A rule as a loop applies it. */
export interface LoopRule {
  /** Its condition; undefined if it always applies. */
  readonly when: RowFormula | undefined;
  /** Whether it refuses the candidate. Its functions then throw. */
  readonly refuses: boolean;
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
 * @param table columns of the kinds that the loop reads, if candidates are stored by column
 */
export const makeRuleLoop = (rules: readonly LoopRule[], codegen: boolean, table: Columns | undefined): RuleLoop =>
  loopOrPlain(
    codegen,
    () => generateRuleLoop(rules, table),
    () => plainLoop,
  );

function generateRuleLoop(rules: readonly LoopRule[], table: Columns | undefined): RuleLoop {
  const loop = new LoopText('K[j]', 'j', table);
  const texts = rules.map((rule, k) => {
    const call = `t${k + 1}=k.apply(${k},t${k},${loop.candidate},j);`;
    return ruleText(loop, rule, k, NO_SCORES, call) ?? `const ${call}`;
  });
  const body = `const K=k.kept,X=k.verdicts,T=k.totals;let j=b;
for(;;) try { for(;j<e;j++) { if(X[K[j]]!==0) continue; ${loop.start} const t0=T[j]; ${texts.join('\n')} T[j]=t${rules.length}; } break; }
catch (x) { k.applyAll(j); j++; }`;
  return loop.make(['k', 'b', 'e'], body);
}

const NO_SCORES: ReadonlyMap<string, string> = new Map();

/**
 * The text that applies rules to the score in the variable `t`: NaN if a rule's functions must decide. Undefined if a rule
 * has no text.
 *
 * @param scores the variables of scores, by the name in expressions
 */
export function rulesText(
  loop: LoopText,
  rules: readonly LoopRule[],
  scores: ReadonlyMap<string, string>,
): string | undefined {
  const leave = loop.names.fresh();
  const texts = rules.map((rule, k) => ruleText(loop, rule, k, scores, `break ${leave};`));
  if (!texts.every((text) => text !== undefined)) return undefined;
  return `if(t-t===0){const t0=t;t=NaN;${leave}:{${texts.join('\n')}t=t${rules.length};}}`;
}

/**
 * The text that applies rule `k` to the score in the variable `t` and its number; undefined if a part of it has no text.
 *
 * @param otherwise the statement if the rule's functions must decide
 */
function ruleText(
  loop: LoopText,
  { when, refuses, steps }: LoopRule,
  k: number,
  scores: ReadonlyMap<string, string>,
  otherwise: string,
): string | undefined {
  const { row, names } = loop;
  const locals = new Map([...scores, ['score', `t${k}`]]);
  const [done, unsure] = [names.fresh(), names.fresh()];
  // The amounts are computed before the condition, so they must not throw.
  if (when && steps.some(({ amount }) => mayThrow(amount))) return undefined;
  const test = when
    ? row.test({ ...when, locals }, refuses ? `break ${unsure};` : '', `break ${done};`, `break ${unsure};`)
    : '';
  if (test === undefined) return undefined;
  let score = `t${k}`;
  const amounts: string[] = [];
  const isFinite: string[] = [];
  for (const { operation, amount } of steps) {
    const name = names.fresh();
    if (typeof amount === 'object' && 'table' in amount) {
      const found = tableText(row, names, amount, name, `break ${unsure};`);
      if (found === undefined) return undefined;
      amounts.push(found.text);
      score = `(${name}===${found.none}?${score}:${OPERATION_TEXTS[operation](`(${score})`, name)})`;
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
  return `${row.take()}let t${k + 1}=t${k};${done}:{${unsure}:{${text}} ${otherwise}}`;
}

const mayThrow = (amount: LoopStep['amount']): boolean =>
  typeof amount === 'object' && 'tree' in amount && callsClosure(amount.tree);

/** The text that looks up an amount in the variable `name`, and its value if the rule has no effect. */
function tableText(
  row: RowText,
  names: TextNames,
  table: LoopTable,
  name: string,
  unsure: string,
): { readonly text: string; readonly none: string } | undefined {
  const [by, ...others] = table.by;
  const single = by && others.length === 0 ? row.perValue(by, (value) => amountFor(table, value)) : undefined;
  if (single !== undefined) return { text: `const ${name}=${single};if(${name}!==${name})${unsure}`, none: 'Infinity' };
  const values = table.by.map((key) => row.read(key));
  if (!values.every((value) => value !== undefined)) return undefined;
  let text = `${name}=typeof ${name}==='number'?${name}:${table.missing ?? 'undefined'};${table.zeroRefuses ? `if(${name}===0)${unsure}` : ''}`;
  for (const [level, value] of [...values.entries()].toReversed()) {
    const own = level === 0 && values.length === 1 ? shortTable(table.table) : undefined;
    // An absent key has no effect; one that is not a text is converted by the rule's function.
    const found = own
      ? `${own.map(([key, amount]) => `${value}===${names.slot(key)}?${names.slot(amount)}:`).join('')}undefined`
      : `${name} instanceof Map?${name}.get(${value}):undefined`;
    text = `if(typeof ${value}==='string'){${name}=${found};${text}}else if(${value}===undefined||${value}===null)${name}=undefined;else ${unsure}`;
  }
  return { text: `let ${name}=${names.slot(table.table)};${text}`, none: 'undefined' };
}

/** The amount for the value of the only key; Infinity if the rule has no effect, NaN if its functions must decide. */
function amountFor({ table, missing, zeroRefuses }: LoopTable, value: unknown): number {
  if (value === undefined || value === null) return Number.POSITIVE_INFINITY;
  if (typeof value !== 'string') return Number.NaN;
  const found = table.get(value);
  const amount = typeof found === 'number' ? found : missing;
  if (amount === undefined) return Number.POSITIVE_INFINITY;
  return Number.isFinite(amount) && !(zeroRefuses && amount === 0) ? amount : Number.NaN;
}

/** The entries of a table with few numbers, which are compared one by one. */
function shortTable(table: ReadonlyMap<string, unknown>): readonly (readonly [string, number])[] | undefined {
  if (table.size > MOST_COMPARED) return undefined;
  const entries = [...table].filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  return entries.length === table.size ? entries : undefined;
}
