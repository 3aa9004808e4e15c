import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { packageRoot, packageVersion } from '../../src/base/package-root.js';
import { verbs as evaluateVerbs } from '@assize/evaluate/verbs';
import { verbs as jobsVerbs } from '@assize/jobs/verbs';
import { verbs as serveVerbs } from '@assize/serve/verbs';
import { verbs as studioVerbs } from '@assize/studio/verbs';
import { findPackage, offeredVerbs } from '../../src/cli/packages/find-package.js';
import {
  type Caller,
  HandOver,
  mismatchText,
  missingText,
  loadHelpTopic,
  loadVerb,
  loadVerbs,
} from '../../src/cli/packages/load-verbs.js';
import { runCommandLine } from '../../src/cli/program.js';
import { createOutput, type Io, type ProcessIo } from '../../src/cli/terminal/io.js';
import { PATIENCE_MS } from '../patience.js';
import { temporaryFolder } from '../temporary-folder.js';

const version = packageVersion();

/** Writes the files of a project into a new folder: JSON for package.json, and text. */
function project(files: Readonly<Record<string, string | object>>): string {
  const folder = temporaryFolder('assize-packages-');
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** The files of a package that adds the verb `greet`. */
const greeter = (name: string, manifest: object = {}, at = `node_modules/${name}`) => ({
  [`${at}/package.json`]: {
    name,
    version,
    type: 'module',
    exports: { './verbs': './verbs.js' },
    assize: { verbs: { greet: 'greet a person' } },
    ...manifest,
  },
  [`${at}/verbs.js`]: `export const verbs = [{ name: 'greet', summary: 'greet a person', declare(command, io) {
  command.argument('<person>').option('--loud', 'shout').action((person) => io.out.write('hello ' + person + '\\n'));
} }];
export const helpTopics = { manners: async ({ columns }) => 'manners in ' + columns + ' columns' };
`,
});

/** A project that depends on such a package. */
const dependent = (name: string, manifest: object = {}) =>
  project({ 'package.json': { dependencies: { [name]: '*' } }, ...greeter(name, manifest) });

const empty = project({});

const caller = (given: Partial<Caller>): Caller => ({
  args: ['greet', 'Ada'],
  folder: empty,
  own: packageRoot(),
  version,
  env: {},
  ...given,
});

/** The only problem of an error. */
const problemOf = async (work: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toHaveProperty('problems');
  const { problems } = error as { readonly problems: readonly unknown[] };
  expect(problems).toHaveLength(1);
  return problems[0];
};

/** A process in a folder, whose output is added to `written`. */
const silent = (folder: string, written = { out: '', err: '' }): ProcessIo => {
  const stream = (name: keyof typeof written) =>
    createOutput({ write: (text: string) => void (written[name] += text) }, {});
  return {
    stdin: (async function* () {})(),
    interactive: true,
    out: stream('out'),
    err: stream('err'),
    env: {},
    folder,
  };
};

async function run(args: readonly string[], folder: string) {
  const written = { out: '', err: '' };
  const code = await runCommandLine(args, silent(folder, written));
  return { code, ...written };
}

describe('a package is found', () => {
  const nested = project({ ...greeter('@assize/greet'), 'work/deep/note.txt': '' });

  test("from the user's folder, and from the folders that contain it", async () => {
    const { name } = await loadVerb(
      'greet',
      { from: '@assize/greet' },
      caller({ folder: join(nested, 'work', 'deep') }),
    );
    expect(name).toBe('greet');
  });

  test("from the running copy's own folder", async () => {
    const own = join(
      project({ ...greeter('@assize/greet'), 'node_modules/assize/package.json': {} }),
      'node_modules',
      'assize',
    );
    expect(
      await loadHelpTopic('manners', '@assize/greet', caller({ own }), { columns: 70, limit: 70, colour: false }),
    ).toBe('manners in 70 columns');
  });

  test('through a link, as in a workspace', async () => {
    const folder = project({ 'node_modules/@assize/note.txt': '', ...greeter('@assize/greet', {}, 'packages/greet') });
    symlinkSync(join(folder, 'packages', 'greet'), join(folder, 'node_modules', '@assize', 'greet'), 'junction');
    expect(findPackage('@assize/greet', folder)?.folder).toMatch(/packages.greet$/);
    expect((await loadVerbs('@assize/greet', caller({ folder }), 'assize greet')).verbs).toHaveLength(1);
  });
});

describe('a package that cannot be used', () => {
  test('is missing: names the command that installs it', async () => {
    expect(await problemOf(loadVerbs('@assize/greet', caller({}), 'assize greet'))).toEqual({
      code: 'ASZ601',
      message: 'assize greet needs a package that is not installed: @assize/greet',
      hint: 'npm install @assize/greet',
    });
  });

  test.each<[string, Partial<Caller>]>([
    [
      'a copy in the cache of npx',
      { own: join(project({ '_npx/1/node_modules/assize/package.json': {} }), '_npx/1/node_modules/assize') },
    ],
    ['npm exec without a copy in the project', { env: { npm_command: 'exec' } }],
  ])('under npx, repeats the command line: %s', async (_, given) => {
    const args = ['greet', "it's me", '--loud'];
    expect(
      await problemOf(loadVerbs('@assize/greet', caller({ ...given, args, from: '@assize/greet' }), 'assize greet')),
    ).toMatchObject({
      hint: "npx -p assize -p @assize/greet assize greet 'it'\\''s me' --loud",
    });
  });

  test('under npx, --open needs the package of the verb, too', async () => {
    const args = ['evaluate', './a.yaml', 'q.jsonl', '--open'];
    const given = { args, from: '@assize/evaluate', env: { npm_command: 'exec' } };
    expect(await problemOf(loadVerbs('@assize/view', caller(given), 'assize evaluate --open'))).toMatchObject({
      message: 'assize evaluate --open needs a package that is not installed: @assize/view',
      hint: 'npx -p assize -p @assize/view -p @assize/evaluate assize evaluate ./a.yaml q.jsonl --open',
    });
  });

  test('npx that runs the copy of the project installs into the project', async () => {
    const folder = project({ 'node_modules/assize/package.json': { name: 'assize', version } });
    const own = findPackage('assize', folder)!.folder;
    const given = caller({ folder, own, env: { npm_command: 'exec' } });
    expect(await problemOf(loadVerbs('@assize/greet', given, 'assize greet'))).toMatchObject({
      hint: 'npm install @assize/greet',
    });
  });

  test.each([
    [
      'its own version',
      '@assize/greet',
      { version: '9.9.9' },
      `npm install assize@${version} @assize/greet@${version}`,
    ],
    [
      'its peer',
      '@assize/greet',
      { version: '9.9.9', peerDependencies: { assize: '9.9.9' } },
      `npm install assize@${version} @assize/greet@${version}`,
    ],
    [
      'the peer of another author',
      'greet',
      { version: '1.2.3', peerDependencies: { assize: '9.9.9' } },
      'npm install assize@9.9.9 greet',
    ],
  ])('has another version: %s', async (_, name, manifest, hint) => {
    expect(await problemOf(loadVerbs(name, caller({ folder: dependent(name, manifest) }), 'assize greet'))).toEqual({
      code: 'ASZ601',
      message: `${name} ${manifest.version} is for assize 9.9.9, and this is assize ${version}`,
      hint,
    });
  });

  test('a range is left to npm, and another author has versions of their own', async () => {
    const folder = dependent('greet', { version: '1.2.3', peerDependencies: { assize: '>=0.1.0 <9.0.0' } });
    expect((await loadVerbs('greet', caller({ folder }), 'assize greet')).verbs).toHaveLength(1);
    const alone = dependent('greet', { version: '1.2.3' });
    expect((await loadVerbs('greet', caller({ folder: alone }), 'assize greet')).verbs).toHaveLength(1);
  });

  test('has no subpath, no verbs, or not the verb', async () => {
    const folder = dependent('greet', { exports: {} });
    expect(await problemOf(loadVerbs('greet', caller({ folder }), 'assize greet'))).toMatchObject({
      message: expect.stringContaining('greet cannot be loaded: '),
    });
    const none = project({ ...greeter('greet'), 'node_modules/greet/verbs.js': 'export const verbs = [{}];' });
    expect(await problemOf(loadVerbs('greet', caller({ folder: none }), 'assize greet'))).toMatchObject({
      message: 'greet/verbs does not export verbs',
    });
    const other = loadVerb('wave', { from: 'greet' }, caller({ folder: dependent('greet') }));
    expect(await problemOf(other)).toMatchObject({ message: 'greet/verbs does not export the verb wave' });
  });
});

test('the help lists the verbs whose package has another version', async () => {
  const title = 'Commands whose package has another version:';
  const line = `  greet: greet 1.2.3 is for assize 9.9.9, and this is assize ${version}: npm install assize@9.9.9 greet`;
  const wrong = dependent('greet', { version: '1.2.3', peerDependencies: { assize: '9.9.9' } });
  const { code, out, err } = await run(['--help'], wrong);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain(`\n${title}\n${line}\n\n`);
  expect((await run(['--help'], dependent('greet'))).out).not.toContain(title);

  const verbs = [['serve', { from: '@assize/serve' }]] as const;
  const files = greeter('@assize/serve', { version: '9.9.9' });
  expect(mismatchText(verbs, caller({ folder: project(files) }))).toContain(
    '  serve: @assize/serve 9.9.9 is for assize',
  );
  const other = { 'node_modules/assize/package.json': { version: '9.9.9', bin: { assize: 'cli.mjs' } } };
  expect(mismatchText(verbs, caller({ folder: project({ ...files, ...other }) }))).toBe('');
});

test('the help of a verb or a topic whose package is missing names it', async () => {
  const own = empty;
  const help = { args: ['help', 'greet'], own };
  expect(await problemOf(loadVerb('greet', { from: '@assize/greet' }, caller(help)))).toMatchObject({
    message: 'assize greet needs a package that is not installed: @assize/greet',
  });
  const style = { columns: 70, limit: 70, colour: false };
  expect(await problemOf(loadHelpTopic('manners', '@assize/greet', caller(help), style))).toMatchObject({
    message: 'assize help manners needs a package that is not installed: @assize/greet',
  });
});

test('the help lists the verbs whose package is missing', () => {
  const verbs = [
    ['greet', { from: '@assize/greet' }],
    ['wave', { from: '@assize/wave' }],
    ['nod', { from: '@assize/wave' }],
    ['serve', { from: '@assize/serve' }],
  ] as const;
  const folder = dependent('@assize/greet');
  expect(missingText(verbs, { folder, own: packageRoot() })).toBe(
    '\nCommands whose package is not installed:\n  wave, nod: npm install @assize/wave\n',
  );
  expect(missingText(verbs.slice(0, 1), { folder: empty, own: folder })).toBe('');
});

test('the help lists the verbs of the packages around the engine as they declare themselves', async () => {
  const { out } = await run(['--help'], empty);
  const flat = out.replace(/\s+/g, ' ');
  const io: Io = { ...silent(empty), loadStudio: () => Promise.reject(new Error('not called')) };
  for (const verb of [...evaluateVerbs, ...jobsVerbs, ...serveVerbs, ...studioVerbs]) {
    const command = new Command(verb.name);
    verb.declare(command, io);
    const args = command.registeredArguments.map((one) => (one.required ? `<${one.name()}> ` : `[${one.name()}] `));
    expect(flat).toContain(` ${verb.name} ${args.join('')}${verb.summary} `);
  }
});

describe("a package of the user's folder that has another copy of Assize", () => {
  const files = {
    ...greeter('@assize/greet'),
    'node_modules/assize/package.json': { name: 'assize', version: '9.9.9', bin: { assize: 'cli.mjs' } },
    'node_modules/assize/cli.mjs': `console.log('the other copy', ...process.argv.slice(2)); process.exitCode = 7;`,
  };

  test('hands over to that copy before versions are compared', async () => {
    const folder = project(files);
    const error = await loadVerbs('@assize/greet', caller({ folder }), 'assize greet').catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(HandOver);
    expect(error).toMatchObject({ cli: join(findPackage('assize', folder)!.folder, 'cli.mjs') });
  });

  test('the copy itself does not hand over', async () => {
    const folder = project({ ...files, ...greeter('@assize/greet') });
    const own = findPackage('assize', folder)!.folder;
    expect((await loadVerbs('@assize/greet', caller({ folder, own }), 'assize greet')).verbs).toHaveLength(1);
  });

  const cli = join(packageRoot(), 'dist', 'bundle', 'cli.js');
  test.skipIf(!existsSync(cli))('the process continues with its arguments and its exit code', () => {
    const folder = project({ ...files, ...greeter('greet'), 'package.json': { devDependencies: { greet: '*' } } });
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'greet', 'Ada', '--loud'], {
      cwd: folder,
      encoding: 'utf8',
      timeout: PATIENCE_MS,
    });
    expect({ status, stdout, stderr }).toEqual({ status: 7, stdout: 'the other copy greet Ada --loud\n', stderr: '' });
  });
});

describe('the verbs of a project', () => {
  const folder = dependent('greet');
  const ignoredRank =
    'warning ASZ741 the verb rank of the package greet is ignored: assize has a verb with this name\n' +
    '  rename the verb in greet, or remove the package\n';

  test('are ignored with one warning if the core, a package around it, or an earlier package has the name', async () => {
    const taken = project({
      'package.json': { dependencies: { greet: '*', wave: '*' } },
      ...greeter('greet', { assize: { verbs: { rank: 'a', greet: 'b' } } }),
      ...greeter('wave', { assize: { verbs: { serve: 'c', greet: 'd' } } }),
    });
    const { code, err } = await run(['--help'], taken);
    expect({ code, warnings: err.split('\n').filter((line) => line.startsWith('warning')) }).toEqual({
      code: 0,
      warnings: [
        'warning ASZ741 the verb rank of the package greet is ignored: assize has a verb with this name',
        'warning ASZ741 the verb serve of the package wave is ignored: @assize/serve has a verb with this name',
        'warning ASZ741 the verb greet of the package wave is ignored: greet has a verb with this name',
      ],
    });
    expect(await run(['rank', '--help'], taken)).toMatchObject({ code: 0, err: ignoredRank });
    expect(await run(['score', '--help'], taken)).toMatchObject({ code: 0, err: '' });
  });

  test('are listed by the help without importing them', async () => {
    const broken = project({
      'package.json': { devDependencies: { greet: '*', absent: '*', plain: '*' } },
      ...greeter('greet', { assize: { verbs: { greet: 'greet a person', rank: 'not this one', '-x': 'nor this' } } }),
      'node_modules/greet/verbs.js': 'throw new Error("imported");',
      'node_modules/plain/package.json': { name: 'plain', assize: true },
    });
    const { code, out, err } = await run(['--help'], broken);
    expect({ code, err }).toEqual({ code: 0, err: ignoredRank });
    expect(out).toMatch(/^ {2}greet +greet a person$/m);
    expect(out).not.toMatch(/not this one|nor this|not installed|another version/);
    expect(offeredVerbs(broken).map(({ name }) => name)).toEqual(['greet', 'rank']);
    expect(offeredVerbs(empty)).toEqual([]);
  });

  test('run, and show their help', async () => {
    expect(await run(['greet', 'Ada'], folder)).toEqual({ code: 0, out: 'hello Ada\n', err: '' });
    const help = await run(['help', 'greet'], folder);
    expect(help).toMatchObject({ code: 0, out: expect.stringMatching(/^Usage: assize greet \[options\] <person>/) });
    expect(await run(['greet', '--help'], folder)).toEqual(help);
    expect(await run(['greet'], folder)).toMatchObject({
      code: 2,
      err: expect.stringContaining('<person> is missing'),
    });
  });

  test('are suggested for typos, and unknown without the package', async () => {
    expect(await run(['gret'], folder)).toMatchObject({ code: 2, err: expect.stringContaining('did you mean greet?') });
    expect(await run(['greet'], empty)).toMatchObject({
      code: 2,
      err: expect.stringContaining('unknown command greet'),
    });
  });

  test('a verb of a package that cannot be used ends with the code of a wrong command line', async () => {
    const wrong = dependent('greet', { version: '1.2.3', peerDependencies: { assize: '9.9.9' } });
    const { code, out, err } = await run(['greet', 'Ada'], wrong);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(
      `error ASZ601 greet 1.2.3 is for assize 9.9.9, and this is assize ${version}\n  npm install assize@9.9.9 greet\n`,
    );
  });
});
