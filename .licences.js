/** The licences of the packages that `.bundle.js` bundles. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const packages = new Map();

/** The package that a module in `node_modules` belongs to. */
export function packageOf(id) {
  const folder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0];
  if (folder === undefined) return undefined;
  if (!packages.has(folder)) {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    packages.set(folder, { folder, name, version, license });
  }
  return packages.get(folder);
}

function licenceText({ folder, name }) {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:\.\w+)?$/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence file`);
  return readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
}

const byName = (a, b) => (a.name < b.name ? -1 : 1);
const title = ({ name, version, license }) => `${name} ${version} (${license})`;

/** Collects the packages in each file of some builds: a line for the head of the file, and a text with all licences. */
export function licenceCollector(published) {
  const all = new Set();
  return {
    banner({ modules }) {
      const rendered = Object.entries(modules).filter(([, { renderedLength }]) => renderedLength > 0);
      const found = [...new Set(rendered.flatMap(([id]) => packageOf(id) ?? []))].sort(byName);
      for (const one of found) all.add(one);
      return found.length === 0
        ? ''
        : `/*! Contains ${found.map(title).join(', ')}: see LICENSES.txt of ${published}. */`;
    },
    /** Packages that share a licence are listed above it. */
    text() {
      const titles = new Map();
      for (const one of [...all].sort(byName)) {
        const text = licenceText(one);
        titles.set(text, [...(titles.get(text) ?? []), title(one)]);
      }
      const parts = [...titles].map(([text, names]) => `${names.join('\n')}\n\n${text}`);
      return `The files in this folder contain parts of these packages.\n\n${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
    },
  };
}
