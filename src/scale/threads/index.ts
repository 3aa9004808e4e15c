/**
 * What other modules use of `scale/threads`.
 *
 * @module
 */

export { shareGroups } from './rank-groups.js';
export { type RankFileOptions, rankFileWith } from './rank-file.js';
export { rankFileOnDemand } from './rank-file-on-demand.js';
