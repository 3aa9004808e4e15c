import { type Focus, z } from '../../../src/sdk.js';

const PLACEHOLDER = /\{(\w+)\}/g;

/** A param that is a text with blanks in braces, of those that there are: `'Deepen: {label}'`. */
export const templateParam = (blanks: readonly string[], fallback: string) => {
  const known = blanks.map((blank) => `{${blank}}`).join(', ') || 'no blanks';
  return z
    .string()
    .refine((text) => [...text.matchAll(PLACEHOLDER)].every(([, blank = '']) => blanks.includes(blank)), {
      error: `expected a text with ${known}`,
    })
    .default(fallback)
    .describe(`The focus in words, with ${known}: scorers read it.`);
};

/** Fills the blanks of a text. */
export const fillTemplate = (text: string, blanks: Readonly<Record<string, string>>): string =>
  text.replaceAll(PLACEHOLDER, (whole, blank: string) =>
    Object.hasOwn(blanks, blank) ? (blanks[blank] ?? '') : whole,
  );

export const confidenceParam = (fallback: number) =>
  z.number().min(0).max(1).default(fallback).describe('How sure it is that this is worth asking, 0 to 1.');

export const focusTypeParam = (fallback: string) =>
  z.string().default(fallback).describe('What kind of focus it is, for whoever words the question.');

/** A param that says what is asked about where there is nothing to point at; without it there is no focus then. */
export const fallbackFocusParam = z
  .strictObject({ text: templateParam([], ''), confidence: confidenceParam(0.5) })
  .optional()
  .describe('The open focus where there is no node to point at; none when not said.');

/** A focus on nothing in particular. */
export const openFocus = (type: string, text: string, sure: number): Focus => ({
  key: 'open',
  focus_type: type,
  focus_description: text,
  confidence: sure,
});
