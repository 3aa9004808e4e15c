const MAX_QUOTED_LENGTH = 24;

/** Whether a value can have fields or elements: a map, a list, any other object. */
export const isObject = (value: unknown): value is Readonly<Record<string | number, unknown>> =>
  typeof value === 'object' && value !== null;

/** Describes a value in a message: its type and, if it is short, the value itself. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return 'nothing';
    case 'string':
      return `the string ${JSON.stringify(value.length > MAX_QUOTED_LENGTH ? `${value.slice(0, MAX_QUOTED_LENGTH)}…` : value)}`;
    case 'number':
      return `the number ${value}`;
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return 'a list';
      if (value instanceof Promise) return 'a promise';
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : 'a Date';
      return 'a map';
    default:
      return `a ${typeof value}`;
  }
}
