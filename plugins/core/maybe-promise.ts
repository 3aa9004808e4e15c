/** What comes of something once it is there: at once where it is, so that nobody waits for what need not be waited for. */
export const mapMaybePromise = <A, B>(given: A | Promise<A>, then: (given: A) => B | Promise<B>): B | Promise<B> =>
  given instanceof Promise ? given.then(then) : then(given);
