import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { unitParams } from '../src/cli/list/unit-text.js';
import { readPlugin } from '../src/registry/read-plugin.js';
import { withBlock } from './reference/blocks.js';
import { codesTable } from './reference/codes.js';
import { paramsTable, unitsTable } from './reference/units.js';

/**
 * What documents say of codes, units and params is what the code says of them. `UPDATE_README=1 npm run test:unit --
 * test/reference.test.ts` writes it anew.
 */
const root = fileURLToPath(new URL('..', import.meta.url));

/** A document as it stands, and as it should; the same once it has been written. One that is missing has a start. */
function compared(
  file: string,
  generate: (document: string) => string,
  start = '',
): { stands: string; should: string } {
  const stands = existsSync(file) ? readFileSync(file, 'utf8') : start;
  const should = generate(stands);
  if (!process.env['UPDATE_README']) return { stands, should };
  writeFileSync(file, should);
  return { stands: should, should };
}

test('the README has every code', () => {
  const { stands, should } = compared(`${root}README.md`, (document) =>
    withBlock(document, 'codes', codesTable(), '## Problems and their codes'),
  );
  expect(stands).toBe(should);
});

const packs = readdirSync(`${root}plugins`).filter((name) => existsSync(`${root}plugins/${name}/index.ts`));

describe.each(packs)('the pack %s', async (name) => {
  const module = (await import(pathToFileURL(`${root}plugins/${name}/index.ts`).href)) as Record<string, unknown>;
  const units = [...readPlugin(name, module, 'module').units].toSorted(([a], [b]) => (a < b ? -1 : 1));

  test.skipIf(units.length === 0)('has its units and their params in its README', () => {
    const { stands, should } = compared(
      `${root}plugins/${name}/README.md`,
      (document) =>
        units.reduce(
          (text, [unit, made]) => withBlock(text, `params of ${unit}`, paramsTable(made), `## ${unit}`),
          withBlock(document, 'units', unitsTable(units), '## Units'),
        ),
      `# The pack \`${name}\`\n`,
    );
    expect(stands).toBe(should);
  });

  test('describes every param', () => {
    const bare = units.flatMap(([unit, made]) =>
      unitParams(made).flatMap(({ key, description }) => (description ? [] : [`${unit}.${key}`])),
    );
    expect(bare).toEqual([]);
  });
});
