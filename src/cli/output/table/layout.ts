/** How wide everything in a ranking's table would like to be. */
export interface Wishes {
  readonly columns: number;
  /** The columns that can't give way: rank, score, on how many it was scored. */
  readonly fixed: readonly number[];
  readonly id: number;
  /** Each scorer's column: its name, and its numbers. */
  readonly scorers: readonly { readonly name: number; readonly values: number }[];
  readonly bars: boolean;
}

/** How wide it gets. */
export interface Layout {
  readonly gap: number;
  readonly id: number;
  /** 0 for no bar. */
  readonly bar: number;
  /** The widths of the scorers' columns that are shown. */
  readonly scorers: readonly number[];
}

/** The most that each part takes. */
interface Shape {
  gap: number;
  id: number;
  /** Of a scorer's name. */
  name: number;
  /** How many scorers have a column. */
  shown: number;
}

const GAP = 2;
const LONGEST_ID = 48;
const BAR = { least: 5, most: 16 };

/** What gives way where there is too little room, and how far, in this order. */
const GIVES_WAY: readonly [part: keyof Shape, least: number][] = [
  ['name', 7],
  ['id', 32],
  ['name', 5],
  ['gap', 1],
  ['id', 24],
  ['shown', 0],
  ['id', 8],
];

/** Fits a table into its place; a bar takes what is left over. */
export function layOut({ columns, fixed, id, scorers, bars }: Wishes): Layout {
  const most = { name: Math.max(0, ...scorers.map(({ name }) => name)), id: Math.min(id, LONGEST_ID) };
  const widths = ({ name, shown }: Shape) =>
    scorers.slice(0, shown).map((scorer) => Math.max(scorer.values, Math.min(scorer.name, name)));
  const spare = (shape: Shape): number => {
    const all = [...fixed, shape.id, ...widths(shape)];
    return columns - all.reduce((sum, width) => sum + width + shape.gap, -shape.gap);
  };

  const shape: Shape = { ...most, gap: GAP, shown: scorers.length };
  for (const [part, least] of GIVES_WAY) while (spare(shape) < 0 && shape[part] > least) shape[part] -= 1;
  // Giving way may have made more room than was needed.
  for (const part of ['name', 'id'] as const)
    while (shape[part] < most[part] && spare({ ...shape, [part]: shape[part] + 1 }) >= 0) shape[part] += 1;

  const bar = Math.min(BAR.most, spare(shape) - 1);
  return { gap: shape.gap, id: shape.id, bar: bars && bar >= BAR.least ? bar : 0, scorers: widths(shape) };
}
