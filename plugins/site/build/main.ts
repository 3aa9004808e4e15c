/**
 * Builds the documentation site into `plugins/site/dist`, from READMEs, guides, doc comments, the schema and tables in
 * the code.
 *
 *     npm run docs
 *     npm run docs -- --serve          builds it, and serves it on localhost
 *     npm run docs -- --base /assize/  for a site below the root of its host
 *
 * @module
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { renderSite, serveSite } from './render.js';
import { composeSite, folder, generatedFolder } from './site.js';
import { writePages, writeTwins } from './write.js';

const { values } = parseArgs({
  options: {
    serve: { type: 'boolean', default: false },
    port: { type: 'string', default: '4173' },
    base: { type: 'string', default: '/' },
  },
});

const output = join(folder, 'dist');
const start = performance.now();
rmSync(generatedFolder, { recursive: true, force: true });
rmSync(output, { recursive: true, force: true });
const site = await composeSite();
writePages(site);
await renderSite(values.base);
writeTwins(site, output);
console.log(`${site.pages.size} pages in ${((performance.now() - start) / 1000).toFixed(0)} s: ${output}`);
if (values.serve) await serveSite(Number(values.port), values.base);
