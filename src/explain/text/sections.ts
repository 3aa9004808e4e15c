import { escapeInvisible, type RenderOptions, type TextStyler, wrap, wrapToLines } from '../../text/index.js';

/** How the text of an explanation looks. */
export interface ExplanationTextOptions {
  /** The width of a line in terminal columns; 80 when not given. */
  readonly columns?: number;
  /** Styles titles and heads; nothing is styled when not given. */
  readonly paint?: TextStyler;
}

/** Leaves a text as it is. */
export const unstyled: TextStyler = (_, text) => text;

/** The options with their defaults. */
export const renderOptions = ({ columns = 80, paint = unstyled }: ExplanationTextOptions): RenderOptions => ({
  columns,
  paint,
});

/** A title, in as many lines as it takes. */
export const titleLines = (title: string, { columns, paint }: RenderOptions): readonly string[] =>
  wrapToLines(escapeInvisible(title), columns).map((line) => paint('strong', line));

/** Indented paragraphs. */
export const indented = (paragraphs: readonly string[], { columns }: RenderOptions): readonly string[] =>
  paragraphs.map((paragraph) => wrap(escapeInvisible(paragraph), columns, '  '));

/** Indented paragraphs under a title. */
export const section = (title: string, paragraphs: readonly string[], options: RenderOptions): readonly string[] => [
  ...titleLines(title, options),
  ...indented(paragraphs, options),
];

/** Sections with an empty line between them; those without lines are left out. */
export const joinSections = (sections: readonly (readonly string[])[]): string =>
  `${sections
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
