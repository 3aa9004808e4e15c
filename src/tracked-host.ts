import { resolve, dirname } from 'node:path';
import type { Host } from './host.js';
import { isFileSpec } from './profile/index.js';

/** The files that a profile comes from, as they become known while it is loaded. Absolute paths. */
export interface ProfileSources {
  /** The profile, what it extends, and what its params name. */
  readonly files: Set<string>;
  /** Plugins that are files, and the modules that they import. */
  readonly modules: Set<string>;
  /** Those of them that a process loads only once. */
  readonly keptModules: Set<string>;
  /** Memories, which change with every run, are none of them. */
  readonly memories: Set<string>;
  /**
   * What its runs share with others of this process: memories, and services but for the clock, by name. Where there is nothing, a pipeline of another
   * thread gives the same.
   */
  readonly shared: Set<string>;
}

export const noSources = (): ProfileSources => ({
  files: new Set(),
  modules: new Set(),
  keptModules: new Set(),
  memories: new Set(),
  shared: new Set(),
});

/**
 * A host that notes every file that a profile names, whether or not it can be read: one that is broken is mended there.
 *
 * @param modulesOf the modules of a plugin's file, once it is loaded
 * @param isKept    whether a process loads one only once
 */
export const trackedHost = (
  host: Host,
  { files, modules, keptModules }: ProfileSources,
  modulesOf: (file: string) => readonly string[],
  isKept: (file: string) => boolean,
): Host => ({
  ...host,
  files: {
    ...host.files,
    resolve: (file, path) => noted(files, host.files.resolve(file, path)),
  },
  loadPlugin: async (spec, from, loaded) => {
    if (!isFileSpec(spec)) return host.loadPlugin(spec, from, loaded);
    const file = noted(modules, resolve(dirname(from), spec));
    const plugin = await host.loadPlugin(spec, from, loaded);
    for (const module of modulesOf(file)) modules.add(module);
    if (isKept(file)) keptModules.add(file);
    return plugin;
  },
});

function noted(files: Set<string>, file: string): string {
  files.add(file);
  return file;
}
