/** The finaliser of MurmurHash3: each bit of the input changes half of the bits of the result. */
function mix(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

const TWO_TO_32 = 2 ** 32;

/**
 * A pseudo-random number above 0 and below 1 that depends only on a seed and an index. Integer operations and one
 * division compute it, so that it is the same on every machine. Two words of the hash are its 53 bits. It is not for
 * secrets.
 *
 * @param seed an integer of at least 0, up to 2⁵³
 * @param index an integer; each has its own number
 */
export function randomAt(seed: number, index: number): number {
  const start = mix(mix(seed) ^ mix(Math.floor(seed / TWO_TO_32) + 0x9e3779b9));
  const high = mix(start ^ mix(index + 0x7f4a7c15));
  const low = mix(high + 0x9e3779b9 + index);
  return ((high >>> 6) * 2 ** 26 + (low >>> 6) + 0.5) / 2 ** 52;
}
