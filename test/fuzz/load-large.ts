/**
 * Loads large inputs in this process, one after another, with little memory, and prints the result of each.
 *
 *     node --max-old-space-size=256 load-large.js 'KIND: NAME' …
 *
 * @module
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssizeError, createPipeline, rankFile } from 'assize';
import { LARGE_FILES, LARGE_JSON, LARGE_PROFILES } from './large-inputs.js';

async function load(folder: string, kind: string, name: string): Promise<string> {
  if (kind === 'file') {
    const [ending, text] = LARGE_FILES[name]!;
    const file = join(folder, `candidates.${ending}`);
    await writeFile(file, text());
    const { given } = (await rankFile({ select: { top: 1 } }, file, {}, { workers: 1 })).counts;
    return `${given} candidates`;
  }
  const file = join(folder, kind === 'json' ? 'profile.json' : 'profile.yaml');
  await writeFile(file, (kind === 'json' ? LARGE_JSON : LARGE_PROFILES)[name]!());
  const { warnings } = await createPipeline(file);
  return `loads with ${warnings.length} warnings`;
}

async function endingOf(kind: string, name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-large-'));
  try {
    return await load(folder, kind, name);
  } catch (error) {
    if (!(error instanceof AssizeError)) throw error;
    const { problems, message } = error;
    return `${problems.length} problems, ${message.length} characters: ${message.slice(0, 200)}`;
  } finally {
    await rm(folder, { recursive: true });
  }
}

for (const input of process.argv.slice(2)) {
  const [kind = '', name = ''] = input.split(': ');
  const before = process.cpuUsage();
  const said = await endingOf(kind, name); // oxlint-disable-line no-await-in-loop -- one after another
  // Of the processor, and not by the clock: other processes may have it meanwhile.
  const { user, system } = process.cpuUsage(before);
  const used = `${((user + system) / 1e6).toFixed(2)} CPU s, ${Math.round(process.resourceUsage().maxRSS / 1024)} MB so far`;
  console.log(JSON.stringify({ input, said, used }));
}
