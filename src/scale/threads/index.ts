/**
 * What other modules use of `scale/threads`.
 *
 * @module
 */

export { deserializeError, type SerializedError, serializeError } from './messages.js';
export { rankFile, type RankFileOptions, rankFileWith } from './rank-file.js';
