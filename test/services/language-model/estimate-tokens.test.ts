import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { estimateTokens } from 'assize/sdk';

test('estimates a token for each three bytes of UTF-8, for any text', () => {
  assert(
    property(string({ unit: 'binary' }), string(), (text, more) => {
      const whole = text + more;
      expect(estimateTokens(whole)).toBe(Math.ceil(new TextEncoder().encode(whole).length / 3));
    }),
  );
});

test('half a surrogate pair counts as its replacement character', () => {
  for (const text of ['\ud83d', '\udc4d', 'a\ud83d\ud83d\udc4d', '\udc4d\ud83d'])
    expect(estimateTokens(text)).toBe(Math.ceil(new TextEncoder().encode(text).length / 3));
});
