/**
 * What a verb runs on. Verbs load this when they run, and not before: `assize --help` needs none of it.
 *
 * @module
 */
export { createPipeline, effectiveProfile, loadPacks } from '../container.js';
export { comparisonText } from '../explain/comparison-text.js';
export { diffText } from '../explain/diff-text.js';
export { profileYaml } from './profile-yaml.js';
export { explanationText } from '../explain/text.js';
export { diffRankings } from '../pipeline/explain/diff.js';
export { allPresets, findUnit } from './catalogue.js';
export { placedIn, readContext } from './context.js';
export { readCandidates, streamCandidates } from './input.js';
export { rankingJson, rankingJsonLines } from './json.js';
export { listUnit, listUnits, unitJson } from './list-units.js';
export { notices } from './notices.js';
export { packJsonLines } from './pack-json.js';
export { packTable } from './pack-table.js';
export { tellWarnings } from './profile-warnings.js';
export { summary } from './summary.js';
export { rankingTable } from './table.js';
export { rowJson } from './row-json.js';
export { scoreTable } from './score-table.js';
