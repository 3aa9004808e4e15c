/** What is known of a value before it is there. Absence is no type: whatever reads data may be absent. */
export type CelType = 'number' | 'string' | 'bool' | 'null' | 'list' | 'map' | 'dyn';

/** The type in a message, with its article. */
export const describeType = (type: CelType): string => {
  if (type === 'dyn') return 'anything';
  if (type === 'null') return 'null';
  return `a ${type}`;
};

/** The type of what is one or the other. */
export const joinTypes = (a: CelType, b: CelType): CelType => (a === b ? a : 'dyn');

/** Whether a value of this type may turn out to be of one of those. */
export const isAssignable = (type: CelType, ...wanted: readonly CelType[]): boolean =>
  type === 'dyn' || wanted.includes('dyn') || wanted.includes(type);
