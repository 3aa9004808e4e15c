/**
 * The plugin `agents`: scorers that judge the traces of agents without a model.
 *
 * @module
 */
export { AgreementScorer, EffortScorer } from './quality/batch-scorers.js';
export { InvalidCallScorer, RepeatedCallScorer, ToolErrorScorer, WastedCallScorer } from './quality/call-scorers.js';
export { NewInformationScorer, RepeatedTextScorer, SetbackScorer } from './quality/text-scorers.js';
