import { Environment, ParseError } from '@marcbachmann/cel-js';

/** What an expression may have at most: more than any that a person writes. */
export const LIMITS = {
  maxAstNodes: 5000,
  maxDepth: 100,
  maxListElements: 1000,
  maxMapEntries: 1000,
  maxCallArguments: 32,
} as const;

export type Limit = keyof typeof LIMITS;

const createParser = (limits: Readonly<Record<Limit, number>>): Environment =>
  new Environment({ enableOptionalTypes: true, limits });

export const parser = createParser(LIMITS);

/** The syntax error of a source, without one of the limits where that is named; undefined where there is none. */
export function syntaxErrorOf(source: string, without?: Limit): ParseError | undefined {
  try {
    (without === undefined ? parser : createParser({ ...LIMITS, [without]: Number.POSITIVE_INFINITY })).parse(source);
  } catch (error) {
    if (error instanceof ParseError) return error;
    if (!(error instanceof RangeError)) throw error; // deeper than the stack
  }
  return undefined;
}
