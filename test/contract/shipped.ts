import { loadPlugins } from '../../src/pipeline/create-pipeline.js';
import type { UnitExample } from 'assize/testing';
import { agentcardsExamples } from './agentcards-examples.js';
import { agentsExamples } from './agents-examples.js';
import { cupelExamples } from './cupel-examples.js';
import { diverseExamples } from './diverse-examples.js';
import { groupPackExamples } from './selector-examples.js';
import { examples } from './examples.js';
import { interviewExamples } from './interview-examples.js';
import { languageModelExamples } from './language-model-examples.js';
import { rerankExamples } from './rerank-examples.js';

/** By the name of the pack. */
const examplesOf: Readonly<Record<string, Readonly<Record<string, readonly UnitExample[]>>>> = {
  core: { ...examples, ...diverseExamples, ...groupPackExamples },
  agentcards: agentcardsExamples,
  agents: agentsExamples,
  cupel: cupelExamples,
  interview: { ...interviewExamples, ...languageModelExamples },
  rerank: rerankExamples,
};

/** Every pack that ships, with its units' examples by class name. */
export const shippedPacks = (await loadPlugins(undefined)).map((pack) => ({
  pack,
  examples: examplesOf[pack.name] ?? {},
}));
