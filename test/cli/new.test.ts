import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { templateNames } from '../../src/cli/new/template-names.js';
import { packageRoot } from '../../src/base/package-root.js';
import { assize, inFolder } from './run-here.js';
import { temporaryFolder } from '../temporary-folder.js';

inFolder({ 'things.json': '[{"id":"a","value":3},{"id":"b","value":8},{"id":"c"}]' });

const ROOT = packageRoot();
const MAIN = join(ROOT, 'dist', 'bundle', 'cli.js');

describe('assize new', () => {
  it('writes a scorer with its test and package, and prints the next steps', async () => {
    expect(await assize(['new', 'scorer', 'brevity'])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "err": "",
        "out": "wrote brevity-scorer/brevity-scorer-test.js
      wrote brevity-scorer/brevity-scorer.js
      wrote brevity-scorer/package.json

      Test it:   cd brevity-scorer && npm install && npm test
      Use it in a profile next to that folder:
        plugins: [./brevity-scorer/brevity-scorer.js]
        tier2_scorers: [{ id: brevity, class: BrevityScorer }]
      ",
      }
    `);
    expect(JSON.parse(readFileSync('brevity-scorer/package.json', 'utf8'))).toMatchObject({
      name: 'brevity-scorer',
      type: 'module',
      main: './brevity-scorer.js',
      peerDependencies: { assize: expect.stringMatching(/^\^\d/) },
    });
    expect(readFileSync('brevity-scorer/brevity-scorer.js', 'utf8')).toContain('export class BrevityScorer {');
  });

  it('writes units that a profile can name immediately, and lists them', async () => {
    await assize(['new', 'scorer', 'LoudScorer', '--folder', 'packs/loud']);
    await assize(['new', 'veto', 'too-big', '--folder', 'packs/big']);
    writeFileSync(
      'mine.yaml',
      `plugins: [./packs/loud/loud-scorer.js, ./packs/big/too-big-veto.js]
tier1_scorers: [{ id: too_big, class: TooBigVeto, params: { most: 5 } }]
tier2_scorers: [{ id: loud, class: LoudScorer, params: { most: 10 }, on_absent: 0 }]
`,
    );
    const { code, out, err } = await assize(['score', '-p', './mine.yaml', 'things.json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatchInlineSnapshot(`
      "mine: 3 candidates, 1 refused

      id  score
      ────────────────────────────────
      a   0.300
      b       –  too_big: 8 is above 5
      c   0.000
      "
    `);
    const listed = await assize(['list', '--pack', './packs/big/too-big-veto.js']);
    expect(listed.out).toContain('TooBigVeto  veto: Refuses candidates with a number that is too high.');
  });

  it('writes TypeScript with --ts, which a profile can name directly', async () => {
    expect((await assize(['new', 'scorer', 'fast', '--ts'])).out).toMatchInlineSnapshot(`
      "wrote fast-scorer/fast-scorer-test.ts
      wrote fast-scorer/fast-scorer.ts
      wrote fast-scorer/package.json
      wrote fast-scorer/tsconfig.json

      Test it:   cd fast-scorer && npm install && npm test
      Use it in a profile next to that folder:
        plugins: [./fast-scorer/fast-scorer.ts]
        tier2_scorers: [{ id: fast, class: FastScorer }]
      "
    `);
    await assize(['new', 'veto', 'too-high', '--ts', '--folder', 'packs/high']);
    expect(JSON.parse(readFileSync('packs/high/package.json', 'utf8'))).toMatchObject({
      main: './dist/too-high-veto.js',
      peerDependencies: { assize: expect.stringMatching(/^\^\d/) },
    });
    writeFileSync(
      'typed.yaml',
      `plugins: [./fast-scorer/fast-scorer.ts, ./packs/high/too-high-veto.ts]
tier1_scorers: [{ id: too_high, class: TooHighVeto, params: { most: 5 } }]
tier2_scorers: [{ id: fast, class: FastScorer, params: { most: 10 }, on_absent: 0 }]
`,
    );
    const { code, out, err } = await assize(['score', '-p', './typed.yaml', 'things.json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('a   0.300\nb       –  too_high: 8 is above 5\nc   0.000\n');
  });

  it('writes a valid profile', async () => {
    expect((await assize(['new', 'profile', 'team'])).out).toMatchInlineSnapshot(`
      "wrote team.yaml

      assize check ./team.yaml
      assize rank --profile ./team.yaml FILE
      "
    `);
    expect(await assize(['check', './team.yaml'])).toEqual({
      code: 0,
      out: 'team: fine (1 veto, 2 scorers)\n',
      err: '',
    });
  });

  it('overwrites no file, and then writes nothing else', async () => {
    mkdirSync('calm-scorer');
    writeFileSync('calm-scorer/calm-scorer.js', 'mine');
    expect(await assize(['new', 'scorer', 'calm'])).toMatchInlineSnapshot(`
      {
        "code": 1,
        "err": "error ASZ604 calm-scorer/calm-scorer.js already exists
        nothing was written: choose another name, or another folder with --folder
      ",
        "out": "",
      }
    `);
    expect(readFileSync('calm-scorer/calm-scorer.js', 'utf8')).toBe('mine');
    expect(existsSync('calm-scorer/package.json')).toBe(false);
  });

  it.each([
    ['a missing kind', ['new']],
    ['a missing name', ['new', 'scorer']],
    ['an unknown kind', ['new', 'signal', 'mood']],
    ['a path for a name', ['new', 'scorer', '../evil']],
    ['a number for a name', ['new', 'veto', '1st']],
    ['its kind for a name', ['new', 'scorer', 'Scorer']],
    ['an empty name', ['new', 'profile', '']],
    ['a profile in TypeScript', ['new', 'profile', 'team', '--ts']],
  ])('reports %s', async (_, args) => {
    const { code, out, err } = await assize(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatchSnapshot();
  });
});

describe('a name', () => {
  it.each(['brevity', 'Brevity', 'BrevityScorer', 'brevity-scorer', 'brevity_scorer'])('spelled %s', (given) => {
    expect(templateNames('scorer', given)).toEqual({ class: 'BrevityScorer', file: 'brevity-scorer', id: 'brevity' });
  });

  it('of several words', () => {
    expect(templateNames('veto', 'tooLong')).toEqual({ class: 'TooLongVeto', file: 'too-long-veto', id: 'too_long' });
    expect(templateNames('profile', 'My Team').file).toBe('my-team');
  });
});

/** A separate project that has the built package installed. */
function project(): { folder: string; run: (command: string, ...args: string[]) => string } {
  const folder = temporaryFolder('assize-project-');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'assize'));
  const env = { ...process.env, NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined, NO_COLOR: '1' };
  return {
    folder,
    run(command, ...args) {
      const { stdout, stderr, status } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', env });
      return `${stdout}${stderr}exit code ${status}`;
    },
  };
}

describe.skipIf(!existsSync(MAIN))('a TypeScript package, in a separate project', () => {
  it.each(['scorer', 'veto'] as const)(
    'compiles strictly with its tsconfig.json, and passes its test: %s',
    async (kind) => {
      const { folder, run } = project();
      const into = join(folder, 'mine');
      expect((await assize(['new', kind, 'mine', '--ts', '--folder', into])).code).toBe(0);
      mkdirSync(join(folder, 'node_modules', '@types'));
      symlinkSync(join(ROOT, 'node_modules', '@types', 'node'), join(folder, 'node_modules', '@types', 'node'));
      expect(run(join(ROOT, 'node_modules', '.bin', 'tsc'), '-p', into)).toBe('exit code 0');
      const tested = run(process.execPath, '--test', '--test-reporter=tap', `mine/dist/mine-${kind}-test.js`);
      expect(tested).toMatch(/# pass 2\n# fail 0\n[\s\S]*exit code 0$/);
      expect(readFileSync(join(into, 'dist', `mine-${kind}.d.ts`), 'utf8')).toContain('export declare class Mine');
    },
  );
});

describe.skipIf(!existsSync(MAIN))('next to the tests of a user', () => {
  it.each(['scorer', 'veto'])("Vitest runs the user's tests and not the generated one: %s", (kind) => {
    const { folder, run } = project();
    expect(run(process.execPath, MAIN, 'new', kind, 'mine')).toContain('exit code 0');
    writeFileSync(join(folder, 'own.test.mjs'), 'test("own", () => {});\n');
    const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
    expect(run(process.execPath, vitest, 'run', '--globals', '--root', folder)).toMatch(
      /Test Files {2}1 passed \(1\)[^]*exit code 0$/,
    );
  });
});

describe.skipIf(!existsSync(MAIN))('a generated package, in a separate project', () => {
  it.each([
    ['scorer', 'tier2_scorers', 'b,0.8'],
    ['veto', 'tier1_scorers', 'b,null'],
  ])('passes its test, type-checks, and works in a profile: %s', (kind, tier, expected) => {
    const { folder, run } = project();
    const name = `mine-${kind}`;
    expect(run(process.execPath, MAIN, 'new', kind, 'mine')).toContain(`wrote ${name}/${name}-test.js`);
    // The flags of `--test` and its output differ between Node versions, so `npm test` is not compared.
    const tested = run(process.execPath, '--test', '--test-reporter=tap', `${name}/${name}-test.js`);
    expect(tested).toMatch(/# pass 2\n# fail 0\n[\s\S]*exit code 0$/);

    const compilerOptions = { module: 'NodeNext', target: 'ES2022', strict: true, allowJs: true, noEmit: true };
    const options = { ...compilerOptions, skipLibCheck: true, types: [] };
    const include = [`${name}/${name}.js`];
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include }));
    expect(run(join(ROOT, 'node_modules', '.bin', 'tsc'), '-p', '.')).toBe('exit code 0');

    // As npm installs it: the profile names the package alone.
    symlinkSync(join(folder, name), join(folder, 'node_modules', name));
    const entry = `{ id: mine, class: Mine${kind === 'veto' ? 'Veto' : 'Scorer'}, params: { most: ${kind === 'veto' ? 5 : 10} } }`;
    writeFileSync(join(folder, 'mine.yaml'), `plugins: [${name}]\n${tier}: [${entry}]\n`);
    writeFileSync(join(folder, 'things.csv'), 'id,value\na,3\nb,8\n');
    const rows = run(process.execPath, MAIN, 'score', '-p', './mine.yaml', '--format', 'jsonl', 'things.csv');
    expect(rows).toContain('exit code 0');
    const [id, score] = expected.split(',');
    expect(rows).toContain(`{"id":"${id}","index":1,"score":${score}`);
  });
});
