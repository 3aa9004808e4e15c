import { describe, expect, test } from 'vitest';
import { checkProfile, nameInFiles, openAllowedInput, profileName } from '../src/queue-worker.js';
import { newFolder } from '../../../../test/scale/threads/folder.js';

const folder = newFolder();
folder.write('rows.jsonl', '{"id":1}\n');
const here = { profiles: folder.path, files: folder.path };
const behind = { profiles: folder.path, files: 'http://127.0.0.1:1/data' };

describe('a worker', () => {
  test.each(['knowledgepulse', './team.yaml', 'sub/team.yaml', 'team.json', './a/../team.yaml'])(
    'accepts the profile %s',
    (profile) => expect(() => checkProfile(here, profile)).not.toThrow(),
  );

  test.each(['../team.yaml', '/etc/team.yaml', './a/../../team.yaml', `${folder.path}-other/team.yaml`])(
    'rejects the profile %s',
    (profile) => expect(() => checkProfile(here, profile)).toThrow('the worker refuses this job: its profile is'),
  );

  test.each([{ plugins: ['/tmp/evil.js'] }, { yaml: 'plugins: [/tmp/evil.js]' }])(
    'rejects one that comes with the job: %o',
    (profile) => expect(() => checkProfile(here, profile)).toThrow('it contains its profile'),
  );

  test('reads files in its folder, by their relative name', async () => {
    expect(await openAllowedInput(here, 'rows.jsonl')).toMatchObject({ name: 'rows.jsonl', size: 9 });
  });

  test.each([
    [here, '../rows.jsonl'],
    [here, '/etc/hostname'],
    [here, 'http://127.0.0.1:1/data/rows.jsonl'],
    [behind, 'rows.jsonl'],
    [behind, 'http://127.0.0.1:1/database/rows.jsonl'],
    [behind, 'http://127.0.0.1:1/data/../secret.jsonl'],
    [behind, 'http://127.0.0.1:1/data/%2e%2e/secret.jsonl'],
    [behind, 'http://127.0.0.1:1@169.254.169.254/data/rows.jsonl'],
    [behind, 'https://127.0.0.1:1/data/rows.jsonl'],
  ])('reads nothing else: in %o %s', async (allowed, name) => {
    await expect(openAllowedInput(allowed, name)).rejects.toThrow(/ is not in /);
  });

  test('requests the data behind its URL', async () => {
    await expect(openAllowedInput(behind, 'http://127.0.0.1:1/data/rows.jsonl?signature=secret')).rejects.toThrow(
      /^(?![^]*secret)[^]*cannot read http:\/\/127\.0\.0\.1:1\/data\/rows\.jsonl/,
    );
  });
});

test('names are relative to the folders, on every machine', () => {
  expect(profileName(folder.path, `${folder.path}/sub/team.yaml`)).toBe('./sub/team.yaml');
  expect(profileName(folder.path, 'knowledgepulse')).toBe('knowledgepulse');
  expect(nameInFiles(folder.path, `${folder.path}/rows.jsonl`)).toBe('rows.jsonl');
  expect(() => nameInFiles(folder.path, '/etc/hostname')).toThrow('/etc/hostname is not in');
  expect(() => profileName('.', '../team.yaml')).toThrow('../team.yaml is not in the working directory');
});
