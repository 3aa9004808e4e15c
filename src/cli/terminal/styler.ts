import { styleText } from 'node:util';
import type { ExplanationTextOptions } from '../../explain/text/explanation-text.js';
import type { Output } from './io.js';

type TextStyle = Parameters<typeof styleText>[0];

/** Applies a style to a text; without colours it returns the text unchanged. */
export type Styler = (style: TextStyle, text: string) => string;

// Newer versions of Node would check standard output for colours themselves; `colour` has decided.
const STYLE_ALWAYS: object = { validateStream: false };

export const createStyler =
  (colour: boolean): Styler =>
  (style, text) =>
    colour && text !== '' ? styleText(style, text, STYLE_ALWAYS) : text;

/** The width and the styles of the engine's own texts on an output. */
export function explanationStyle({ columns, colour }: Output): Required<ExplanationTextOptions> {
  const style = createStyler(colour);
  return { columns, paint: (as, text) => style(as === 'strong' ? 'bold' : 'dim', text) };
}
