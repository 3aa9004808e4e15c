import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { workspace } from './workspace.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The modules of src, in their order: a file imports only from its own module and from modules above it. */
const MODULES = [
  'base',
  'expression',
  'sdk',
  'data',
  'profile',
  'services',
  'engine',
  'ranking',
  'pipeline',
  'scale/parts',
  'scale/threads',
  'scale/sql',
  'adapters',
  'testing',
  'cli',
];
/** Modules that use the engine through its public entry points as well. */
const AROUND_THE_ENGINE = ['adapters', 'testing', 'cli'];
/** The packages around the core, each with the packages that it may use besides the core. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  '@assize/evaluate': [],
  '@assize/serve': ['@assize/evaluate'],
  '@assize/studio': ['@assize/evaluate', '@assize/serve'],
  '@assize/jobs': [],
  '@assize/lsp': [],
};
/** The files beside the modules: lists of what the core exports, by entry point. */
const ENTRY_POINTS = [
  'agents',
  'browser',
  'index',
  'internal',
  'language',
  'portable',
  'sdk',
  'small-browser',
  'sql',
  'testing',
  'unit-sdk',
  'verbs',
];
/** The parts of the module `engine`, in their order. */
const ENGINE = [
  'tasks.ts',
  'candidate-name.ts',
  'candidates.ts',
  'kernel',
  'trace.ts',
  'failures.ts',
  'entries.ts',
  'memories.ts',
  'units',
  'tier-plans.ts',
  'plan.ts',
  'run-state.ts',
  'stages',
  'columns',
  'compile-plan.ts',
  'run.ts',
  'call',
  'index.ts',
];
const MOST_LINES = 450;
const MOST_FILES = 905;

interface Import {
  readonly from: string;
  /** As the file names it: a path, or a package with a path. */
  readonly spec: string;
  /** A file of this repository, or what the file names. */
  readonly to: string;
  /** Only types are imported, so nothing is loaded at run time. */
  readonly typeOnly: boolean;
  /** `import()`: loaded when it is needed. */
  readonly late: boolean;
}

const COMMENTS = /\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const IMPORTS = /\b(?:import|export)\s+(type\s+)?(?:([^'";]*?)\s*\bfrom\s*)?(['"])([^'"]+)\3/g;
const DYNAMIC = /\bimport\(\s*(['"])([^'"]+)\1\s*\)/g;

const slashed = (path: string): string => path.split(sep).join('/');

const [core, ...around] = workspace;
const units = readdirSync(join(root, 'plugins')).filter((name) => existsSync(join(root, 'plugins', name, 'index.ts')));
const folders = ['src', ...units.map((name) => `plugins/${name}`), ...around.map(({ folder }) => `${folder}/src`)];
const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => slashed(relative(root, join(entry.parentPath, entry.name))))
    .filter((file) => !file.includes('/node_modules/')),
);
/** The source file of each entry point, by what a program imports. */
const entrySources = new Map(workspace.flatMap(({ sources }) => [...sources]));
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

function target(from: string, spec: string): string {
  if (!spec.startsWith('.')) return entrySources.get(spec) ?? spec;
  const path = slashed(join(dirname(from), spec)).replace(/\.js$/, '');
  return files.find((file) => file === `${path}.ts` || file === `${path}.tsx`) ?? path;
}

/** Whether a list of names as in `{ type A, type B }` holds types alone. */
function onlyTypes(names: string): boolean {
  const list = /\{(.*)\}/s
    .exec(names)?.[1]
    ?.split(',')
    .filter((name) => name.trim() !== '');
  return list !== undefined && list.every((name) => /^\s*type\s/.test(name));
}

function importsOf(from: string): Import[] {
  const text = textOf(from).replace(COMMENTS, '');
  return [
    ...[...text.matchAll(IMPORTS)].map(([, type, names = '', , spec = '']) => {
      return { from, spec, to: target(from, spec), typeOnly: type !== undefined || onlyTypes(names), late: false };
    }),
    ...[...text.matchAll(DYNAMIC)].map(([, , spec = '']) => {
      return { from, spec, to: target(from, spec), typeOnly: false, late: true };
    }),
  ];
}

const imports = files.flatMap(importsOf);
const arrow = ({ from, to }: Pick<Import, 'from' | 'to'>): string => `${from} → ${to}`;
const isOurs = (file: string): boolean => /^(?:src|plugins)\//.test(file);

/** The module that a file of src belongs to; undefined for an entry point, a plugin and a package. */
const moduleOf = (file: string): string | undefined => MODULES.find((name) => file.startsWith(`src/${name}/`));

/** The package around the core that a file belongs to; undefined for a file of the core. */
const aroundOf = (file: string) => around.find(({ folder }) => file.startsWith(`${folder}/`));

/** The package that an import names; undefined for a path and for Node. */
const packageOf = (spec: string): string | undefined =>
  /^(?:\.|node:)/.test(spec) ? undefined : /^(?:@[^/]+\/)?[^/]+/.exec(spec)?.[0];

const isOfAssize = (spec: string): boolean => /^(?:assize|@assize\/[^/]+)(?:\/|$)/.test(spec);

test('every import leads to a file, and every file belongs to a module', () => {
  expect(imports.length).toBeGreaterThan(2000);
  expect(imports.filter(({ to }) => isOurs(to) && !files.includes(to)).map(arrow)).toEqual([]);
  // A name of ours that is not in the exports of a package.json.
  expect(imports.filter(({ to }) => isOfAssize(to)).map(arrow)).toEqual([]);
  expect(around.map(({ name }) => name).toSorted()).toEqual(Object.keys(PACKAGES).toSorted());
  const beside = files.filter((file) => file.startsWith('src/') && moduleOf(file) === undefined);
  expect(beside.toSorted()).toEqual(ENTRY_POINTS.map((name) => `src/${name}.ts`).toSorted());
});

test(`there are at most ${String(MOST_FILES)} files`, () => {
  expect(files.length).toBeGreaterThan(500);
  expect(files.length).toBeLessThanOrEqual(MOST_FILES);
});

test(`no file is longer than ${String(MOST_LINES)} lines, but for the generated texts of presets`, () => {
  const long = files.filter((file) => textOf(file).split('\n').length - 1 > MOST_LINES);
  expect(long).toEqual(['src/profile/preset-texts.ts']);
});

describe('the import table', () => {
  test('a module imports only modules above it', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [own, other] = [moduleOf(from), moduleOf(to)];
      if (own === undefined || !to.startsWith('src/')) return false;
      if (other === undefined) return !AROUND_THE_ENGINE.includes(own);
      return MODULES.indexOf(other) > MODULES.indexOf(own);
    });
    expect(wrong.map(arrow)).toEqual([]);
  });

  test('a module is imported through its index.ts, or its node.ts where Node is needed', () => {
    const past = imports.filter(({ from, spec, to, late }) => {
      const other = moduleOf(to);
      // `import()` of an index would load the whole module where one file is needed.
      if (other === undefined || other === moduleOf(from) || late || !spec.startsWith('.')) return false;
      return !['index.ts', 'node.ts'].some((entry) => to === `src/${other}/${entry}`);
    });
    expect(past.map(arrow)).toEqual([]);
  });

  test('inside a module, files import each other and not the index', () => {
    const own = imports.filter(({ from, to }) => {
      const name = moduleOf(from);
      return name !== undefined && (to === `src/${name}/index.ts` || to === `src/${name}/node.ts`);
    });
    expect(own.map(arrow)).toEqual([]);
  });

  test('an entry point only exports', () => {
    const ofPackages = around.flatMap(({ sources }) => [...sources.values()]);
    const lists = [
      ...ENTRY_POINTS.map((name) => `src/${name}.ts`),
      ...ofPackages.filter((file) => !file.endsWith('/verbs/index.ts')),
    ];
    const statements = lists.flatMap((file) =>
      textOf(file)
        .replace(COMMENTS, '')
        .split(';')
        .filter((statement) => statement.trim() !== '' && !/^\s*export\b[^=]*\bfrom\b/.test(statement))
        .map((statement) => `${file}: ${statement.trim()}`),
    );
    expect(statements).toEqual([]);
  });

  test('a part of the engine imports only parts above it', () => {
    const partOf = (file: string): number => ENGINE.indexOf(file.split('/')[2] ?? '');
    const own = imports.filter(({ from, to }) => moduleOf(from) === 'engine' && moduleOf(to) === 'engine');
    expect(own.filter(({ from }) => partOf(from) < 0).map(arrow)).toEqual([]);
    const below = own.filter(({ from, to }) => partOf(from) < partOf(to));
    expect(below.map(arrow).toSorted()).toEqual([
      // The plan and the state of a run hold what the select stage compiles and writes.
      'src/engine/plan.ts → src/engine/stages/select/select-plan.ts',
      'src/engine/run-state.ts → src/engine/stages/select/select-plan.ts',
      'src/engine/stages/report.ts → src/engine/columns/score-columns.ts',
    ]);
  });

  test('plugins import the SDK without its decorators, and their own files', () => {
    const pluginOf = (file: string): string => file.split('/').slice(0, 2).join('/');
    const ofUnits = imports.filter(({ from }) => from.startsWith('plugins/') && aroundOf(from) === undefined);
    const wrong = ofUnits.filter(
      ({ from, to }) => isOurs(to) && to !== 'src/unit-sdk.ts' && pluginOf(to) !== pluginOf(from),
    );
    // `assize/knowledgepulse` is a function over a whole pipeline.
    expect(wrong.map(arrow)).toEqual(['plugins/knowledgepulse/evaluate-value.ts → src/index.ts']);
  });

  test('only container.ts and core-plugin.ts know the plugins that ship, and only container.ts loads inversify; the SDK exports its decorators', () => {
    const plugins = imports.filter(({ from, to }) => from.startsWith('src/') && to.startsWith('plugins/'));
    // Messages and traces are candidates as well: their codecs are an entry point, and formats of files that are loaded late.
    const codecs = plugins.filter(({ to }) => /^plugins\/agents\/\w+\/index\.ts$/.test(to));
    expect(codecs.map(({ from, late }) => `${from}${late ? ', late' : ''}`)).toEqual([
      'src/agents.ts',
      'src/agents.ts',
      'src/data/json/read-messages.ts, late',
      'src/data/json/read-traces.ts, late',
    ]);
    const others = plugins.filter((one) => !codecs.includes(one));
    expect([...new Set(others.map(({ from }) => from))]).toEqual([
      'src/pipeline/container.ts',
      'src/pipeline/core-plugin.ts',
    ]);
    const inversify = imports.filter(({ to, typeOnly }) => to === 'inversify' && !typeOnly);
    const how = inversify.map(({ from, late }) => `${from}${late ? ', late' : ''}`);
    expect([...new Set(how)]).toEqual(['src/sdk.ts', 'src/pipeline/container.ts, late']);
  });

  test('no circular imports, types included', () => {
    const graph = new Map<string, string[]>();
    for (const { from, to } of imports) graph.set(from, [...(graph.get(from) ?? []), to]);
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, trail: readonly string[]): void => {
      if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
      if (done.has(file) || trail.includes(file)) return;
      for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
      done.add(file);
    };
    for (const file of graph.keys()) visit(file, []);
    expect(circles).toEqual([]);
  });
});

describe('the packages around the core', () => {
  const ofPackages = imports.flatMap((one) => {
    const own = aroundOf(one.from);
    return own === undefined ? [] : [{ ...one, own }];
  });

  test('the core imports none of them, and by a path alone', () => {
    const ofCore = imports.filter(({ from }) => aroundOf(from) === undefined);
    expect(ofCore.filter(({ spec, to }) => isOfAssize(spec) || aroundOf(to) !== undefined).map(arrow)).toEqual([]);
  });

  test('a path leads to a file of the same package', () => {
    expect(ofPackages.length).toBeGreaterThan(500);
    const paths = ofPackages.filter(({ spec }) => spec.startsWith('.'));
    expect(paths.filter(({ own, to }) => aroundOf(to) !== own).map(arrow)).toEqual([]);
  });

  test('a package uses the core and packages before it, through their entry points', () => {
    const ours = ofPackages.filter(({ spec }) => isOfAssize(spec));
    const wrong = ours.filter(({ own, spec }) => {
      const used = packageOf(spec) ?? '';
      return !entrySources.has(spec) || !['assize', ...(PACKAGES[own.name] ?? [])].includes(used);
    });
    expect(wrong.map(arrow)).toEqual([]);
  });

  test('a package depends on the core in exactly its version, as a peer', () => {
    for (const { name, manifest } of around) {
      expect({ name, version: manifest.version, assize: manifest.peerDependencies['assize'] }).toEqual({
        name,
        version: core?.manifest.version,
        assize: core?.manifest.version,
      });
    }
  });

  test('a package declares the packages that it imports, for types as well, and no others', () => {
    // The page of the studio is one file with all that it needs.
    const published = ofPackages.filter(({ from }) => !from.includes('/src/page/'));
    for (const { name, manifest } of around) {
      const used = published.flatMap(({ own, spec }) => (own.name === name ? (packageOf(spec) ?? []) : []));
      const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
      expect({ name, packages: declared.toSorted() }).toEqual({ name, packages: [...new Set(used)].toSorted() });
    }
  });
});

/** The files that declare the names of a module's entry point. */
function declaringFiles(entry: string): ReadonlyMap<string, string> {
  const declared = new Map<string, string>();
  for (const [, , names = '', , spec = ''] of textOf(entry).replace(COMMENTS, '').matchAll(IMPORTS)) {
    for (const name of names.replace(/[{}]/g, '').split(',')) {
      declared.set(name.replace(/^\s*type /, '').trim(), target(entry, spec));
    }
  }
  return declared;
}

/**
 * What is loaded at run time, as the bundle has it: an import of a module's entry point loads the files that declare the
 * names that are imported, and not the whole module.
 */
function loadedFrom(starts: readonly string[], withLate: boolean): readonly string[] {
  const loaded = new Set(starts);
  for (const file of loaded) {
    if (!files.includes(file)) continue;
    const text = textOf(file).replace(COMMENTS, '');
    for (const [, type, names = '', , spec = ''] of text.matchAll(IMPORTS)) {
      if (type !== undefined || onlyTypes(names)) continue;
      const to = target(file, spec);
      if (!/^src\/.+\/(?:index|node)\.ts$/.test(to)) loaded.add(to);
      else {
        const declared = declaringFiles(to);
        const values = names
          .replace(/[{}]/g, '')
          .split(',')
          .filter((name) => !/^\s*(?:type\s|$)/.test(name));
        for (const name of values) loaded.add(declared.get(name.replace(/ as .*/s, '').trim()) ?? `${to}: ${name}`);
      }
    }
    if (withLate) for (const [, , spec = ''] of text.matchAll(DYNAMIC)) loaded.add(target(file, spec));
  }
  return [...loaded];
}

test('the command line starts with commander, fast-string-width and Node alone', () => {
  const loaded = loadedFrom(['src/cli/run-process.ts'], false);
  expect(loaded.length).toBeGreaterThan(20);
  expect(loaded.filter((one) => !one.startsWith('src/') && !one.startsWith('node:'))).toEqual([
    'commander',
    'fast-string-width',
  ]);
});

describe('what a page loads, sooner or later', () => {
  const loaded = loadedFrom(['src/browser.ts', 'src/sdk.ts'], true);

  test('nothing of Node, and no module after the pipeline', () => {
    expect(loaded.length).toBeGreaterThan(150);
    expect(loaded.filter((one) => one.startsWith('node:'))).toEqual([]);
    const modules = new Set(loaded.flatMap((file) => moduleOf(file) ?? []));
    expect(MODULES.filter((name) => modules.has(name))).toEqual(MODULES.slice(0, MODULES.indexOf('pipeline') + 1));
  });

  test('packages that run anywhere', () => {
    expect(loaded.filter((one) => !isOurs(one)).toSorted()).toEqual([
      'fast-string-width',
      'graphology',
      'graphology-communities-louvain',
      'inversify',
      'ml-matrix',
      'yaml',
      'zod',
    ]);
  });
});

test('the measures load nothing of Node', () => {
  const loaded = loadedFrom([entrySources.get('@assize/evaluate/measures') ?? ''], true);
  expect(loaded).toContain('plugins/@assize/evaluate/src/measures/measures.ts');
  expect(loaded.filter((one) => one.startsWith('node:'))).toEqual([]);
});

test('the language service loads nothing of Node', () => {
  const loaded = loadedFrom([entrySources.get('@assize/lsp/service') ?? ''], true);
  expect(loaded).toContain('plugins/@assize/lsp/src/service/complete.ts');
  expect(loaded.filter((one) => one.startsWith('node:') || one.startsWith('vscode-'))).toEqual([]);
});

test('the page of the studio loads the engine, the measures, Preact and files without Node', () => {
  const studio = 'plugins/@assize/studio/src/';
  const loaded = loadedFrom([`${studio}page/main.tsx`], true);
  expect(loaded.filter((one) => one.startsWith('node:'))).toEqual([]);
  const page = imports.filter(({ from, spec }) => from.startsWith(`${studio}page/`) && !spec.startsWith('.'));
  expect([...new Set(page.map(({ spec }) => spec))].toSorted()).toEqual([
    '@assize/evaluate/measures',
    'assize/browser',
    'preact',
    'preact/hooks',
  ]);
});

test('assize/internal exports at most 43 names, each used by a package around the engine', () => {
  const namesIn = (text: string, pattern: RegExp): readonly string[] =>
    [...text.replace(COMMENTS, '').matchAll(pattern)]
      .flatMap(([, list = '']) => list.split(','))
      .map((name) => name.replace(/^\s*type\s/, '').trim())
      .filter((name) => name !== '');
  const exported = namesIn(textOf('src/internal.ts'), /\bexport (?:type )?\{([^}]*)\}/g);
  expect(new Set(exported).size).toBe(exported.length);
  expect(exported.length).toBeLessThanOrEqual(43);
  const sources = files.filter((file) => /^plugins\/@assize\/[^/]+\/src\//.test(file));
  const imported = sources.flatMap((file) => namesIn(textOf(file), /\{([^}]*)\} from 'assize\/internal'/g));
  expect(exported.toSorted()).toEqual([...new Set(imported)].toSorted());
});
