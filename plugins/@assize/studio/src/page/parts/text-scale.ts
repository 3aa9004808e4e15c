/** The size of text in the styles, in pixels. */
const USUAL = 14;

/** How many times the text is as large as usual: 2 if a person chose twice the size in the browser. */
export const textScale = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / USUAL || 1;
