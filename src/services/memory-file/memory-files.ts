import type { Problem } from '../../diagnostics/index.js';
import type { MemoryOwner } from './memory-envelope.js';
import type { MemoryFile } from './memory-file.js';
import type { MemoryReplacement, ReplaceOptions } from './replace-memory-files.js';

/** The files that memories outlive the process in: given by the entry point, since not every place has any. */
export interface MemoryFiles {
  /**
   * @param path  absolute
   * @param named where the profile names it: part of every problem of the file
   */
  open(path: string, owner: MemoryOwner, named: Pick<Problem, 'path' | 'place'>): MemoryFile;
  /** Replaces files once each of them is unchanged since it was read: all or none. */
  replace(replacements: readonly MemoryReplacement[], options: Pick<ReplaceOptions, 'abort'>): Promise<void>;
}
