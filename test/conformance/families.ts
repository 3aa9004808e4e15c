import { agentcards } from './agentcards.js';
import { cel } from './cel.js';
import { cupel } from './cupel.js';
import type { Family } from './family.js';
import { interview } from './interview.js';
import { interviewLanguageModel } from './interview-language-model.js';
import { irEval } from './ir-eval.js';
import { irMeasures } from './ir-measures.js';
import { knowledgePulse } from './knowledgepulse.js';
import { rankFusion } from './rank-fusion.js';
import { systems } from './systems.js';

/**
 * Every system that Assize claims to agree with. Those with traces that need an embedder take a minute and come last.
 */
export const FAMILIES: readonly Family[] = [
  cel,
  cupel,
  agentcards,
  irEval,
  irMeasures,
  rankFusion,
  systems,
  interview,
  interviewLanguageModel,
  knowledgePulse,
];
