import { InvalidArgumentError } from 'commander';
import { toMillis } from '../../expression/time.js';

/** Reads how many are to be shown. */
export function parsePositiveInteger(text: string): number {
  const top = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(top) && top > 0) return top;
  throw new InvalidArgumentError(`expected a whole number of at least 1, found ${JSON.stringify(text)}.`);
}

/** Reads how much may be spent. */
export function parseBudget(text: string): number {
  const budget = Number(text);
  if (text.trim() !== '' && Number.isFinite(budget) && budget >= 0) return budget;
  throw new InvalidArgumentError(`expected a number of at least 0, found ${JSON.stringify(text)}.`);
}

/** Reads a time, and leaves it was said. */
export function parseTime(text: string): number | string {
  const time = /^-?\d+$/.test(text) && text.length !== 4 ? Number(text) : text; // 2026 is somebody's year
  try {
    toMillis(time);
    return time;
  } catch (error) {
    throw new InvalidArgumentError(`${error instanceof Error ? error.message : String(error)}.`);
  }
}
