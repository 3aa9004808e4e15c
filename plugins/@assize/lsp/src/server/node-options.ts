import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createPipeline } from 'assize';
import { loadPlugins } from 'assize/internal';
import type { ProfileServiceOptions } from '../service/types.js';

/** What the server needs besides the files of the machine. */
export interface ServerSources {
  /** The text of a file that is open in the editor. */
  readonly openText: (file: string) => string | undefined;
  /** The sample of candidates for profiles without a line `# candidates: PATH`. An absolute path. */
  readonly sample: () => string | undefined;
  /** Reads a file of candidates. */
  readonly readCandidates: (file: string) => Promise<readonly unknown[]>;
  /** Whether profiles may reach outside, as in `createPipeline`. */
  readonly trust: 'full' | 'none';
}

/** A sample is read as a whole, so that a large file would delay the editor. */
const MOST_SAMPLE_BYTES = 20_000_000;

/** The service of profiles in files. */
export function nodeOptions({ openText, sample, readCandidates, trust }: ServerSources): ProfileServiceOptions {
  return {
    check: ({ yaml, name }) => createPipeline({ yaml, name }, { folder: dirname(name), trust }),
    resolve: (file, path) => resolve(dirname(file), path),
    candidates: async (file, profile) => {
      const path = file === undefined ? sample() : resolve(dirname(profile), file);
      if (path === undefined || trust === 'none') return [];
      return (await stat(path)).size > MOST_SAMPLE_BYTES ? [] : readCandidates(path);
    },
    ...(trust === 'full' && {
      read: async (file: string) => openText(file) ?? readFile(file, 'utf8'),
      loadPlugin: async (spec: string, from: string) => {
        const [plugin] = await loadPlugins(spec, dirname(from));
        if (plugin === undefined) throw new Error(`plugin ${spec} is not found`);
        return plugin;
      },
    }),
  };
}
