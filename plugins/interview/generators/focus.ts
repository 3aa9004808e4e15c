import { type Focus, z } from '../../../src/sdk.js';
import type { RecentNode } from '../turn/recent-nodes.js';

const PLACEHOLDER = /\{(\w+)\}/g;

/** A param that is a text with placeholders in braces, of the given ones: `'Deepen: {label}'`. */
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

/** Replaces the placeholders of a text; unknown ones stay. */
export const fillTemplate = (text: string, blanks: Readonly<Record<string, string>>): string =>
  text.replaceAll(PLACEHOLDER, (whole, blank: string) =>
    Object.hasOwn(blanks, blank) ? (blanks[blank] ?? '') : whole,
  );

/** A param that is a confidence, 0 to 1. */
export const confidenceParam = (fallback: number) =>
  z.number().min(0).max(1).default(fallback).describe('How sure it is that this is worth asking, 0 to 1.');

/** A param that is the type of a focus, any text. */
export const focusTypeParam = (fallback: string) =>
  z.string().default(fallback).describe('The type of the focus, for the step that words the question.');

/** A param that is the focus to give where there is no node; without it there is none. */
export const fallbackFocusParam = z
  .strictObject({ text: templateParam([], ''), confidence: confidenceParam(0.5) })
  .optional()
  .describe('The open focus where there is no node to point at; none when not said.');

/** A focus on nothing in particular. */
export const openFocus = (type: string, text: string, confidence: number): Focus => ({
  key: 'open',
  focus_type: type,
  focus_description: text,
  confidence,
});

/** The params of a generator of a focus on one node, with their defaults. */
export const nodeFocusParams = (type: string, text: string, confidence: number) =>
  z.strictObject({
    focus_type: focusTypeParam(type),
    text: templateParam(['label', 'id'], text),
    label: z.string().default('topic').describe('How a node without a label is called.'),
    confidence: confidenceParam(confidence),
    otherwise: fallbackFocusParam,
  });

/** A focus on a node; without a node the open focus of the params, where they have one. */
export function nodeFocus(
  node: RecentNode | undefined,
  params: z.output<ReturnType<typeof nodeFocusParams>>,
): readonly Focus[] {
  const { focus_type: type, text, otherwise: fallback } = params;
  if (node?.id === undefined) return fallback ? [openFocus(type, fallback.text, fallback.confidence)] : [];
  const { id, label = params.label } = node;
  return [
    {
      key: id,
      focus_type: type,
      node_id: id,
      focus_description: fillTemplate(text, { label, id }),
      confidence: params.confidence,
    },
  ];
}
