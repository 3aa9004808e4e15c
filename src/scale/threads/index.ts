/**
 * What other modules use of `scale/threads`.
 *
 * @module
 */

export { rankFile, type RankFileOptions, rankFileWith } from './rank-file.js';
