/** What bytes that are not UTF-8 text may be instead. */
export function utf8Hint(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const utf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (utf16) return 'it looks like UTF-16: save it as UTF-8';
  return bytes.includes(0) ? 'it looks like a binary file' : 'save it as UTF-8';
}
