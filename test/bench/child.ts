/**
 * Runs one section in this process. `main.js` starts it and receives each result.
 *
 * @module
 */
import { FULL } from './section.js';
import { SECTIONS } from './sections/index.js';

const section = SECTIONS.find(({ name }) => name === process.argv[2]);
if (!section || !process.send) throw new Error('node main.js runs this, with the name of a section');
for await (const result of section.run(FULL)) process.send(result);
process.disconnect();
