import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The rooms of src, in the order in which they stand: each imports only those before it, types included. */
const ROOMS = [
  'contract',
  'text',
  'diagnostics',
  'expression',
  'columns',
  'input',
  'profile',
  'registry',
  'services',
  'engine',
  'explain',
  'ranking',
  'stream',
  'workers',
  'evaluate',
  'tune',
  'sql',
  'jobs',
  'reranking',
  'serve',
  'studio',
  'cli',
];
/** What the room `engine` is made of, likewise. */
const ENGINE_LAYERS = [
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
  'run-stages.ts',
  'run.ts',
  'call',
  'index.ts',
];
/** The plan and the state of a run hold what the select stage compiles and writes; a report reads the columns of its run. */
const isFieldOfStage = ({ from, to, typeOnly }: Import): boolean =>
  typeOnly && /^src\/engine\/(plan|run-state)\.ts$/.test(from) && to === 'src/engine/stages/select/select-plan.ts';
const isReportOnColumns = ({ from, to }: Import): boolean =>
  said({ from, to }) === 'src/engine/stages/report.ts → src/engine/columns/score-columns.ts';
/** What the room `tune` is made of, likewise. */
const TUNE_LAYERS = [
  'fit',
  'tune-options.ts',
  'ranked-queries.ts',
  'curves.ts',
  'model',
  'prepare-search.ts',
  'held-out.ts',
  'tuning.ts',
  'tuned-yaml.ts',
  'ask',
  'tune-weights.ts',
  'index.ts',
];
/** What the room `sql` is made of, likewise. */
const SQL_LAYERS = [
  'dialect.ts',
  'dialects.ts',
  'relation.ts',
  'values.ts',
  'fields.ts',
  'arithmetic.ts',
  'calls.ts',
  'expression.ts',
  'kept-rows.ts',
  'combine.ts',
  'judgement.ts',
  'prefilter-rows.ts',
  'statement.ts',
  'chosen-ranking.ts',
  'extremes.ts',
  'finish.ts',
  'engines',
  'rank-with.ts',
  'translate.ts',
  'index.ts',
];
/** At the root, for those outside and for putting everything together: they may import any room but the last two. */
const ENTRANCES = [
  'index.ts',
  'browser',
  'portable.ts',
  'sdk.ts',
  'testing',
  'host.ts',
  'container.ts',
  'create-pipeline.ts',
  'pipeline.ts',
  'diff-profiles.ts',
];
/** Uses of the package: a thread makes a pipeline of its own, as the command line does. */
const USES = ['workers', 'evaluate', 'tune', 'sql', 'jobs', 'reranking', 'serve', 'studio', 'cli'];
/** The rooms that a page loads; of the room `input`, only what text is parsed to. */
const IN_A_PAGE = [
  'contract',
  'text',
  'diagnostics',
  'expression',
  'columns',
  'input',
  'profile',
  'registry',
  'services',
  'engine',
  'explain',
  'ranking',
  'stream',
];

const slashed = (path: string): string => path.split(sep).join('/');

const files = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => slashed(relative(root, join(entry.parentPath, entry.name))));

interface Import {
  readonly from: string;
  /** A file of this repository, or a module's name. */
  readonly to: string;
  /** Whether only types are imported, so that nothing happens at run time. */
  readonly typeOnly: boolean;
  /** Whether it is loaded when it is needed, and not before. */
  readonly late: boolean;
}

const COMMENTS = /\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const IMPORTS = /\b(?:import|export)\s+(type\s+)?(?:([^'";]*?)\s*\bfrom\s*)?(['"])([^'"]+)\3/g;
const DYNAMIC = /\bimport\(\s*(['"])([^'"]+)\1\s*\)/g;

const target = (from: string, spec: string): string =>
  spec.startsWith('.') ? slashed(join(dirname(from), spec)).replace(/\.js$/, '.ts') : spec;

function importsOf(from: string): Import[] {
  const text = readFileSync(join(root, from), 'utf8').replace(COMMENTS, '');
  const fixed = [...text.matchAll(IMPORTS)].map(([, type, names = '', , spec = '']) => {
    const each = /\{(.*)\}/s
      .exec(names)?.[1]
      ?.split(',')
      .filter((name) => name.trim() !== '');
    const typeOnly = type !== undefined || (each !== undefined && each.every((name) => /^\s*type\s/.test(name)));
    return { from, to: target(from, spec), typeOnly, late: false };
  });
  const late = [...text.matchAll(DYNAMIC)].map(([, , spec = '']) => ({
    from,
    to: target(from, spec),
    typeOnly: false,
    late: true,
  }));
  return [...fixed, ...late];
}

const src = files('src');
const plugins = files('plugins');
const imports = [...src, ...plugins].flatMap(importsOf);
const said = ({ from, to }: Pick<Import, 'from' | 'to'>): string => `${from} → ${to}`;

/** The room that a file of src stands in; undefined for one at the entrance, and for what is no file of src. */
const roomOf = (file: string): string | undefined => {
  const [top, room] = file.split('/');
  return top === 'src' && room !== undefined && ROOMS.includes(room) ? room : undefined;
};

test('there is something to look at', () => {
  expect(imports.length).toBeGreaterThan(200);
  expect(imports.filter(({ to }) => to.endsWith('.ts') && ![...src, ...plugins].includes(to)).map(said)).toEqual([]);
});

test('every file of src stands in a room, or at the entrance', () => {
  const elsewhere = src.filter((file) => roomOf(file) === undefined && !ENTRANCES.includes(file.split('/')[1] ?? ''));
  expect(elsewhere).toEqual([]);
});

describe('who may import whom', () => {
  test('a room imports only rooms that stand before it', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [own, other] = [roomOf(from), roomOf(to)];
      if (own === undefined || !to.startsWith('src/')) return false;
      if (other === undefined) return !USES.includes(own);
      return ROOMS.indexOf(other) > ROOMS.indexOf(own);
    });
    expect(wrong.map(said)).toEqual([]);
  });

  test('a room is entered through its index.ts, or through its node.ts where Node is', () => {
    const inside = imports.filter(({ from, to, late }) => {
      const [own, other] = [roomOf(from), roomOf(to)];
      // A verb and a thread load the files that they need and no room as a whole; readers of input load one by one.
      if (late || other === undefined || other === 'input' || (own !== undefined && USES.includes(own))) return false;
      if (from === 'src/create-pipeline.ts' && to === `src/${other}/node.ts`) return false;
      return other !== own && to !== `src/${other}/index.ts`;
    });
    expect(inside.map(said)).toEqual([]);
  });

  test.each([
    { room: 'engine', layers: ENGINE_LAYERS },
    { room: 'tune', layers: TUNE_LAYERS },
    { room: 'sql', layers: SQL_LAYERS },
  ])('a folder of $room imports only those before it', ({ room, layers }) => {
    const layerOf = (file: string): number => layers.indexOf(file.split('/')[2] ?? '');
    const own = imports.filter(({ from, to }) => roomOf(from) === room && roomOf(to) === room);
    expect(own.length).toBeGreaterThan(layers.length);
    const wrong = own.filter(({ from, to }) => layerOf(from) < layerOf(to) || layerOf(to) < 0);
    expect(wrong.filter((one) => !isFieldOfStage(one) && !isReportOnColumns(one)).map(said)).toEqual([]);
  });

  test('only the command line imports the command line', () => {
    expect(imports.filter(({ from, to }) => roomOf(to) === 'cli' && roomOf(from) !== 'cli').map(said)).toEqual([]);
  });

  test('plugins import the SDK, their own files and no other part of the engine', () => {
    const pluginOf = (file: string): string => file.split('/').slice(0, 2).join('/');
    const wrong = imports.filter(
      ({ from, to }) =>
        from.startsWith('plugins/') &&
        /^(src|plugins)\//.test(to) &&
        to !== 'src/sdk.ts' &&
        pluginOf(to) !== pluginOf(from) &&
        // A use of the engine, which stands beside its scorers.
        said({ from, to }) !== 'plugins/knowledgepulse/evaluate-value.ts → src/index.ts',
    );
    expect(wrong.map(said)).toEqual([]);
  });

  test('only the composition root knows the container and the plugins that ship', () => {
    const container = imports.filter(({ to }) => to === 'inversify').map(({ from }) => from);
    expect([...new Set(container)]).toEqual(['src/container.ts']);
    const shipped = imports.filter(({ from, to }) => from.startsWith('src/') && to.startsWith('plugins/'));
    expect([...new Set(shipped.map(({ from }) => from))]).toEqual(['src/container.ts']);
  });
});

/** What some files come to with all that they import, by files and by modules. */
function loadedFrom(starts: readonly string[], which: (one: Import) => boolean): ReadonlySet<string> {
  const loaded = new Set(starts);
  for (const file of loaded) for (const one of imports) if (one.from === file && which(one)) loaded.add(one.to);
  return loaded;
}

test('the command line starts with commander and Node alone', () => {
  const loaded = loadedFrom(['src/cli/main.ts'], ({ typeOnly, late }) => !typeOnly && !late);
  const modules = [...loaded].filter((one) => !one.startsWith('src/') && !one.startsWith('node:'));
  expect(modules).toEqual(['commander']);
});

describe('what a page loads, sooner or later', () => {
  const loaded = [...loadedFrom(['src/browser/index.ts', 'src/sdk.ts'], ({ typeOnly }) => !typeOnly)];

  test('nothing of Node, and no room that needs it', () => {
    expect(loaded.filter((one) => one.startsWith('node:') || one.endsWith('/node.ts'))).toEqual([]);
    const rooms = loaded.flatMap((file) => roomOf(file) ?? []);
    expect([...new Set(rooms)].toSorted((a, b) => ROOMS.indexOf(a) - ROOMS.indexOf(b))).toEqual(IN_A_PAGE);
    expect(loaded.filter((file) => roomOf(file) === 'input')).toEqual(['src/input/parsed-document.ts']);
  });

  test('packages that run anywhere', () => {
    const packages = loaded.filter((one) => !/^(?:src|plugins)\//.test(one));
    expect(packages.toSorted()).toEqual([
      '@marcbachmann/cel-js',
      'graphology',
      'graphology-communities-louvain',
      'inversify',
      'ml-matrix',
      'yaml',
      'zod',
    ]);
  });
});

test('no file imports itself by a detour, types included', () => {
  const graph = new Map<string, string[]>();
  for (const { from, to } of imports) graph.set(from, [...(graph.get(from) ?? []), to]);
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
    if (done.has(file) || trail.includes(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  expect(cycles).toEqual([]);
});
