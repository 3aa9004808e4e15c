import { benchCupel } from './cupel.js';
import { benchKnowledgePulse } from './knowledgepulse.js';
import { benchProfile } from './profile.js';
import { benchNovelty } from './novelty.js';

/** Every bench measures ours and its rival in turn, in this process, and prints the ratio of the medians. */
for (const bench of [benchProfile, benchKnowledgePulse, benchNovelty, benchCupel]) {
  for await (const line of bench()) console.log(line);
}
