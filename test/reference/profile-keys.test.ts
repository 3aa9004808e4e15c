import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withBlock } from './blocks.js';
import { root } from './documents.js';
import { itemKeysTable, profileKeysTable } from './profile-keys.js';

/** `npm run generate` writes the table. */
test('the page of keys has every key', () => {
  const file = `${root}config/concepts/every-key.md`;
  const document = readFileSync(file, 'utf8');
  const generated = withBlock(
    withBlock(document, 'item keys', itemKeysTable(), '## Keys of list items'),
    'profile keys',
    profileKeysTable(),
    '## Other keys',
  );
  if (process.env['UPDATE_README']) writeFileSync(file, generated);
  else expect(document).toBe(generated);
});
