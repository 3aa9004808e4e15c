/**
 * The exports of `base` that need Node.
 *
 * @module
 */

export { packageRoot, packageVersion } from './package-root.js';
export { removeAtEnd } from './temporary-paths.js';
