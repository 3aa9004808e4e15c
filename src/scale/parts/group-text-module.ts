import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../base/node.js';

/**
 * The module of the texts of groups on standard output: that of the published bundle, also when running from the sources,
 * because a thread runs JavaScript.
 */
export const groupTextModule = (): string => pathToFileURL(join(packageRoot(), 'dist', 'bundle', 'group-text.js')).href;
