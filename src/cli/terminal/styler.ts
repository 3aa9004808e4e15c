import { styleText } from 'node:util';
import type { ExplanationTextOptions } from '../../explain/text/explanation-text.js';
import type { Output } from './io.js';

type TextStyle = Parameters<typeof styleText>[0];

/** Gives a text a style, or leaves it is where there is no colour. */
export type Styler = (style: TextStyle, text: string) => string;

// Newer versions of Node ask the standard output about colour on their own; whether there is any is already decided.
const STYLE_ALWAYS: object = { validateStream: false };

export const createStyler =
  (colour: boolean): Styler =>
  (style, text) =>
    colour && text !== '' ? styleText(style, text, STYLE_ALWAYS) : text;

/** How the engine's own texts look on an output. */
export function explanationStyle({ columns, colour }: Output): Required<ExplanationTextOptions> {
  const style = createStyler(colour);
  return { columns, paint: (as, text) => style(as === 'strong' ? 'bold' : 'dim', text) };
}
