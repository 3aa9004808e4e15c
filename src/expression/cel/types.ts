/** What is known of a value before it is there. Absence is no type: whatever reads data may be absent. */
export type Type = 'number' | 'string' | 'bool' | 'null' | 'list' | 'map' | 'dyn';

/** The type in a message, with its article. */
export const describeType = (type: Type): string => {
  if (type === 'dyn') return 'anything';
  if (type === 'null') return 'null';
  return `a ${type}`;
};

/** The type of what is one or the other. */
export const either = (a: Type, b: Type): Type => (a === b ? a : 'dyn');

/** Whether a value of this type may turn out to be of one of those. */
export const mayBe = (type: Type, ...wanted: readonly Type[]): boolean =>
  type === 'dyn' || wanted.includes('dyn') || wanted.includes(type);
