import { agentcards } from './agentcards.js';
import type { Family } from './family.js';
import { knowledgePulse } from './knowledgepulse.js';

/** Every system that Assize claims to agree with. */
export const FAMILIES: readonly Family[] = [knowledgePulse, agentcards];
