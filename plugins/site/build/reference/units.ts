import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readPlugin } from '../../../../src/profile/registry/read-plugin.js';
import { factsTable, unitsTable } from '../../../../test/reference/units.js';
import type { Generated } from '../generated.js';
import type { PageGroup, PageSpec } from '../page.js';

/** The groups of the units of each plugin: a page for each class, which is a section of the plugin's README. */
export async function unitPages(root: string, built: string): Promise<Generated> {
  const files = new Map<string, string>();
  const groups: PageGroup[] = [];
  const names = readdirSync(join(root, 'plugins')).filter((name) =>
    existsSync(join(root, 'plugins', name, 'index.ts')),
  );
  for (const name of ['core', ...names.filter((one) => one !== 'core')]) {
    // oxlint-disable-next-line no-await-in-loop -- a few modules, in the order of the pages
    const module = (await import(pathToFileURL(join(built, 'plugins', name, 'index.js')).href)) as Record<
      string,
      unknown
    >;
    const units = [...readPlugin(name, module, 'module').units].toSorted(([a], [b]) => (a < b ? -1 : 1));
    if (units.length === 0) continue;
    const links = unitsTable(units).replaceAll(/\[(\w+)\]\(#\w+\)/g, `[$1](/reference/${name}/$1)`);
    files.set(`@units/${name}.md`, `# Classes of the plugin ${name}\n\n${links}\n`);
    const pages = units.map(([unit, made]): PageSpec => {
      files.set(`@units/${name}/${unit}.md`, `# ${unit}\n\n${factsTable(made)}\n`);
      const section = `plugins/${name}/README.md#${unit}`;
      return { route: `${name}/${unit}`, title: unit, parts: [`@units/${name}/${unit}.md`, section] };
    });
    const index: PageSpec = { route: `${name}/index`, title: 'All classes', parts: [`@units/${name}.md`] };
    groups.push({ title: `Classes of ${name}`, pages: [index, ...pages], apart: name });
  }
  return { groups, files };
}
