import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { type Block, blocksOf } from '../reference/documents.js';
import { CLI } from './packages.js';
import { outcome } from './run.js';

/** Where a quick start runs. */
interface QuickStartOptions {
  /** A folder that does not exist yet. */
  readonly folder: string;
  /** The folder that has the packages installed. */
  readonly installed: string;
  /** The path of Node. */
  readonly node: string;
}

/** A README's commands and programs that print something else than the README shows. */
export interface QuickStart {
  readonly ran: number;
  readonly differences: readonly string[];
}

const isFile = (block: Block): block is Block & { readonly file: string } =>
  block.file !== undefined && block.language !== 'text';

/**
 * Does what a README shows: writes its files, runs its commands and programs, and compares what they print with the
 * block that follows.
 */
export async function runQuickStart(
  readme: string,
  { folder, installed, node }: QuickStartOptions,
): Promise<QuickStart> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const blocks = blocksOf(readme);
  for (const { file, text, language } of blocks.filter(isFile)) {
    writeFileSync(join(folder, file), text);
    if (language !== 'ts') continue;
    // oxlint-disable-next-line no-await-in-loop -- a few small files
    const { code } = await transform(text, { loader: 'ts', format: 'esm', target: 'es2022' });
    writeFileSync(join(folder, file.replace(/\.ts$/, '.js')), code);
  }
  const runs = blocks.flatMap(({ language, file, text }, index) => {
    const args = language === 'text' ? argumentsFor(file, blocks[index - 1]) : undefined;
    return args === undefined ? [] : [{ args, expected: text.trim() }];
  });
  const differences = runs.flatMap(({ args, expected }) => {
    const [code, printed] = outcome(node, args, { cwd: folder });
    const output = printed.trim();
    return output === expected ? [] : [`${args.join(' ')} (exit code ${code}) printed:\n${output}`];
  });
  return { ran: runs.length, differences };
}

/** Node's arguments for the command or the program whose output a block shows. */
function argumentsFor(program: string | undefined, before: Block | undefined): readonly string[] | undefined {
  if (program !== undefined) return [program.replace(/\.ts$/, '.js')];
  const [line = ''] = before?.language === 'sh' ? before.text.trim().split('\n') : [];
  const [npx, assize, ...args] = Array.from(line.matchAll(/'([^']*)'|\S+/g), ([word, quoted]) => quoted ?? word);
  return npx === 'npx' && assize === 'assize' ? [CLI, ...args] : undefined;
}

/** The packages that the programs of a README import. */
export function packagesOf(readme: string): readonly string[] {
  const programs = blocksOf(readme).filter(({ language, file }) => language === 'ts' && file !== undefined);
  const names = programs.flatMap(({ text }) =>
    [...text.matchAll(/^import\b[^;]*?'((?:@[\w-]+\/)?[\w-]+)[^']*';$/gm)].map(([, name = '']) => name),
  );
  return [...new Set(names)].filter((name) => name !== 'node');
}
