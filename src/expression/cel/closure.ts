/** A compiled node of an expression, whose value is an `R`. */
export type Closure<R> = (candidate: unknown, index: number) => R;

const functionText = new WeakMap<Closure<unknown>, object>();

const callThrough =
  <R>(operand: Closure<R>): Closure<R> =>
  (candidate, index) =>
    operand(candidate, index);

/**
 * An operand that V8 can inline: it does not inline a function text directly into itself, so an operand of the same
 * text is called through another one.
 */
const avoidSelfInlining = <R>(text: object, operand: Closure<R>): Closure<R> =>
  functionText.get(operand) === text ? callThrough(operand) : operand;

function markText<R>(text: object, made: Closure<R>): Closure<R> {
  functionText.set(made, text);
  return made;
}

/**
 * Makes a closure of one operand, inlinable into its like.
 *
 * @param text identifies the text of the function that `make` gives
 */
export const unaryClosure = <A, R>(
  make: (a: Closure<A>) => Closure<R>,
  a: Closure<A>,
  text: object = make,
): Closure<R> => markText(text, make(avoidSelfInlining(text, a)));

/** Makes a closure of two operands, inlinable into its like. */
export const binaryClosure = <A, B, R>(
  make: (a: Closure<A>, b: Closure<B>) => Closure<R>,
  a: Closure<A>,
  b: Closure<B>,
  text: object = make,
): Closure<R> => markText(text, make(avoidSelfInlining(text, a), avoidSelfInlining(text, b)));

/** Makes a closure of three operands, inlinable into its like. */
export const ternaryClosure = <A, B, C, R>(
  make: (a: Closure<A>, b: Closure<B>, c: Closure<C>) => Closure<R>,
  a: Closure<A>,
  b: Closure<B>,
  c: Closure<C>,
  text: object = make,
): Closure<R> =>
  markText(text, make(avoidSelfInlining(text, a), avoidSelfInlining(text, b), avoidSelfInlining(text, c)));
