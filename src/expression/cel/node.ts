/** A node of a compiled expression that gives an `R`. */
export type Node<R> = (candidate: unknown, index: number) => R;

const madeOf = new WeakMap<Node<unknown>, object>();

const apart =
  <R>(operand: Node<R>): Node<R> =>
  (candidate, index) =>
    operand(candidate, index);

/**
 * Keeps equal function texts apart: V8 does not inline a function text directly into itself, so an operand of the text
 * that it is to be an operand of is called through another text.
 */
const keepApart = <R>(text: object, operand: Node<R>): Node<R> =>
  madeOf.get(operand) === text ? apart(operand) : operand;

function remember<R>(text: object, made: Node<R>): Node<R> {
  madeOf.set(made, text);
  return made;
}

/**
 * Makes a node of one operand, inlinable into its like.
 *
 * @param text what stands for the text of the function that `make` makes
 */
export const node1 = <A, R>(make: (a: Node<A>) => Node<R>, a: Node<A>, text: object = make): Node<R> =>
  remember(text, make(keepApart(text, a)));

/** Makes a node of two operands, inlinable into its like. */
export const node2 = <A, B, R>(
  make: (a: Node<A>, b: Node<B>) => Node<R>,
  a: Node<A>,
  b: Node<B>,
  text: object = make,
): Node<R> => remember(text, make(keepApart(text, a), keepApart(text, b)));

/** Makes a node of three operands, inlinable into its like. */
export const node3 = <A, B, C, R>(
  make: (a: Node<A>, b: Node<B>, c: Node<C>) => Node<R>,
  a: Node<A>,
  b: Node<B>,
  c: Node<C>,
  text: object = make,
): Node<R> => remember(text, make(keepApart(text, a), keepApart(text, b), keepApart(text, c)));
