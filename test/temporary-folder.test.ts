import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeTemporaryFolders, temporaryFolder } from './temporary-folder.js';

test('removes a folder that is created in a test, with its contents', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'deep'));
  writeFileSync(join(folder, 'deep', 'file'), '');
  expect(existsSync(folder)).toBe(true);
  removeTemporaryFolders();
  expect(existsSync(folder)).toBe(false);
});

test('no test creates a folder in another way', () => {
  const root = fileURLToPath(new URL('.', import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(200);
  const others = files.filter((file) => /\bmkdtemp(?:Sync)?\(/.test(readFileSync(join(root, file), 'utf8')));
  expect(others.filter((file) => file !== 'temporary-folder.test.ts')).toEqual([]);
});
