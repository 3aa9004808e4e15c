import { styleText } from 'node:util';
import type { RenderOptions, TextStyler } from '../../text/table.js';
import type { Output } from './io.js';

type NodeTextStyle = Parameters<typeof styleText>[0];
/** The styles of texts that are made elsewhere, and those of Node. */
type TextStyle = Parameters<TextStyler>[0] | NodeTextStyle;

/** Gives a text a style, or leaves it as it is where there is no colour. */
export type Styler = (style: TextStyle, text: string) => string;

// Newer versions of Node ask the standard output about colour on their own; whether there is any is already decided.
const STYLE_ALWAYS: object = { validateStream: false };

const nodeStyle = (style: TextStyle): NodeTextStyle =>
  style === 'strong' ? 'bold' : style === 'faint' ? 'dim' : style;

export const createStyler =
  (colour: boolean): Styler =>
  (style, text) =>
    colour && text !== '' ? styleText(nodeStyle(style), text, STYLE_ALWAYS) : text;

/** The width and the look of explanations on an output. */
export const explanationStyle = ({ columns, colour }: Output): RenderOptions => ({
  columns,
  paint: createStyler(colour),
});
