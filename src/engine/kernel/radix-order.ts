/** How many bits a pass sorts by: counters for all of them fit into a processor's first cache. */
const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
/** How far the digit of each pass is shifted in a word, the least significant first. */
const SHIFTS = [0, DIGIT_BITS, 2 * DIGIT_BITS];

/** Which half of a double has its sign, exponent and first twenty bits; the other has the rest. */
const HIGH = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0;
const LOW = 1 - HIGH;
const SIGN = 0x80000000;

/** Rows with a word of their keys each, in an order. */
interface KeyedRows {
  readonly keys: Uint32Array;
  readonly rows: Int32Array;
}

/**
 * All rows by their totals, the greatest first; equal totals, 0 and −0 among them, in the order of the rows. A radix sort of
 * the bits of doubles, in linear time: of a million rows some ten times as fast as a sort that compares.
 *
 * It sorts by the high words, in which few totals agree, and moves those few by comparison. Where that becomes more work
 * than sorting, it sorts by both words.
 *
 * @param totals without NaN
 */
export function radixOrder(totals: Float64Array): Int32Array {
  const { length } = totals;
  const words = new Uint32Array(totals.buffer, totals.byteOffset, 2 * length);
  const one = { keys: new Uint32Array(length), rows: rowsInOrder(new Int32Array(length)) };
  const two = { keys: new Uint32Array(length), rows: new Int32Array(length) };
  const sorted = sortByWord(words, HIGH, one, two);
  if (sortEqualKeys(totals, sorted)) return sorted.rows;
  rowsInOrder(one.rows);
  const byLow = sortByWord(words, LOW, one, two);
  return sortByWord(words, HIGH, byLow, byLow === one ? two : one).rows;
}

function rowsInOrder(rows: Int32Array): Int32Array {
  for (let row = 0; row < rows.length; row++) rows[row] = row;
  return rows;
}

/**
 * Sorts rows by one word of their totals; equal ones stay in their order.
 *
 * @param spare is written, too
 * @returns one of the two
 */
function sortByWord(words: Uint32Array, word: number, rows: KeyedRows, spare: KeyedRows): KeyedRows {
  setKeys(words, word, rows);
  let [from, to] = [rows, spare];
  const counts = countDigits(from.keys);
  for (const [pass, shift] of SHIFTS.entries()) {
    const starts = counts.subarray(pass * DIGITS, (pass + 1) * DIGITS);
    if (!becomeStarts(starts, from.keys.length)) continue; // all have the same digit
    distribute(from, to, shift, starts);
    [from, to] = [to, from];
  }
  return from;
}

/**
 * A word of each total as a number that is least for the greatest: the bits of positive totals turned around, and those of
 * negative ones as they are. −0 has the key of 0.
 */
function setKeys(words: Uint32Array, word: number, { keys, rows }: KeyedRows): void {
  const flipped = word === HIGH ? SIGN - 1 : -1;
  for (let k = 0; k < keys.length; k++) {
    const at = 2 * rows[k]!;
    const high = words[at + HIGH]!;
    const isNegative = high > SIGN || (high === SIGN && words[at + LOW] !== 0);
    if (isNegative) keys[k] = words[at + word]!;
    else keys[k] = (word === HIGH ? high & ~SIGN : words[at + word]!) ^ flipped;
  }
}

/** How often each digit occurs in each pass, in one reading. */
function countDigits(keys: Uint32Array): Uint32Array {
  const counts = new Uint32Array(SHIFTS.length * DIGITS);
  for (let k = 0; k < keys.length; k++) {
    const key = keys[k]!;
    counts[key & (DIGITS - 1)]! += 1;
    counts[DIGITS + ((key >>> DIGIT_BITS) & (DIGITS - 1))]! += 1;
    counts[2 * DIGITS + (key >>> (2 * DIGIT_BITS))]! += 1;
  }
  return counts;
}

/** Turns the counts of digits into where each digit starts; false where there is one digit only. */
function becomeStarts(counts: Uint32Array, length: number): boolean {
  let start = 0;
  for (let digit = 0; digit < counts.length; digit++) {
    const count = counts[digit]!;
    if (count === length) return false;
    counts[digit] = start;
    start += count;
  }
  return true;
}

/** Moves rows to where their digit starts, in their order. */
function distribute(from: KeyedRows, to: KeyedRows, shift: number, starts: Uint32Array): void {
  const { keys, rows } = from;
  const { keys: toKeys, rows: toRows } = to;
  for (let k = 0; k < keys.length; k++) {
    const key = keys[k]!;
    const digit = (key >>> shift) & (DIGITS - 1);
    const at = starts[digit]!;
    starts[digit] = at + 1;
    toKeys[at] = key;
    toRows[at] = rows[k]!;
  }
}

/**
 * Sorts rows whose keys are equal by their totals, by insertion: linear where few are, or where they are in order already.
 *
 * @returns false where it was left, since rows have moved further than there are rows
 */
function sortEqualKeys(totals: Float64Array, { keys, rows }: KeyedRows): boolean {
  let moves = rows.length;
  for (let k = 1; k < rows.length; k++) {
    const key = keys[k]!;
    if (keys[k - 1] !== key) continue;
    const row = rows[k]!;
    const total = totals[row]!;
    let at = k;
    for (; at > 0 && keys[at - 1] === key && totals[rows[at - 1]!]! < total; at--) rows[at] = rows[at - 1]!;
    rows[at] = row;
    moves -= k - at;
    if (moves < 0) return false;
  }
  return true;
}
