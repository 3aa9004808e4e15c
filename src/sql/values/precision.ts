/**
 * What a library's exp, ln, log2 or pow may miss the engine's by, relative to the result: 64 units in the last place.
 * V8's are within one of the true value, those of glibc and Java within one, a quotient of two logarithms within four.
 */
export const LIBRARY = 2 ** -46;
/** What rounding may add where two sides round different numbers: one unit in the last place, and one of the least. */
export const ROUNDING = 2 ** -51;
export const TINY = 1e-300;
/** A result of a greater magnitude is odd, long before it overflows. */
export const LIMIT = 1e250;
/** Between these, exp neither overflows nor vanishes. */
export const EXP_LIMIT = 600;
