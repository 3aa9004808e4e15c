/**
 * The part of this module that needs Node: the exact width of text in any script.
 *
 * @module
 */
import { createRequire } from 'node:module';
import { approximateWidth, type StringWidth, useStringWidth } from './wrap.js';

/** The package `string-width`, or an approximation in a program that was bundled without the package. */
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
 * Measures text with the package `string-width`. It is loaded for the first text that is not narrow, because that takes
 * 25 ms, and with `require`, because the callers are synchronous.
 */
export function usePackageStringWidth(): void {
  useStringWidth((text) => {
    const width = loadStringWidth();
    useStringWidth(width);
    return width(text);
  });
}
