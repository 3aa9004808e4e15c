import { InvalidArgumentError } from 'commander';

/** Reads how many are to be shown. */
export function toTop(text: string): number {
  const top = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(top) && top > 0) return top;
  throw new InvalidArgumentError('expected a whole number of at least 1.');
}
