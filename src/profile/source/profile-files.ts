import type { SourceFile } from '../../diagnostics/index.js';
import type { ParsedDocument } from '../../input/parsed-document.js';

/** A text with what it holds. */
export interface ProfileDocument extends ParsedDocument {
  readonly source: SourceFile;
}

/**
 * The files that a profile may name: given by the entry point, since not every place that Assize runs in has any. Paths
 * are absolute, or start from the working directory.
 */
export interface ProfileFiles {
  /** The absolute path of what a file names as `path`, where `path` is relative to the file's folder. */
  resolve(file: string, path: string): string;
  /** A path relative to the folder of a file, as that file would write it. */
  relative(file: string, path: string): string;
  /** Reads and parses a profile. */
  read(file: string): Promise<ProfileDocument>;
  /** The path of a profile beside a file whose name lacks only the ending, or a slash, that would make it a path. */
  sibling(file: string, name: string): string | undefined;
}
