/** A source of numbers from 0 up to 1: the same seed gives the same numbers, on every machine. */
export type Random = () => number;

/** sfc32, a small fast counting generator (Doty-Humphrey's PractRand), seeded by one number. */
export function seededRandom(seed: number): Random {
  let [a, b, c, count] = [0x9e3779b9, 0x243f6a88, seed | 0, 1];
  const next = (): number => {
    const sum = (((a + b) | 0) + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let k = 0; k < 15; k++) next(); // the first ones still show the seed
  return next;
}
