import * as pack from '../../../plugins/cupel/index.js';
import type { Expression } from '../../../src/expression/expression.js';
import {
  type Child,
  type CostedRow,
  type ExpressionParam,
  type SelectorFunction,
  type SelectorLimits,
  type SelectorResult,
  type SelectorRun,
} from '../../../src/sdk.js';

/** A selector of the pack as a profile names it. */
export interface SelectorUse {
  readonly class: string;
  readonly params?: unknown;
}

/** What a selector is asked with besides its score and cost. */
export type Row = Partial<CostedRow> & { readonly score: number; readonly cost: number };

const abort = new AbortController().signal;

/** A selector made without the engine: asked with rows in any order, and with any limits. */
export async function selectorOf({ class: name, params = {} }: SelectorUse): Promise<SelectorFunction> {
  const unit = Object.entries(pack).find(([key]) => key === name)?.[1];
  if (unit?.meta.kind !== 'selector') throw new Error(`the pack has no selector ${name}`);
  const inner = new Map<Child, SelectorFunction>();
  const parsed: unknown = unit.meta.params.parse(params);
  const held: unknown = typeof parsed === 'object' && parsed && 'inner' in parsed ? parsed.inner : undefined;
  if (held) inner.set(held as Child, await selectorOf((held as Child).spec as SelectorUse));
  const run: SelectorRun = {
    now: 0,
    context: {},
    signals: {},
    abort,
    selector: (child) => inner.get(child)!,
    expression: (expression: ExpressionParam) => (expression as Expression).bind({}),
  };
  const instance = new (unit as new () => { prepare(params: unknown, run: SelectorRun): SelectorFunction })();
  return instance.prepare(parsed, run);
}

/** Rows with what they lack: an index and an id by their position, and a candidate. */
export const rowsOf = (rows: readonly Row[]): CostedRow[] =>
  rows.map((row, index) => ({ id: `r${index}`, index, candidate: {}, pinned: false, ...row }));

/** What a selector makes of rows. */
export async function selectWith(
  use: SelectorUse,
  rows: readonly CostedRow[],
  limits: SelectorLimits,
): Promise<SelectorResult> {
  return (await selectorOf(use))(rows, limits);
}
