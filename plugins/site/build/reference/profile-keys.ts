import { profileKeys, type ProfileKey } from '../../../../test/reference/profile-keys.js';
import { type Generated, table } from '../generated.js';
import type { PageSpec } from '../page.js';

const INTRO = `# Keys of a profile

Every key that a profile can have, from the schema that editors use. In a path, \`*\` is a name that
you choose and \`[]\` is an item of a list. The params of a class are on the page of the class.
`;

/** One key, as a section: its name is found by the search, and its anchor can be linked to. */
function keySection([key, type, fallback, description]: ProfileKey): string {
  const facts = [
    ...(type.trim() === '' ? [] : [`Type: ${type.trim()}.`]),
    ...(fallback === 'required' ? ['Required.'] : fallback === '' ? [] : [`Default: ${fallback}.`]),
  ];
  return [`## ${key}`, description, facts.join(' ')].filter((part) => part !== '').join('\n\n');
}

/**
 * A page for each key of the root that has keys, and one with all keys of the root.
 *
 * @param replaced the table in a README that these pages replace
 */
export function keyPages(replaced: string): Generated {
  const keys = profileKeys();
  const rootOf = (key: string): string => /^\w+/.exec(key)?.[0] ?? key;
  const roots = keys.filter(([key]) => rootOf(key) === key);
  const files = new Map<string, string>();
  const pages: PageSpec[] = [];
  for (const root of roots) {
    const [name, type, , description] = root;
    const own = keys.filter(([key]) => rootOf(key) === name && key !== name);
    if (own.length === 0) continue;
    const path = `@keys/${name}.md`;
    const start = [`# ${name}`, description, `Type: ${type}.`].filter((part) => part !== '').join('\n\n');
    files.set(path, [start, ...own.map(keySection)].join('\n\n'));
    pages.push({ route: `profile/${name}`, title: name, parts: [path] });
  }
  const rows = roots.map(([name, type, fallback, description]) => {
    const shown = files.has(`@keys/${name}.md`) ? `[\`${name}\`](/reference/profile/${name})` : `\`${name}\``;
    return [shown, type, fallback, description];
  });
  files.set('@keys/index.md', `${INTRO}\n${table(['key', 'type', 'default', 'meaning'], rows)}\n`);
  const index: PageSpec = {
    route: 'profile/index',
    title: 'All keys',
    parts: ['@keys/index.md'],
    replaces: [replaced],
  };
  return { groups: [{ title: 'Keys of a profile', pages: [index, ...pages] }], files };
}
