import { styleText } from 'node:util';
import type { RenderOptions, TextStyler } from '../../base/index.js';
import type { Output } from './io.js';

/** Some styles of Node, by name: programs without the types of Node read this declaration, too. */
type NodeTextStyle = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
/** The styles of explanations and tables, and those of Node. */
type TextStyle = Parameters<TextStyler>[0] | NodeTextStyle | NodeTextStyle[];

/** Applies a style to a text; without colours it returns the text unchanged. */
export type Styler = (style: TextStyle, text: string) => string;

// Newer versions of Node would check standard output for colours themselves, but `colour` already decides.
const STYLE_ALWAYS: object = { validateStream: false };

const nodeStyle = (style: TextStyle): NodeTextStyle | NodeTextStyle[] =>
  style === 'strong' ? 'bold' : style === 'faint' ? 'dim' : style;

export const createStyler =
  (colour: boolean): Styler =>
  (style, text) =>
    colour && text !== '' ? styleText(nodeStyle(style), text, STYLE_ALWAYS) : text;

/** The width and the styles of explanations on an output. */
export const explanationStyle = ({ columns, colour }: Output): RenderOptions => ({
  columns,
  paint: createStyler(colour),
});
