import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AssizeError, createPipeline, type ProfileInput } from 'assize';
import { temporaryFolder } from '../temporary-folder.js';

/** The message about a profile in a file, with other files next to it; without their folder. */
export async function told(profile: string, others: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = temporaryFolder('profile-');
  for (const [name, text] of Object.entries({ 'p.yaml': profile, ...others }))
    await writeFile(join(folder, name), text);
  return (await messageOf('./p.yaml', folder)).replaceAll(/[^\s:]*profile-\w+[\\/]/g, '');
}

/** The message about a profile given as an object, or as a name or path. */
export async function messageOf(profile: unknown, folder = process.cwd()): Promise<string> {
  try {
    await createPipeline(profile as ProfileInput, { folder });
  } catch (error) {
    if (error instanceof AssizeError) return `\n${error.message}\n`;
    throw error; // any other error is a bug
  }
  return 'it is valid';
}
