/** A candidate among several with its id: `widget (#3)`. */
export const nameWithPosition = (id: string, index: number): string => (index < 0 ? id : `${id} (#${index})`);

/** The parts of a name with a position: `#3` or `widget (#3)`; undefined where it has none. */
export function parseName(name: string): { readonly id: string | undefined; readonly index: number } | undefined {
  const [, alone, id, behind] = /^#(\d+)$|^(.+) \(#(\d+)\)$/s.exec(name) ?? [];
  const digits = alone ?? behind;
  return digits === undefined ? undefined : { id, index: Number(digits) };
}
