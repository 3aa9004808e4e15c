/** How wide everything in a ranking's table would like to be. */
export interface LayoutRequest {
  readonly columns: number;
  /** The columns that can't give way: rank, score, on how many it was scored. */
  readonly fixed: readonly number[];
  readonly id: number;
  /** Each scorer's column: its name, and its numbers. */
  readonly scorers: readonly { readonly name: number; readonly values: number }[];
  readonly bars: boolean;
}

/** How wide it gets. */
export interface TableLayout {
  readonly gap: number;
  readonly id: number;
  /** 0 for no bar. */
  readonly bar: number;
  /** The widths of the scorers' columns that are shown. */
  readonly scorers: readonly number[];
}

/** The most that each part takes. */
interface ColumnLimits {
  gap: number;
  id: number;
  /** Of a scorer's name. */
  name: number;
  /** How many scorers have a column. */
  shown: number;
}

const GAP = 2;
const MAX_ID_WIDTH = 48;
const BAR = { least: 5, most: 16 };

/** What gives way where there is too little room, and how far, in this order. */
const SHRINK_ORDER: readonly [part: keyof ColumnLimits, least: number][] = [
  ['name', 7],
  ['id', 32],
  ['name', 5],
  ['gap', 1],
  ['id', 24],
  ['shown', 0],
  ['id', 8],
];

/** Fits a table into its place; a bar takes what is left over. */
export function layOutTable({ columns, fixed, id, scorers, bars }: LayoutRequest): TableLayout {
  const most = { name: Math.max(0, ...scorers.map(({ name }) => name)), id: Math.min(id, MAX_ID_WIDTH) };
  const widths = ({ name, shown }: ColumnLimits) =>
    scorers.slice(0, shown).map((scorer) => Math.max(scorer.values, Math.min(scorer.name, name)));
  const spare = (shape: ColumnLimits): number => {
    const all = [...fixed, shape.id, ...widths(shape)];
    return columns - all.reduce((sum, width) => sum + width + shape.gap, -shape.gap);
  };

  const shape: ColumnLimits = { ...most, gap: GAP, shown: scorers.length };
  for (const [part, least] of SHRINK_ORDER) while (spare(shape) < 0 && shape[part] > least) shape[part] -= 1;
  // Giving way may have made more room than was needed.
  for (const part of ['name', 'id'] as const)
    while (shape[part] < most[part] && spare({ ...shape, [part]: shape[part] + 1 }) >= 0) shape[part] += 1;

  const bar = Math.min(BAR.most, spare(shape) - 1);
  return { gap: shape.gap, id: shape.id, bar: bars && bar >= BAR.least ? bar : 0, scorers: widths(shape) };
}
