/**
 * What a verb runs on. Verbs load this when they run, and not before: `assize --help` needs none of it.
 *
 * @module
 */
export { createEdition, createPipeline, effectiveProfile, loadPacks } from '../container.js';
export { comparisonText } from '../explain/comparison-text.js';
export { diffText } from '../explain/diff-text.js';
export { explanationText } from '../explain/text.js';
export { rankFileBy } from '../files/rank-file.js';
export { formatOfFile, noCandidatesIn } from '../files/read-candidates.js';
export { rowJson } from '../files/row-json.js';
export { scoreFileBy } from '../files/score-file.js';
export { diffRankings } from '../pipeline/explain/diff.js';
export { Pipeline } from '../pipeline/pipeline.js';
export { topOfRanking } from '../pipeline/stream/top-of-ranking.js';
export { allPresets, findUnit } from './list/catalogue.js';
export { listUnit, listUnits, unitJson, unitsJson } from './list/units.js';
export { packJsonLines } from './output/json/pack-json.js';
export { rankingJson, rankingJsonLines } from './output/json/ranking-json.js';
export { notices } from './output/notices.js';
export { tellWarnings } from './output/profile-warnings.js';
export { summary } from './output/summary.js';
export { packTable } from './output/table/pack-table.js';
export { rankingTable } from './output/table/ranking-table.js';
export { scoreTable } from './output/table/score-table.js';
export { placedIn, readContext } from './session/context.js';
export { checkFile, readCandidates, streamCandidates } from './session/read-candidates.js';
