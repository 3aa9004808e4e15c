/** The number of files that match a pattern, exactly or between two bounds. `*` matches within a folder, `**` below it. */
export type Contents = Readonly<Record<string, number | readonly [least: number, most: number]>>;

const CORE: Contents = {
  'package.json': 1,
  'README.md': 1,
  LICENSE: 1,
  'CHANGELOG.md': 1,
  'dist/bundle/*.js': [40, 130],
  'dist/bundle/LICENSES.txt': 1,
  'dist/types/*.d.ts': [8, 20],
  'config/profile.schema.json': 1,
  'config/presets/*.yaml': 18,
  'config/templates/*/*': 15,
  'config/demo/*': 5,
  'config/evaluation/**': 10,
  'config/howto/*.md': 6,
  'config/container/*': 2,
  'src/**.md': [15, 30],
  'plugins/*/README.md': 6,
  'test/bench/*.md': 1,
  'test/bench/*.svg': 3,
  'test/calibrate/*.md': 1,
  'test/fixtures/*/SOURCE.md': 10,
};

/** A package around the core. */
const AROUND: Contents = {
  'package.json': 1,
  'README.md': 1,
  LICENSE: 1,
  'dist/*.js': [1, 60],
  'dist/*.css': [0, 1],
  'dist/LICENSES.txt': [0, 1],
  'src/**README.md': [0, 2],
  'dist/types/*.d.ts': [2, 10],
  '*.png': [0, 1],
};

const expressionOf = (pattern: string): RegExp => {
  const parts = pattern.split('**').map((part) => part.replaceAll('.', '\\.').replaceAll('*', '[^/]*'));
  return new RegExp(`^${parts.join('.*')}$`);
};

/** What is wrong with the files of a package: those that match no pattern, and patterns with a wrong number of files. */
export function wrongContents(name: string, files: readonly string[]): readonly string[] {
  const contents = Object.entries(name === 'assize' ? CORE : AROUND).map(
    ([pattern, count]) => ({ pattern, expression: expressionOf(pattern), count }) as const,
  );
  const unexpected = files.filter((file) => !contents.some(({ expression }) => expression.test(file)));
  const miscounted = contents.flatMap(({ pattern, expression, count }) => {
    const found = files.filter((file) => expression.test(file)).length;
    const [least, most] = typeof count === 'number' ? [count, count] : count;
    const expected = least === most ? String(least) : `${least} to ${most}`;
    return found < least || found > most ? [`${pattern}: ${found} files, expected ${expected}`] : [];
  });
  return [...unexpected.map((file) => `${file}: not expected in the package`), ...miscounted];
}
