/**
 * The exports of `base` that need Node.
 *
 * @module
 */

export { usePackageStringWidth } from './exact-width.js';
export { packageRoot, packageVersion } from './package-root.js';
