import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { assize } from '../cli/run-here.js';
import { temporaryFolder } from '../temporary-folder.js';

const SECRET = 'hunter2';
const FOREIGN: Readonly<Record<string, string>> = {
  'passwd.yaml': `root:x:0:0:${SECRET}:/root:/bin/bash\n`,
  'broken.yaml': `password: "${SECRET}\n\tx: [\n`,
  'secrets.yaml': `password: ${SECRET}\nuser: ${SECRET}\n`,
  'list.yaml': `- ${SECRET}\n`,
  'twice.yaml': `${SECRET}: 1\n${SECRET}: 2\n`,
  'anchor.yaml': `*${SECRET}\n`,
  'secrets.json': `{ "password": ${SECRET} }`,
  'package.json': `{ "name": "x", "token": "${SECRET}" }`,
};

let folder: string;
beforeAll(() => {
  folder = temporaryFolder('assize-foreign-');
  for (const [name, text] of Object.entries(FOREIGN)) {
    writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, `of-${name}.yaml`), `extends: [./${name}]\n`);
  }
  writeFileSync(join(folder, '.env'), `TOKEN=${SECRET}\n`);
  mkdirSync(join(folder, 'folder.yaml'));
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(folder, 'pipe.yaml')]);
});

const failure = (profile: Parameters<typeof createPipeline>[0]): Promise<string> =>
  createPipeline(profile, { folder }).then(() => 'it loads', String);

describe('a file that is not a profile', () => {
  test.each(Object.keys(FOREIGN))('never prints %s', async (name) => {
    for (const profile of [`./${name}`, `./of-${name}.yaml`]) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const said = await failure(profile);
      expect(said).toMatch(/^AssizeError: .*this file is not a profile/);
      expect(said).not.toContain(SECRET);
      expect(said).toContain(name);
    }
  });

  test('the error describes a profile', async () => {
    const said = await failure('./secrets.yaml');
    expect(said.replaceAll(folder, '…')).toMatchInlineSnapshot(`
      "AssizeError: …/secrets.yaml:1:1 error ASZ201 this file is not a profile: it has no key of a profile
        a profile looks like: tier2_scorers: [{ id: stars, expr: candidate.stars }]"
    `);
  });

  test('the command line prints as little', async () => {
    const { code, out, err } = await assize(['check', join(folder, 'passwd.yaml')]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).not.toContain(SECRET);
  });

  test.skipIf(!existsSync('/proc/self/environ'))('the same for the environment of the process (on Linux)', async () => {
    const [[name, value] = ['', '']] = Object.entries(process.env).filter(([, text]) => (text ?? '').length > 8);
    for (const profile of [{ extends: ['/proc/self/environ'] }, { plugins: ['/proc/self/environ'] }]) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const said = await failure(profile);
      expect(said).toContain('AssizeError');
      expect(said).not.toContain(`${name}=`);
      expect(said).not.toContain(value);
    }
  });

  test('the same for a file that is named as a plugin', async () => {
    const said = await failure({ plugins: ['./.env'] });
    expect(said).toContain('plugin ./.env is not code');
    expect(said).not.toContain(SECRET);
  });
});

test('a profile with a mistake is still shown, even if every key is mistyped', async () => {
  expect(await failure({ extends: ['./typo.yaml'] })).toContain('no such file');
  writeFileSync(join(folder, 'typo.yaml'), 'tier2_scorer: []\n');
  writeFileSync(join(folder, 'open.yaml'), 'tier2_scorers: [\n');
  expect(await failure('./typo.yaml')).toContain('did you mean tier2_scorers?');
  expect(await failure('./open.yaml')).toContain('1 | tier2_scorers: [');
});

describe('other file types are rejected immediately', () => {
  const paths = ['folder.yaml', ...(process.platform === 'win32' ? [] : ['pipe.yaml', '/dev/zero'])];

  test.each(paths)('%s as a profile, under extends, as a plugin, and as candidates', async (path) => {
    const full = path.startsWith('/') ? path : join(folder, path);
    expect(await failure(full)).toMatch(/it is a (?:directory|device)/);
    expect(await failure({ extends: [full] })).toMatch(/it is a (?:directory|device)/);
    expect(await failure({ plugins: [full] })).toMatch(/ASZ304/);
    const { code, err } = await assize(['rank', '--profile', 'knowledgepulse', '--input', 'jsonl', full]);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/it is a (?:directory|device)/) });
  });
});
