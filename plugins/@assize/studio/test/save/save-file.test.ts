import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NotSavedError, saveFile } from '../../src/save/save-file.js';
import { newFolder } from '../../../../../test/scale/threads/folder.js';

const folder = newFolder();
const isRoot = process.getuid?.() === 0;
const double = (text: string): string => text + text;

describe('a saved file', () => {
  test.skipIf(process.platform === 'win32')('keeps its mode, regardless of the umask', async () => {
    const file = folder.write('mode.yaml', 'a');
    chmodSync(file, 0o662);
    await saveFile(file, double);
    expect(statSync(file).mode & 0o777).toBe(0o662);
    expect(readFileSync(file, 'utf8')).toBe('aa');
  });

  test('keeps its byte order mark, and remains a link', async () => {
    const file = folder.write('mark.yaml', '\uFEFFa');
    const link = join(folder.path, 'link.yaml');
    symlinkSync(file, link);
    await saveFile(link, (text) => `${text}b`);
    expect(readFileSync(file)).toEqual(Buffer.from('\uFEFFab'));
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  test('is rejected if it is read-only, not UTF-8, or missing; leaves no other file', async () => {
    const readOnly = folder.write('read-only.yaml', 'a');
    chmodSync(readOnly, 0o444);
    await expect(saveFile(readOnly, double)).rejects.toThrow(new NotSavedError('read-only.yaml is read-only'));
    const latin = join(folder.path, 'latin.yaml');
    writeFileSync(latin, Buffer.from('# für\na: 1\n', 'latin1'));
    await expect(saveFile(latin, double)).rejects.toThrow(/^latin\.yaml is not UTF-8/);
    expect(readFileSync(latin)).toEqual(Buffer.from('# für\na: 1\n', 'latin1'));
    await expect(saveFile(join(folder.path, 'none.yaml'), double)).rejects.toThrow(
      /^none\.yaml cannot be written: ENOENT/,
    );
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test.skipIf(isRoot || process.platform === 'win32')('is rejected in a read-only folder [not root]', async () => {
    const closed = join(folder.path, 'closed');
    mkdirSync(closed);
    writeFileSync(join(closed, 'profile.yaml'), 'a');
    chmodSync(closed, 0o555);
    await expect(saveFile(join(closed, 'profile.yaml'), double)).rejects.toThrow(
      /^profile\.yaml cannot be written: EACCES/,
    );
    chmodSync(closed, 0o755);
  });
});
