/** A node of a compiled expression that gives an `R`. */
export type Closure<R> = (candidate: unknown, index: number) => R;

const functionText = new WeakMap<Closure<unknown>, object>();

const callThrough =
  <R>(operand: Closure<R>): Closure<R> =>
  (candidate, index) =>
    operand(candidate, index);

/**
 * Keeps equal function texts apart: V8 does not inline a function text directly into itself, so an operand of the text
 * that it is to be an operand of is called through another text.
 */
const avoidSelfInlining = <R>(text: object, operand: Closure<R>): Closure<R> =>
  functionText.get(operand) === text ? callThrough(operand) : operand;

function markText<R>(text: object, made: Closure<R>): Closure<R> {
  functionText.set(made, text);
  return made;
}

/**
 * Makes a node of one operand, inlinable into its like.
 *
 * @param text what stands for the text of the function that `make` makes
 */
export const unaryClosure = <A, R>(
  make: (a: Closure<A>) => Closure<R>,
  a: Closure<A>,
  text: object = make,
): Closure<R> => markText(text, make(avoidSelfInlining(text, a)));

/** Makes a node of two operands, inlinable into its like. */
export const binaryClosure = <A, B, R>(
  make: (a: Closure<A>, b: Closure<B>) => Closure<R>,
  a: Closure<A>,
  b: Closure<B>,
  text: object = make,
): Closure<R> => markText(text, make(avoidSelfInlining(text, a), avoidSelfInlining(text, b)));

/** Makes a node of three operands, inlinable into its like. */
export const ternaryClosure = <A, B, C, R>(
  make: (a: Closure<A>, b: Closure<B>, c: Closure<C>) => Closure<R>,
  a: Closure<A>,
  b: Closure<B>,
  c: Closure<C>,
  text: object = make,
): Closure<R> =>
  markText(text, make(avoidSelfInlining(text, a), avoidSelfInlining(text, b), avoidSelfInlining(text, c)));
