/** The name of a position in the input, counted from 0: `@3`. It is the id of a candidate without one. */
export const positionName = (index: number): string => `@${index}`;

/** The name of a candidate that shares its id with others: `widget (@3)`. */
export const nameWithPosition = (id: string, index: number): string =>
  index < 0 ? id : `${id} (${positionName(index)})`;

/** The parts of a name with a position: `@3` or `widget (@3)`; undefined for any other name. */
export function parseName(name: string): { readonly id: string | undefined; readonly index: number } | undefined {
  const [, alone, id, behind] = /^@(\d+)$|^(.+) \(@(\d+)\)$/s.exec(name) ?? [];
  const digits = alone ?? behind;
  return digits === undefined ? undefined : { id, index: Number(digits) };
}
