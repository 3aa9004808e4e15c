import * as cupel from '../../../plugins/cupel/index.js';
import type { Expression } from '../../../src/expression/parse-expression.js';
import type {
  Child,
  CostedRow,
  ExpressionParam,
  SelectorFunction,
  SelectorLimits,
  SelectorResult,
  SelectorRun,
} from 'assize/sdk';

/** A selector of the plugin as named in a profile. */
export interface SelectorUse {
  readonly class: string;
  readonly params?: unknown;
}

/** A row for a selector: its score and cost, and other fields as needed. */
export type Row = Partial<CostedRow> & { readonly score: number; readonly cost: number };

const abort = new AbortController().signal;

/** Creates a selector without the engine, to be called with rows in any order and any limits. */
export async function selectorOf({ class: name, params = {} }: SelectorUse): Promise<SelectorFunction> {
  const unit = Object.entries(cupel).find(([key]) => key === name)?.[1];
  if (unit?.meta.kind !== 'selector') throw new Error(`the plugin has no selector ${name}`);
  const inner = new Map<Child, SelectorFunction>();
  const parsed: unknown = unit.meta.params.parse(params);
  const held: unknown = typeof parsed === 'object' && parsed && 'inner' in parsed ? parsed.inner : undefined;
  if (held) inner.set(held as Child, await selectorOf((held as Child).spec as SelectorUse));
  const run: SelectorRun = {
    now: 0,
    context: {},
    signals: {},
    abort,
    rows: [],
    selector: (child) => inner.get(child)!,
    expression: (expression: ExpressionParam) => (expression as Expression).bind({}),
  };
  const instance = new (unit as new () => { prepare(params: unknown, run: SelectorRun): SelectorFunction })();
  return instance.prepare(parsed, run);
}

/** Completes rows: an index and an id by position, and a candidate. */
export const rowsOf = (rows: readonly Row[]): CostedRow[] =>
  rows.map((row, index) => ({ id: `r${index}`, index, candidate: {}, pinned: false, ...row }));

/** The result of a selector on rows. */
export async function selectWith(
  use: SelectorUse,
  rows: readonly CostedRow[],
  limits: SelectorLimits,
): Promise<SelectorResult> {
  return (await selectorOf(use))(rows, limits);
}
