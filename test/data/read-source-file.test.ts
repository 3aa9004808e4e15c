import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { readSourceFile } from '../../src/data/read-source-file.js';
import { temporaryFolder } from '../temporary-folder.js';

let folder = '';
beforeAll(async () => {
  folder = temporaryFolder('document-');
  await writeFile(join(folder, 'Profile.yaml'), '\ufeffname: é\r\n');
  await writeFile(join(folder, 'latin1.yaml'), Buffer.from('name: é', 'latin1'));
  await writeFile(join(folder, 'image.png'), Buffer.of(0x89, 0x50, 0, 0xff));
  await writeFile(join(folder, 'packed.yaml'), gzipSync('name: x'));
  await writeFile(join(folder, 'wide.yaml'), Buffer.from('\ufeffname: x', 'utf16le'));
});

const message = (name: string): Promise<string> =>
  readSourceFile(join(folder, name)).then(
    (source) => source.text,
    (error: Error) => `${error.name}: ${error.message.replaceAll(folder, '…')}`,
  );

test('a file is read', async () => expect(await message('Profile.yaml')).toBe('name: é\r\n'));

test('a file that cannot be read: the error has the reason and a hint', async () => {
  const names = [
    'profile.yml',
    'none.yaml',
    '.',
    'Profile.yaml/x',
    'latin1.yaml',
    'image.png',
    'packed.yaml',
    'wide.yaml',
  ];
  const messages = [];
  for (const name of names) messages.push(await message(name));
  expect(messages.join('\n')).toMatchInlineSnapshot(`
    "AssizeError: error ASZ101 cannot read …/profile.yml: no such file
      did you mean …/Profile.yaml?
    AssizeError: error ASZ101 cannot read …/none.yaml: no such file
    AssizeError: error ASZ101 cannot read …: it is a directory, expected a file
    AssizeError: error ASZ101 cannot read …/Profile.yaml/x: a part of its path is not a directory
    AssizeError: error ASZ101 cannot read …/latin1.yaml: it is not UTF-8 text
      save it as UTF-8
    AssizeError: error ASZ101 cannot read …/image.png: it is not UTF-8 text
      it looks like a binary file
    AssizeError: error ASZ101 cannot read …/packed.yaml: it is not UTF-8 text
      it looks like gzip: decompress it, for example with gunzip -c
    AssizeError: error ASZ101 cannot read …/wide.yaml: it is not UTF-8 text
      it looks like UTF-16: save it as UTF-8"
  `);
});

test('the error for a relative path has the absolute path', async () => {
  await expect(readSourceFile('no-such-file.yaml')).rejects.toThrow(
    `looked for ${join(process.cwd(), 'no-such-file.yaml')}`,
  );
});
