/**
 * Loads one large input in this process, which has little memory, and says how that ended.
 *
 *     node --max-old-space-size=256 load-large.js KIND NAME
 *
 * @module
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssizeError, createPipeline, rankFile } from '../../src/index.js';
import { LARGE_FILES, LARGE_JSON, LARGE_PROFILES } from './large-inputs.js';

const [kind, name = ''] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'assize-large-'));

async function load(): Promise<string> {
  if (kind === 'file') {
    const [ending, text] = LARGE_FILES[name]!;
    const file = join(folder, `candidates.${ending}`);
    await writeFile(file, text());
    const { given } = (await rankFile({ select: { top: 1 } }, file, { workers: 1 })).counts;
    return `${given} candidates`;
  }
  const file = join(folder, kind === 'json' ? 'profile.json' : 'profile.yaml');
  await writeFile(file, (kind === 'json' ? LARGE_JSON : LARGE_PROFILES)[name]!());
  const { warnings } = await createPipeline(file);
  return `loads with ${warnings.length} warnings`;
}

const before = process.cpuUsage();
try {
  console.log(await load());
} catch (error) {
  if (!(error instanceof AssizeError)) throw error;
  console.log(`${error.problems.length} problems, ${error.message.length} characters: ${error.message.slice(0, 200)}`);
} finally {
  await rm(folder, { recursive: true });
}
// Of the processor, and not by the clock: other processes may have it meanwhile.
const { user, system } = process.cpuUsage(before);
console.error(`${((user + system) / 1e6).toFixed(2)} CPU s, ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
