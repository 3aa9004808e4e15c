import {
  type CostedRow,
  expression,
  type Score,
  type SelectorNotSelected,
  type SelectorResult,
  z,
} from '../../src/unit-sdk.js';
import { foldAscii } from './absolute-scorers.js';

/** The rows that compete for room. The limits already exclude the cost of the pinned rows. */
export const unpinnedRows = (rows: readonly CostedRow[]): readonly CostedRow[] => rows.filter((row) => !row.pinned);

/** The pinned rows, which are always selected. */
export const pinnedRows = (rows: readonly CostedRow[]): readonly CostedRow[] => rows.filter((row) => row.pinned);

/** Rejects every row because there is no room, including rows without cost. */
export const leaveOutAll = (rows: readonly CostedRow[]): SelectorResult => ({
  kept: [],
  left: rows.map(({ index }): SelectorNotSelected => ({ index, reason: 'no_budget' })),
});

/** Selects only the pinned rows, because there is no room. */
export const packNothing = (rows: readonly CostedRow[]): SelectorResult => ({
  ...leaveOutAll(unpinnedRows(rows)),
  kept: pinnedRows(rows),
});

/** Rows by falling score; equal scores keep their order. */
export const bestFirst = (rows: readonly CostedRow[]): CostedRow[] => rows.toSorted((a, b) => b.score - a.score);

export const totalCost = (rows: readonly CostedRow[]): number => rows.reduce((sum, { cost }) => sum + cost, 0);

/**
 * The key of a kind, ignoring ASCII case: a text as it is, other values as JSON. All rows without a kind share one key.
 */
export function kindKey(kind: unknown): string {
  const isMissing = kind === undefined || kind === null;
  return isMissing ? '\0' : foldAscii(kindName(kind)); // '\0' differs from every kind in a profile
}

/** The rows of one kind, in order. */
export interface KindGroup {
  /** The kind as the first row spells it. */
  readonly name: string;
  readonly rows: CostedRow[];
}

/** Groups rows by kind, in the order of the first row of each. */
export function groupByKind(
  rows: readonly CostedRow[],
  kindOf: Score<unknown, unknown>,
): ReadonlyMap<string, KindGroup> {
  const groups = new Map<string, KindGroup>();
  for (const row of rows) {
    const kind = kindOf(row.candidate, row.index);
    const key = kindKey(kind);
    const group = groups.get(key);
    if (group) group.rows.push(row);
    else groups.set(key, { name: kindName(kind), rows: [row] });
  }
  return groups;
}

const kindName = (kind: unknown): string =>
  kind === undefined || kind === null ? 'none' : typeof kind === 'string' ? kind : JSON.stringify(kind);

/** The param for the path to the kind of a row. */
export const byParam = () =>
  expression().prefault('candidate.kind').describe('The path to the kind of a row, which selects its rule.');

/** The requirement and the cap of a kind; no limit without `cap`. */
export interface KindRule {
  readonly kind: string;
  readonly require: number;
  readonly cap?: number | undefined;
}

/**
 * A list of at least one rule. No rule may require more than its cap, and no kind may have two rules, ignoring ASCII
 * case.
 */
export const kindRules = <S extends z.ZodType<KindRule>>(rule: S) =>
  z
    .array(rule)
    .min(1)
    .superRefine((rules: readonly KindRule[], ctx) => {
      const first = new Map<string, number>();
      for (const [index, { kind, require, cap }] of rules.entries()) {
        if (cap !== undefined && require > cap) {
          const message = `require ${require} is more than cap ${cap}`;
          ctx.addIssue({ code: 'custom', path: [index, 'require'], message });
        }
        const key = kindKey(kind);
        const other = first.get(key);
        if (other === undefined) first.set(key, index);
        else {
          const message = `${kind} has a rule already, as ${rules[other]!.kind} in rule ${other}`;
          ctx.addIssue({ code: 'custom', path: [index, 'kind'], message });
        }
      }
    });

/** The param for the kind of a rule. */
export const kindParam = () =>
  z.string().regex(/\S/, 'expected a kind, which is not blank').describe('The kind that the rule applies to.');
