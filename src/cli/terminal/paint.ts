import { styleText } from 'node:util';
import type { ExplanationTextOptions } from '../../explain/text.js';
import type { Output } from './io.js';

type Style = Parameters<typeof styleText>[0];

/** Gives a text a style, or leaves it as it is where there is no colour. */
export type Paint = (style: Style, text: string) => string;

// Newer versions of Node ask the standard output about colour on their own; whether there is any is already decided.
const always: object = { validateStream: false };

export const painter =
  (colour: boolean): Paint =>
  (style, text) =>
    colour && text !== '' ? styleText(style, text, always) : text;

/** How the engine's own texts look on an output. */
export function lookOf({ columns, colour }: Output): Required<ExplanationTextOptions> {
  const style = painter(colour);
  return { columns, paint: (as, text) => style(as === 'strong' ? 'bold' : 'dim', text) };
}
