/** The number of files that match a pattern, exactly or between two bounds. `*` matches within a folder, `**` below it. */
export type Contents = Readonly<Record<string, number | readonly [least: number, most: number]>>;

/** The files of every package besides its code. */
const EVERY = { 'package.json': 1, 'README.md': 1, LICENSE: 1 };

const files = (folder: string, names: readonly string[], ending: string): Contents =>
  Object.fromEntries(names.map((name) => [`${folder}/${name}${ending}`, 1]));

/** The entry points of a package around the core, files that are not entry points, and the types of both. */
const code = (entries: readonly string[], others: readonly [least: number, most: number]): Contents => ({
  ...files('dist', entries, '.js'),
  'dist/*.js': [entries.length + others[0], entries.length + others[1]],
  ...files('dist/types', [...entries, 'declarations'], '.d.ts'),
  'dist/types/*': entries.length + 1,
});

const CONTENTS: Readonly<Record<string, Contents>> = {
  assize: {
    ...EVERY,
    'CHANGELOG.md': 1,
    'dist/bundle/*.js': [50, 120],
    'dist/bundle/LICENSES.txt': 1,
    // The entry points, their declarations, and the names of Zod.
    'dist/types/*.d.ts': 16,
    'config/profile.schema.json': 1,
    'config/presets/*.yaml': 24,
    'config/templates/**': 23,
    'config/examples/**': 12,
    'config/skills/*/SKILL.md': 4,
    'config/demo/*': 5,
    'config/evaluation/**': 10,
    'config/concepts/*.md': [20, 60],
    'config/howto/*.md': [15, 40],
    'config/container/*': 2,
    'src/**.md': [12, 30],
    'plugins/*/*.md': [7, 30],
    // The picture in the README.
    'plugins/@assize/studio/studio.png': 1,
    'test/bench/*.md': 2,
    'test/bench/*.svg': 3,
    'test/calibrate/*.md': 1,
    'test/conformance/*.md': 1,
    'test/fixtures/*/SOURCE.md': 21,
    'test/fixtures/systems/profiles/*.yaml': 32,
  },
  '@assize/evaluate': { ...EVERY, ...code(['index', 'tune', 'measures', 'verbs'], [15, 40]), 'src/tune/README.md': 1 },
  '@assize/serve': {
    ...EVERY,
    ...code(['index', 'telemetry', 'verbs'], [10, 25]),
    'dist/serve-thread.js': 1,
    'src/mcp/README.md': 1,
    'src/telemetry/README.md': 1,
  },
  '@assize/studio': {
    ...EVERY,
    ...code(['index', 'verbs'], [4, 12]),
    'dist/studio-page.js': 1,
    // The files that the server of the page sends, each with its compressed copy.
    'dist/page/*.js': [8, 24],
    'dist/page/*.br': [9, 25],
    'dist/page/studio-page.css': 1,
    'dist/page/page.json': 1,
    'dist/LICENSES.txt': 1,
    'ACCESSIBILITY.md': 1,
    'studio.png': 1,
    // The pictures in its README.
    'studio-*.webp': 4,
  },
  '@assize/jobs': { ...EVERY, ...code(['index', 'verbs'], [3, 10]) },
  '@assize/lsp': { ...EVERY, ...code(['index', 'service', 'verbs'], [2, 12]) },
};

const expressionOf = (pattern: string): RegExp => {
  const parts = pattern.split('**').map((part) => part.replaceAll('.', '\\.').replaceAll('*', '[^/]*'));
  return new RegExp(`^${parts.join('.*')}$`);
};

/** What is wrong with the files of a package: those that match no pattern, and patterns with a wrong number of files. */
export function wrongContents(name: string, published: readonly string[]): readonly string[] {
  const contents = Object.entries(CONTENTS[name] ?? {}).map(
    ([pattern, count]) => ({ pattern, expression: expressionOf(pattern), count }) as const,
  );
  const unexpected = published.filter((file) => !contents.some(({ expression }) => expression.test(file)));
  const miscounted = contents.flatMap(({ pattern, expression, count }) => {
    const found = published.filter((file) => expression.test(file)).length;
    const [least, most] = typeof count === 'number' ? [count, count] : count;
    const expected = least === most ? String(least) : `${least} to ${most}`;
    return found < least || found > most ? [`${pattern}: ${found} files, expected ${expected}`] : [];
  });
  return [...unexpected.map((file) => `${file}: not expected in the package`), ...miscounted];
}
