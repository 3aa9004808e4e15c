import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../src/base/node.js';

const read = (path: string): string => readFileSync(`${packageRoot()}/${path}`, 'utf8');
const changelog = read('CHANGELOG.md');

interface Row {
  readonly where: string;
  readonly now: string;
}

/** The rows of the table `in | before | now`. An empty first cell means that of the row above. */
function migrationRows(): readonly Row[] {
  const [, table = ''] = /\n\| in \| before \| now \|\n\|[-|]+\|\n((?:\|.*\n)+)/.exec(changelog) ?? [];
  let last = '';
  return table
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [where = '', , now = ''] = line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim());
      last = where || last;
      return { where: last, now };
    });
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

/** The folders of the packages, from that of the core. */
const packages = ['.', ...readdirSync(`${packageRoot()}/plugins/@assize`).map((name) => `plugins/@assize/${name}`)];

/** The entry points of all packages, such as `@assize/evaluate/tune`, with the names in the report of its API. */
function exportedNames(): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    packages.flatMap((folder) => {
      const { name, exports } = JSON.parse(read(`${folder}/package.json`)) as Manifest;
      return Object.entries(exports).flatMap(([path, target]) => {
        if (typeof target === 'string') return [];
        const report = `test/api/${basename(name)}.${basename(target.types, '.d.ts')}.api.md`;
        return [[name + path.slice(1), namesOf(report)] as const];
      });
    }),
  );
}

function namesOf(file: string): ReadonlySet<string> {
  const text = read(file);
  const names = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gms)].flatMap(([, list = '']) =>
    list.split(',').map((name) =>
      name
        .trim()
        .replace(/^type /, '')
        .replace(/^.* as /, ''),
    ),
  );
  const own = [...text.matchAll(/^export (?:abstract )?(?:const|let|function|class|interface|type|enum) (\w+)/gm)];
  return new Set([...names, ...own.map(([, name]) => name!)]);
}

/** The texts in backticks. */
const quoted = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text!);

const entries = exportedNames();
const all = new Set([...entries.values()].flatMap((names) => [...names]));
const rows = migrationRows();
const declarations = packages
  .flatMap((folder) =>
    readdirSync(`${packageRoot()}/${folder}/src`, { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/src/${file}`,
    ),
  )
  .flatMap((path) => (path.endsWith('.ts') ? [read(path)] : []))
  .join('\n');

test('the migration table is found', () => {
  expect(rows.length).toBeGreaterThan(40);
  expect(all.size).toBeGreaterThan(200);
});

test('each new name of an entry point is exported by it', () => {
  const missing = rows.flatMap(({ where, now }) => {
    const [entry = ''] = quoted(where);
    const names = entries.get(entry);
    if (!names || now.startsWith('removed')) return [];
    // A signature, `rankWith(profile, …)`, counts by its name; a command or an expression does not count.
    const wanted = quoted(now).flatMap((text) => /^([A-Za-z_]\w*)(?:\(.*\))?$/.exec(text)?.[1] ?? []);
    return wanted.filter((name) => !names.has(name)).map((name) => `${entry} does not export ${name}`);
  });
  expect(missing).toEqual([]);
});

test('each new type, constant and signature of any row is exported', () => {
  const missing = rows.flatMap(({ now }) =>
    now.startsWith('removed')
      ? []
      : quoted(now)
          .flatMap((text) => /^([A-Z]\w*|[a-z]\w*(?=\(.*\)$))/.exec(text)?.[1] ?? [])
          .filter((name) => !all.has(name)),
  );
  expect(missing).toEqual([]);
});

test('each new option is declared', () => {
  const options = rows.filter(({ where }) => where.startsWith('options of'));
  const names = options.flatMap(({ now }) => quoted(now.split(';')[0]!).filter((text) => /^[a-z]\w*$/.test(text)));
  expect(names).toContain('signal');
  expect(names.filter((name) => !declarations.includes(`readonly ${name}?:`))).toEqual([]);
});
