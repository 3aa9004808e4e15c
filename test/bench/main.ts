import { benchCupel } from './cupel.js';
import { benchKnowledgePulse } from './knowledgepulse.js';
import { benchProfile } from './profile.js';
import { benchNovelty } from './novelty.js';
import { benchToolGraph } from './tool-graph.js';

/**
 * A bench measures ours and its rival in turn, in this process, and prints the ratio of the medians; one without a rival
 * shows how the time grows.
 */
for (const bench of [benchProfile, benchKnowledgePulse, benchNovelty, benchCupel, benchToolGraph]) {
  for await (const line of bench()) console.log(line);
}
