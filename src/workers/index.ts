/**
 * Files of candidates in several threads.
 * What other rooms use of this one.
 *
 * @module
 */

export { type RankFileOptions, rankFile } from './rank-file.js';
