/** The widths that the parts of a ranking's table would have without a limit. */
export interface LayoutRequest {
  readonly columns: number;
  /** The columns that cannot shrink: rank, score, number of scorers. */
  readonly fixed: readonly number[];
  readonly id: number;
  /** Each scorer's column: its name, and its numbers. */
  readonly scorers: readonly { readonly name: number; readonly values: number }[];
  /** The ids of the rules; 0 where none is shown. */
  readonly rules: number;
  readonly bars: boolean;
}

/** The widths that fit. */
export interface TableLayout {
  readonly gap: number;
  readonly id: number;
  /** 0 for no bar. */
  readonly bar: number;
  readonly rules: number;
  /** The widths of the scorers' columns that are shown. */
  readonly scorers: readonly number[];
}

/** The maximum of each part. */
interface ColumnLimits {
  gap: number;
  id: number;
  rules: number;
  /** Of a scorer's name. */
  name: number;
  /** How many scorers have a column. */
  shown: number;
}

const GAP = 2;
const MAX_ID_WIDTH = 48;
const BAR = { least: 5, most: 16 };

/** Which part shrinks to which width, in this order, until the table fits. */
const SHRINK_ORDER: readonly [part: keyof ColumnLimits, least: number][] = [
  ['name', 7],
  ['rules', 12],
  ['id', 32],
  ['name', 5],
  ['gap', 1],
  ['id', 24],
  ['rules', 5],
  ['shown', 0],
  ['id', 8],
];

/** Fits a table into its width; the bar takes the rest. */
export function layOutTable({ columns, fixed, id, scorers, rules, bars }: LayoutRequest): TableLayout {
  const most = { name: Math.max(0, ...scorers.map(({ name }) => name)), id: Math.min(id, MAX_ID_WIDTH), rules };
  const widths = ({ name, shown }: ColumnLimits) =>
    scorers.slice(0, shown).map((scorer) => Math.max(scorer.values, Math.min(scorer.name, name)));
  const slack = (shape: ColumnLimits): number => {
    const all = [...fixed, shape.id, ...widths(shape), ...(rules > 0 ? [shape.rules] : [])];
    return columns - all.reduce((sum, width) => sum + width + shape.gap, -shape.gap);
  };

  const shape: ColumnLimits = { ...most, gap: GAP, shown: scorers.length };
  for (const [part, least] of SHRINK_ORDER) while (slack(shape) < 0 && shape[part] > least) shape[part] -= 1;
  // A step may have freed more than was needed.
  for (const part of ['name', 'id', 'rules'] as const)
    while (shape[part] < most[part] && slack({ ...shape, [part]: shape[part] + 1 }) >= 0) shape[part] += 1;

  const bar = Math.min(BAR.most, slack(shape) - 1);
  return {
    gap: shape.gap,
    id: shape.id,
    rules: shape.rules,
    bar: bars && bar >= BAR.least ? bar : 0,
    scorers: widths(shape),
  };
}
