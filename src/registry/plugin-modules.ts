import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';

/** What Node keeps of a module that was required, or that jiti has run. */
interface CachedModule {
  readonly filename: string;
  readonly children?: readonly CachedModule[];
}

const cacheOf = (file: string): Record<string, CachedModule | undefined> => createRequire(file).cache;

/**
 * The modules of a plugin that was loaded from a file: itself and what it imports, packages and Assize left out.
 *
 * @param file absolute
 * @param sdk  the module that `assize/sdk` names
 */
export function pluginModules(file: string, sdk: string | undefined): readonly string[] {
  const own = sdk === undefined ? undefined : dirname(sdk) + sep;
  const found = new Set([file]);
  const visit = (module: CachedModule | undefined): void => {
    for (const child of module?.children ?? []) {
      const { filename } = child;
      const isForeign =
        filename.includes(`${sep}node_modules${sep}`) || (own !== undefined && filename.startsWith(own));
      if (isForeign || found.has(filename)) continue;
      found.add(filename);
      visit(child);
    }
  };
  visit(cacheOf(file)[file]);
  return [...found];
}

/**
 * Whether Node itself has imported a module that is loaded, and keeps it until the process ends: an ES module in JavaScript. jiti
 * runs TypeScript, and JavaScript in a package that does not say `"type": "module"`.
 */
export const isKeptForGood = (file: string): boolean => cacheOf(file)[file] === undefined || file.endsWith('.cjs');

/** Forgets modules, so that they are loaded anew when they are next imported. */
export function forgetModules(files: Iterable<string>): void {
  for (const file of files) delete cacheOf(file)[file];
}
