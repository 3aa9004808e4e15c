/** The key of a date in JSON, with its milliseconds. A date written as text would be another value, and change the ranking. */
export const DATE = '$assize:date';

/** Reads the text that `jsonText` wrote. */
export const readJsonText = (text: string): unknown =>
  text.includes(`{"${DATE}":`) ? JSON.parse(text, readDate) : JSON.parse(text);

function readDate(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, DATE)) return value;
  const millis: unknown = Reflect.get(value, DATE);
  return typeof millis === 'number' ? new Date(millis) : value;
}
