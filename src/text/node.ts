/**
 * What of this room needs Node: the exact width of text in any script.
 *
 * @module
 */
import { createRequire } from 'node:module';
import { approximateWidth, type StringWidth, useStringWidth } from './wrap.js';

/** The package `string-width`; an approximation in a program that was bundled without it. */
function loadStringWidth(): StringWidth {
  try {
    const require = createRequire(import.meta.url);
    const { default: width }: { readonly default: StringWidth } = require('string-width');
    return width;
  } catch {
    return approximateWidth;
  }
}

/**
 * Measures text by the package `string-width`, which is loaded with the first text that is not narrow: loading takes
 * 25 ms. By `require`, because the callers are synchronous.
 */
export function usePackageStringWidth(): void {
  useStringWidth((text) => {
    const width = loadStringWidth();
    useStringWidth(width);
    return width(text);
  });
}
