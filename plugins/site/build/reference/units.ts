import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readPlugin } from '../../../../src/profile/registry/read-plugin.js';
import { factsTable } from '../../../../test/reference/units.js';
import type { Generated } from '../generated.js';
import type { PageGroup, PageSpec } from '../page.js';
import { parseSource } from '../source.js';

/** A page of a plugin. */
interface PluginPage {
  readonly path: string;
  readonly text: string;
}

const pagesOf = (root: string, name: string): readonly PluginPage[] =>
  readdirSync(join(root, 'plugins', name))
    .filter((file) => file.endsWith('.md'))
    .toSorted()
    .map((file) => {
      const path = `plugins/${name}/${file}`;
      return { path, text: readFileSync(join(root, path), 'utf8') };
    });

/** The page whose table lists all classes of the plugin: a file, or the section `Units` of its README. */
function tableOf(name: string, pages: readonly PluginPage[]): string {
  const marked = pages.filter(({ text }) => text.includes('<!-- units -->'));
  const page = marked[0];
  if (page === undefined) throw new Error(`no page of the plugin ${name} has a table of its classes`);
  return page.path.endsWith('/README.md') ? `${page.path}#Units` : page.path;
}

/**
 * The groups of the classes of each plugin: a page for each class, which is a section of the page of the plugin that has
 * its params, and what remains of these pages.
 */
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
    const pages = pagesOf(root, name);
    const table = tableOf(name, pages);
    const classes = units.map(([unit, made]): PageSpec => {
      const page = pages.find(({ text }) => text.includes(`<!-- params of ${unit} -->`));
      if (page === undefined) throw new Error(`no page of the plugin ${name} has the params of ${unit}`);
      files.set(`@units/${name}/${unit}.md`, `# ${unit}\n\n${factsTable(made)}\n`);
      return { route: `${name}/${unit}`, title: unit, parts: [`@units/${name}/${unit}.md`, `${page.path}#${unit}`] };
    });
    const topics = pages
      .filter(({ path, text }) => text.includes('<!-- params of ') && !path.endsWith('/README.md') && path !== table)
      .map(({ path, text }): PageSpec => {
        const topic = /(\w[\w-]*)\.md$/.exec(path)?.[1] ?? '';
        return { route: `${name}/${topic}`, title: parseSource(path, text).title, parts: [path], listsSections: true };
      });
    const index: PageSpec = { route: `${name}/index`, title: 'All classes', parts: [table] };
    groups.push({ title: `Classes of ${name}`, pages: [index, ...topics, ...classes], apart: name });
  }
  return { groups, files };
}
