import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';
import { temporaryFolder } from '../temporary-folder.js';

const ROOT = packageRoot();
const MAIN = join(ROOT, 'dist', 'bundle', 'cli.js');
const CREATE = join(ROOT, 'plugins', 'create-assize', 'index.js');

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function run(folder: string, command: string, ...args: readonly string[]): Outcome {
  const env = { ...process.env, NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined, NO_COLOR: '1', COLUMNS: '80' };
  const shell = process.platform === 'win32' && command === 'npm';
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', env, shell });
  return { code: status, out: stdout, err: stderr };
}

const create = (folder: string, ...args: readonly string[]): Outcome => run(folder, process.execPath, CREATE, ...args);

/** Links into a folder what npm would install: the built package and its command, TypeScript, and the types of Node. */
function install(folder: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  mkdirSync(join(modules, '@types'));
  symlinkSync(ROOT, join(modules, 'assize'), 'junction');
  symlinkSync(join(ROOT, 'node_modules', '@types', 'node'), join(modules, '@types', 'node'), 'junction');
  const commands = { assize: MAIN, tsc: join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc') };
  for (const [name, file] of Object.entries(commands)) {
    const call = `"${process.execPath}" "${file}"`;
    writeFileSync(join(modules, '.bin', name), `#!/bin/sh\nexec ${call} "$@"\n`, { mode: 0o755 });
    writeFileSync(join(modules, '.bin', `${name}.cmd`), `@${call} %*\r\n`);
  }
}

const ranking = (name: string): string => `${name}: 8 candidates, 5 selected, 2 not selected, 1 refused

#  id        score  scorers  rating   price  reviews
                               ×0.5  ×0.333   ×0.167
────────────────────────────────────────────────────
1  new-inn   0.780   2 of 3   0.900   0.600        –
2  central   0.740            0.780   0.550    1.000
3  harbour   0.727            0.920   0.300    1.000
4  hostel    0.715            0.680   0.825    0.600
5  lakeside  0.677            0.880   0.450    0.520

Refused
  closed: 1
    castle: candidate.?closed.orValue(false)

Not selected
  below the top: 2
`;

describe.skipIf(!existsSync(MAIN))('npm create assize', () => {
  test.each([
    ['my-ranking', []],
    ['typed-ranking', ['--ts']],
  ] as const)('writes %s, which passes its tests and ranks without network', (name, options) => {
    const parent = temporaryFolder('assize-create-');
    const { code, out, err } = create(parent, name, ...options);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatchSnapshot();
    const folder = join(parent, name);
    install(folder);
    const tested = run(folder, 'npm', 'test');
    expect(tested.out).toMatch(/^\S+ tests 4$[^]*^\S+ pass 4$/m);
    expect(tested.code).toBe(0);
    expect(run(folder, 'npm', 'run', '--silent', 'rank')).toEqual({ code: 0, out: ranking(name), err: '' });
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('node_modules/\ndist/\n');
  });

  test('writes nothing into a folder that is not empty', () => {
    const parent = temporaryFolder('assize-create-');
    mkdirSync(join(parent, 'mine'));
    writeFileSync(join(parent, 'mine', 'notes.txt'), 'mine');
    writeFileSync(join(parent, 'file'), '');
    mkdirSync(join(parent, 'empty'));
    expect(create(parent, 'mine')).toMatchInlineSnapshot(`
      {
        "code": 1,
        "err": "error ASZ604 mine already exists and is not empty
        nothing was written: choose another name, or another folder with --folder
      ",
        "out": "",
      }
    `);
    expect(readdirSync(join(parent, 'mine'))).toEqual(['notes.txt']);
    expect(create(parent, 'file')).toMatchObject({ code: 1, out: '' });
    expect(create(parent, 'empty')).toMatchObject({ code: 0, err: '' });
  });

  test.each(['../evil', '1st', '@me/mine', '.', 'a b!'])('refuses the name %s', (name) => {
    const parent = temporaryFolder('assize-create-');
    const { code, out, err } = create(parent, name);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(`error ASZ603 ${JSON.stringify(name)} is not a valid name for a new project`);
    expect(readdirSync(parent)).toEqual([]);
  });

  test('keeps a name that ends in project, and writes where --folder says', () => {
    const parent = temporaryFolder('assize-create-');
    expect(create(parent, 'project').code).toBe(0);
    expect(create(parent, 'MyProject', '--folder', 'here').code).toBe(0);
    expect(readdirSync(parent)).toEqual(['here', 'project']);
    expect(readdirSync(join(parent, 'here'))).toContain('my-project.yaml');
  });

  test('shows how it is called', () => {
    const parent = temporaryFolder('assize-create-');
    const [help, nothing] = [create(parent, '--help'), create(parent)];
    expect(help.code).toBe(0);
    expect(help.out).toContain('npx create-assize NAME [--ts] [--folder PATH]');
    expect(nothing).toEqual({ ...help, code: 2 });
  });
});

test('the package create-assize needs the core of its own version', () => {
  const read = (path: string) =>
    JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as { version: string; dependencies: Record<string, string> };
  const { version } = read('package.json');
  expect(read('plugins/create-assize/package.json')).toMatchObject({ version, dependencies: { assize: version } });
});
