import { type InputFormat, isByColumn } from '../input/codecs.js';
import { LinesFile } from './lines-file.js';
import type { SharedFile } from './shared-file.js';
import { TableFile } from './table-file.js';
import type { VersionedFile } from './versioned-file.js';

/** A file that threads rank together; it is opened when something of it is first read. */
export const openSharedFile = (file: VersionedFile, format: InputFormat | undefined): SharedFile =>
  isByColumn(format) ? new TableFile(file, format) : new LinesFile(file);
