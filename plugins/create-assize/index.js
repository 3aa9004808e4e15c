#!/usr/bin/env node
/**
 * `npm create assize NAME` runs `assize new project NAME`.
 *
 * @module
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const manifest = require.resolve('assize/package.json');
const { bin } = require(manifest);

const args = process.argv.slice(2);
if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
  console.log(`Usage: npm create assize NAME
       npx create-assize NAME [--ts] [--folder PATH]

Writes a folder with a profile, candidates, a scorer, tests and a CI step.

  --ts             in TypeScript (with npm create: npm create assize NAME -- --ts)
  --folder PATH    where to write it; by default a folder with its name`);
  process.exitCode = args.length === 0 ? 2 : 0;
} else {
  process.argv.splice(2, args.length, 'new', 'project', ...args);
  await import(pathToFileURL(join(dirname(manifest), bin.assize)).href);
}
