/** How deep maps and lists may be nested: far more than anybody writes, far less than what a stack holds. */
export const MAX_DEPTH = 100;

/** How many values the aliases of one file may stand for in all, so that ten lines can't become a billion. */
export const MAX_ALIASED = 10_000;
