/**
 * What of this room needs Node: the files that profiles are in.
 *
 * @module
 */

export { nodeFiles } from './source/node-files.js';
