/** Some of the values of a column. */
export interface Piece {
  /** The row of its first value. */
  readonly from: number;
  readonly values: ArrayLike<unknown>;
}

type TypedArrayClass = new (
  length: number,
) => ArrayLike<unknown> & { set(values: ArrayLike<unknown>, at: number): void };

/**
 * The values of the rows from one to before another, in one array.
 *
 * @throws Error where the pieces have fewer
 */
export function joinPieces(name: string, pieces: readonly Piece[], from: number, to: number): ArrayLike<unknown> {
  const length = to - from;
  const [only] = pieces;
  if (only && pieces.length === 1 && only.from === from && only.values.length === length) return only.values;
  const joined = emptyLike(pieces, length);
  let done = from;
  for (const { from: start, values } of pieces.toSorted((a, b) => a.from - b.from)) {
    const end = Math.min(to, start + values.length);
    for (let row = Math.max(from, start); row < end; row++) joined[row - from] = values[row - start];
    if (start <= done) done = Math.max(done, end);
  }
  if (done < to) throw new Error(`column ${name} has ${done - from} of ${length} rows`);
  return joined;
}

/** An array of the type that all pieces have; a list where they differ. */
function emptyLike(pieces: readonly Piece[], length: number): { [index: number]: unknown; readonly length: number } {
  const [first] = pieces;
  const type: unknown = first?.values.constructor;
  const isTyped = ArrayBuffer.isView(first?.values) && pieces.every(({ values }) => values.constructor === type);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the class of a typed array
  if (isTyped) return new (type as TypedArrayClass)(length);
  const list: unknown[] = [];
  list.length = length;
  return list;
}
