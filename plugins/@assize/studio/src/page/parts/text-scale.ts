/** The size of text in the styles, in pixels. */
const USUAL = 14;

/** The size of text that a person chose in the browser, in pixels. */
export const textSize = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || USUAL;

/** How many times the text is as large as usual: 2 if a person chose twice the size in the browser. */
export const textScale = (): number => textSize() / USUAL;
