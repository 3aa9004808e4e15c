/**
 * What a verb runs on. Verbs load this when they run, and not before: `assize --help` needs none of it.
 *
 * @module
 */
export { createCompiledProfile, createPipeline, effectiveProfile, loadPlugins } from '../container.js';
export { comparisonText } from '../explain/text/comparison-text.js';
export { diffText } from '../explain/text/diff-text.js';
export { explanationText } from '../explain/text/explanation-text.js';
export { detectFileFormat, noCandidatesWarning } from '../input/read-candidates.js';
export { Pipeline } from '../pipeline.js';
export { diffRankings } from '../ranking/diff-rankings.js';
export { rowJson } from '../ranking/row-json.js';
export { topOfRanking } from '../stream/top-of-ranking.js';
export { rankFileWith } from '../workers/rank-file.js';
export { scoreFileWith } from '../workers/score-file.js';
export { findUnit, listPresets } from './list/catalogue.js';
export { unitJson, unitListJson, unitListText, unitText } from './list/unit-text.js';
export { packJsonLines } from './output/json/pack-json.js';
export { rankingJson, rankingJsonLines } from './output/json/ranking-json.js';
export { writeProfileWarnings } from './output/profile-warnings.js';
export { runWarningsText } from './output/run-warnings.js';
export { summary } from './output/summary.js';
export { packTable } from './output/table/pack-table.js';
export { rankingTable } from './output/table/ranking-table.js';
export { scoreTable } from './output/table/score-table.js';
export { checkCandidateFile, readCandidateFile, streamCandidateFile } from './session/candidate-file.js';
export { locateContextProblems, readContext } from './session/context.js';
