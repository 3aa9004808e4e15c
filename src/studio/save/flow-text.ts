import type { JsonData } from './data-edit.js';

/** How a text writes values. */
export type WriteValue = (value: JsonData) => string;

/** How a file writes values: one that is JSON stays JSON. */
export function writerOf(text: string): WriteValue {
  try {
    JSON.parse(text);
    return JSON.stringify;
  } catch {
    return flowText;
  }
}

/** Texts that YAML reads as themselves, without quotes. */
const PLAIN = /^[A-Za-z_][\w-]*$/;
/** Words that YAML, or older versions of it, reads as something else. */
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** A value on one line, as a person writes it in YAML: `{ id: fresh, weight: 0.3 }`. */
export function flowText(value: JsonData): string {
  if (typeof value === 'string') return PLAIN.test(value) && !WORDS.test(value) ? value : JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly JsonData[]).map(flowText).join(', ')}]`;
  const entries = Object.entries(value).map(([key, inner]) => `${flowText(key)}: ${flowText(inner)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}
