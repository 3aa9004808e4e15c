/**
 * Runs inputs of one kind in this process, by their seeds; prints each seed before its run.
 *
 *     node --max-old-space-size=512 child.js KIND FROM COUNT
 *
 * @module
 */
import { KINDS } from './kinds.js';
import { Random } from './random.js';
import { closeServers } from './requests.js';

const [kind = '', from = '0', count = '0'] = process.argv.slice(2);
const tryOne = KINDS[kind];
if (!tryOne || !process.send) throw new Error('fuzz.js runs this, with a kind and seeds');

let rejected: unknown;
process.on('unhandledRejection', (error) => (rejected = error ?? 'nothing'));
for (let seed = Number(from); seed < Number(from) + Number(count); seed++) {
  process.send({ seed });
  try {
    // oxlint-disable-next-line no-await-in-loop -- one after another: the seed that hangs is the last one printed
    await tryOne(new Random(seed));
    if (rejected !== undefined) throw rejected;
  } catch (error) {
    process.send({
      seed,
      failure: error instanceof Error ? (error.stack ?? error.message).slice(0, 1500) : String(error),
    });
    rejected = undefined;
  }
}
await closeServers();
process.disconnect();
