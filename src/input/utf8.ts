import type { Problem, SourceFile } from '../diagnostics/index.js';

/** Guesses what bytes that are not UTF-8 text are instead. */
export function encodingHint(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const utf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (utf16) return 'it looks like UTF-16: save it as UTF-8';
  if (first === 0x1f && second === 0x8b) return 'it looks like gzip: gunzip -c writes what is in it to a pipe';
  return bytes.includes(0) ? 'it looks like a binary file' : 'save it as UTF-8';
}

/**
 * Describes bytes that are not UTF-8 text. They are decoded as U+FFFD, and so the first of these is where they are.
 *
 * @param source the text that the bytes were decoded to
 */
export function utf8Problem(bytes: Uint8Array, source: SourceFile): Omit<Problem, 'code'> {
  const offset = Math.max(0, source.text.indexOf('\ufffd'));
  return { message: 'found bytes that are not UTF-8 text', place: source.placeAt(offset), hint: encodingHint(bytes) };
}
