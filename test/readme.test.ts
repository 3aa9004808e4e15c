import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { AssizeError, createPipeline } from 'assize';
import { blocksOf, type Document, documents, replaceBlocks, root } from './reference/documents.js';

/**
 * Everything in the documents that can run is run: files are written, commands and programs executed, and their output
 * is compared with the text that follows. `UPDATE_README=1 npm run test:unit -- test/readme.test.ts` rewrites that
 * text.
 *
 * Each document has its own folder, with the files of README.md, because the other documents build on them.
 */
const base = `${root}dist/readme`; // below the package, so that it can import `assize` as a user does

const isWritten = (language: string, file: string | undefined): file is string =>
  file !== undefined && language !== 'text';

/** The files that every document may use: the profiles and candidates of README.md, but none of its programs. */
const shared = blocksOf(documents[0]!.text).filter(
  ({ language, file }) => isWritten(language, file) && language !== 'ts',
);

class Example {
  readonly folder: string;
  readonly blocks;
  readonly #outputs = new Map<string, string>();

  constructor(readonly document: Document) {
    this.folder = `${base}/${document.path.replaceAll('/', '-').replace(/\.md$/, '')}`;
    this.blocks = blocksOf(document.text);
  }

  write(): void {
    mkdirSync(`${this.folder}/node_modules`, { recursive: true });
    symlinkSync(root, `${this.folder}/node_modules/assize`, 'junction'); // the path of the package's files for a user
    for (const { language, file, text } of [...shared, ...this.blocks])
      if (isWritten(language, file)) writeFileSync(`${this.folder}/${file}`, text);
    for (const [index, { language, file, text }] of this.blocks.entries())
      if (language === 'ts' && !file) writeFileSync(`${this.folder}/snippet-${index}.ts`, `${text}export {};\n`);
  }

  /** The output of a command, which runs once, however often it is requested. */
  command(line: string): string {
    const before = this.#outputs.get(line);
    if (before !== undefined) return before;
    const [, , ...args] = Array.from(line.matchAll(/'([^']*)'|\S+/g), ([word, quoted]) => quoted ?? word);
    const { stdout, stderr } = spawnSync(process.execPath, [`${root}dist/bundle/cli.js`, ...args], {
      cwd: this.folder,
      env: { ...process.env, NO_COLOR: '1', COLUMNS: '80' },
      encoding: 'utf8',
    });
    const output = `${stdout}${stderr}`.trim();
    this.#outputs.set(line, output);
    return output;
  }

  program(file: string): string {
    return execFileSync(process.execPath, [`${this.folder}/${file.replace(/\.ts$/, '.js')}`], {
      cwd: this.folder,
      encoding: 'utf8',
    }).trim();
  }

  /** The document with every printed output replaced by the present one. */
  printed(): string {
    let output: string | undefined;
    return replaceBlocks(this.document.text, (block, { language, file, text }) => {
      if (language === 'sh')
        output = text.startsWith('npx assize') ? this.command(text.trim().split('\n')[0] ?? '') : undefined;
      if (language !== 'text') return block;
      if (file) output = this.program(file);
      return output === undefined ? block : `\`\`\`text${file ? ` ${file}` : ''}\n${output}\n\`\`\``;
    });
  }
}

const examples = documents.filter(({ tested }) => tested).map((document) => new Example(document));
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: Record<string, string> };
const schema = JSON.parse(readFileSync(`${root}config/profile.schema.json`, 'utf8')) as { properties: object };

rmSync(base, { recursive: true, force: true });
for (const example of examples) example.write();

test("the TypeScript of all documents compiles like a user's", () => {
  const compilerOptions = { module: 'NodeNext', target: 'ES2022', strict: true, skipLibCheck: true, types: ['node'] };
  writeFileSync(`${base}/tsconfig.json`, JSON.stringify({ compilerOptions, include: ['*/*.ts'] }));
  const { stdout, status } = spawnSync(`${root}node_modules/.bin/tsc`, ['-p', base], { encoding: 'utf8' });
  expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
});

describe.each(examples.map((example) => [example.document.path, example] as const))('%s', (_, example) => {
  const { document, blocks, folder } = example;

  test('shows the output of its commands and programs', () => {
    const now = example.printed();
    if (process.env['UPDATE_README']) writeFileSync(root + document.path, now);
    else expect(document.text).toBe(now);
  });

  test('every profile in it is valid, or is followed by its problems', async () => {
    const files = blocks.flatMap(({ language, file }) => (language === 'yaml' && file ? [file] : []));
    const verdicts = files.map((file) =>
      createPipeline(`${folder}/${file}`).then(
        () => `${file}: fine`,
        (error: unknown) => `${file}: ${error instanceof AssizeError ? 'broken' : String(error)}`,
      ),
    );
    expect(await Promise.all(verdicts)).toEqual(
      files.map((file) => `${file}: ${file.startsWith('broken') ? 'broken' : 'fine'}`),
    );
  });

  test('every fragment of a profile in it is valid', () => {
    const parts = blocks.flatMap(({ language, file, text }) => (language === 'yaml' && !file ? [text] : []));
    const keys = parts.flatMap((text) => Object.keys(parse(text) as object));
    expect(keys.filter((key) => !Object.hasOwn(schema.properties, key))).toEqual([]);
  });

  test('every command in it runs', () => {
    const commands = blocks.flatMap(({ language, text }) => (language === 'sh' ? text.trim().split('\n') : []));
    for (const command of commands) {
      const [, script] = /^npm (?:run )?(\w+)/.exec(command) ?? [];
      if (script === 'install') continue;
      if (script) expect(Object.keys(scripts)).toContain(script);
      else expect(example.command(command), command).not.toContain('wrongly');
    }
  });
});

test('README.md has one page', () => {
  expect(documents[0]?.text.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});
