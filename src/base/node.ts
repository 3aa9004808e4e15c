/**
 * What other modules use of `base` where Node is present.
 *
 * @module
 */

export { usePackageStringWidth } from './exact-width.js';
export { packageRoot, packageVersion } from './package-root.js';
