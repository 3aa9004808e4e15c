import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { AssizeError, createPipeline } from '../src/index.js';

/**
 * Everything in the README that can be run is run: files are written, commands and programs executed, and the output
 * that it prints is what they print. `UPDATE_README=1 npm run test:unit -- test/readme.test.ts` rewrites the output.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}dist/readme`; // below the package, so that it can import `assize` as a user does
const readme = readFileSync(`${root}README.md`, 'utf8');

interface Block {
  readonly language: string;
  readonly file: string | undefined;
  readonly text: string;
}

const blocks: readonly Block[] = [...readme.matchAll(/^```(\w*) ?(\S*)\n([\s\S]*?)^```$/gm)].map(
  ([, language = '', file = '', text = '']) => ({ language, file: file || undefined, text }),
);

const outputs = new Map<string, string>();

/** What a command prints. It is run once, however often it is asked for. */
function assize(command: string): string {
  const before = outputs.get(command);
  if (before !== undefined) return before;
  const args = command.split(' ').slice(2);
  const env = { ...process.env, NO_COLOR: '1', COLUMNS: '80' };
  const { stdout, stderr } = spawnSync(process.execPath, [`${root}dist/bundle/cli.js`, ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  const said = `${stdout}${stderr}`.trim();
  outputs.set(command, said);
  return said;
}

function write(): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { language, file, text } of blocks)
    if (file && language !== 'text') writeFileSync(`${folder}/${file}`, text);
  const traces = JSON.parse(readFileSync(`${root}config/demo/traces.json`, 'utf8')) as object[];
  writeFileSync(`${folder}/traces.jsonl`, traces.map((trace) => JSON.stringify(trace)).join('\n'));
}

/** The README as it would be if every printed output were what is printed now. */
function printed(): string {
  let output: string | undefined;
  return readme.replace(
    /^```(\w*) ?(\S*)\n([\s\S]*?)^```$/gm,
    (block, language: string, file: string, text: string) => {
      if (language === 'sh' && text.startsWith('npx assize')) output = assize(text.trim().split('\n')[0] ?? '');
      if (language !== 'text') return block;
      if (file)
        output = execFileSync(process.execPath, [`${folder}/${file.replace(/\.ts$/, '.js')}`], {
          encoding: 'utf8',
        }).trim();
      return output === undefined ? block : `\`\`\`text${file && ` ${file}`}\n${output}\n\`\`\``;
    },
  );
}

describe('the README', () => {
  write();

  test('its TypeScript compiles as a user would compile it', () => {
    for (const [index, { language, file, text }] of blocks.entries()) {
      if (language === 'ts' && !file) writeFileSync(`${folder}/snippet-${index}.ts`, `${text}export {};\n`);
    }
    const compilerOptions = { module: 'NodeNext', target: 'ES2022', strict: true, skipLibCheck: true, types: ['node'] };
    writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const { stdout, status } = spawnSync(`${root}node_modules/.bin/tsc`, ['-p', folder], { encoding: 'utf8' });
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
  });

  test('prints what its commands and programs print', () => {
    const now = printed();
    if (process.env['UPDATE_README']) writeFileSync(`${root}README.md`, now);
    else expect(readme).toBe(now);
  });

  test('every profile in it is fine, or says why not', async () => {
    const files = blocks.flatMap(({ language, file }) => (language === 'yaml' && file ? [file] : []));
    const verdicts = files.map((file) =>
      createPipeline(`${folder}/${file}`).then(
        () => `${file}: fine`,
        (error: unknown) => `${file}: ${error instanceof AssizeError ? 'broken' : String(error)}`,
      ),
    );
    expect(await Promise.all(verdicts)).toEqual(
      files.map((file) => `${file}: ${file === 'broken.yaml' ? 'broken' : 'fine'}`),
    );
  });

  test('every command in it runs', () => {
    const commands = blocks.flatMap(({ language, text }) => (language === 'sh' ? text.trim().split('\n') : []));
    const scripts = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: Record<string, string> };
    for (const command of commands) {
      const [, script] = /^npm (?:run )?(\w+)/.exec(command) ?? [];
      if (script) expect(Object.keys(scripts.scripts)).toContain(script);
      else expect(assize(command), command).not.toContain('wrongly');
    }
  });

  test('every link to a file leads somewhere', () => {
    for (const [, link = ''] of readme.matchAll(/\]\((?!http)([^)#]+)\)/g))
      expect(() => readFileSync(`${root}${link}`), link).not.toThrow();
  });
});
