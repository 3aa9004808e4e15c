/**
 * The static type of a value. Absence is not a type: any read of data may be absent. A `date` is a field that the data says
 * is one: it takes part in arithmetic as a number of milliseconds.
 */
export type CelType = 'number' | 'string' | 'bool' | 'null' | 'list' | 'map' | 'date' | 'dyn';

/** The type in a message, with its article. */
export const describeType = (type: CelType): string => {
  if (type === 'dyn') return 'anything';
  if (type === 'null') return 'null';
  return `a ${type}`;
};

/** The type of a value that is of one of two types. */
export const joinTypes = (a: CelType, b: CelType): CelType => (a === b ? a : 'dyn');

/** Whether a value of a type may be of one of the wanted ones. */
export const isAssignable = (type: CelType, ...wanted: readonly CelType[]): boolean =>
  type === 'dyn' ||
  wanted.includes('dyn') ||
  wanted.includes(type) ||
  (type === 'date' && wanted.includes('number')) ||
  (type === 'number' && wanted.includes('date'));
