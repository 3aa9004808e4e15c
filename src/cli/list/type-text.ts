import { isMap } from '../../expression/plain-data.js';

type ParamSchema = Readonly<Record<string, unknown>>;

const NAMES: Readonly<Record<string, string>> = { string: 'text', integer: 'whole number', boolean: 'true or false' };

/** The type of a JSON Schema in words: `text`, `path or list of path`, `{ type: window, max_age: duration }`. */
export function typeText(schema: unknown): string {
  if (!isMap(schema)) return 'anything';
  const { title, const: constant, enum: values, type } = schema;
  if (typeof title === 'string') return title;
  if (constant !== undefined) return valueText(constant);
  if (Array.isArray(values)) return either(values.map(valueText));
  const others = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(others)) return either(others.map(typeText));
  if (Array.isArray(type)) return either(type.map((one) => typeText({ type: one as unknown })));
  if (type === 'array') return `list of ${parenthesized(typeText(schema['items']))}`;
  if (type === 'object') return objectText(schema);
  return typeof type === 'string' ? (NAMES[type] ?? type) + boundsText(schema) : 'anything';
}

/** A value as YAML: a plain scalar where it is one without quotes, else JSON. */
export const valueText = (value: unknown): string =>
  typeof value === 'string' && /^[\w./-]+$/.test(value) ? value : JSON.stringify(value);

const either = (parts: readonly string[]): string => [...new Set(parts)].join(' or ');

const parenthesized = (text: string): string => (text.includes(' or ') ? `(${text})` : text);

function objectText({ properties, required, additionalProperties }: ParamSchema): string {
  if (!isMap(properties) || Object.keys(properties).length === 0) {
    return isMap(additionalProperties) && Object.keys(additionalProperties).length > 0
      ? `map of ${parenthesized(typeText(additionalProperties))}`
      : 'map';
  }
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const parts = Object.entries(properties).map(
    ([key, value]) => `${key}${needed.includes(key) ? '' : '?'}: ${typeText(value)}`,
  );
  return `{ ${parts.join(', ')} }`;
}

/** The bounds of a number, without those of the safe integers. */
function boundsText({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: ParamSchema): string {
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  const least = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum;
  if (typeof least === 'number' && typeof most === 'number') return ` from ${least} to ${most}`;
  const parts = [
    typeof least === 'number' ? `of at least ${least}` : '',
    typeof exclusiveMinimum === 'number' && Number.isSafeInteger(exclusiveMinimum) ? `above ${exclusiveMinimum}` : '',
    typeof most === 'number' ? `up to ${most}` : '',
    typeof exclusiveMaximum === 'number' && Number.isSafeInteger(exclusiveMaximum) ? `below ${exclusiveMaximum}` : '',
  ].filter((part) => part !== '');
  return parts.length > 0 ? ` ${parts.join(' and ')}` : '';
}
