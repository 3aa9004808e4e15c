import { readFile } from 'node:fs/promises';
import { createPipeline } from 'assize';
import { createProfileService, type Completion, type ProfileService } from '@assize/lsp/service';
import { nodeOptions } from '../src/server/node-options.js';

/** Candidates that a profile may name as its sample. */
const REPOS = [
  { id: 'a', stars: 1200, owner: { login: 'ada' }, tags: ['x'], archived: false },
  { id: 'b', stars: 3, owner: { login: 'bob' }, 'odd name': 1 },
];

/** A service without files: what a page has. */
export const pageService = (): ProfileService =>
  createProfileService({ check: (profile) => createPipeline(profile), candidates: async () => REPOS });

/** A service with the files of the working directory. */
export const nodeService = (): ProfileService =>
  createProfileService(
    nodeOptions({
      trust: 'full',
      openText: () => undefined,
      sample: () => undefined,
      readCandidates: async (file) => JSON.parse(await readFile(file, 'utf8')) as readonly unknown[],
    }),
  );

/** A text with `|` at the cursor, as the text without it and the offset. */
export function withCursor(marked: string): { readonly text: string; readonly offset: number } {
  const offset = marked.lastIndexOf('|');
  return { text: marked.slice(0, offset) + marked.slice(offset + 1), offset };
}

const service = pageService();

/** The completions at the `|` of a text. */
export async function completionsAt(marked: string, of = service): Promise<readonly Completion[]> {
  const { text, offset } = withCursor(marked);
  const found = await of.complete(text, offset, 'p.yaml');
  return found.toSorted((a, b) => a.rank - b.rank);
}

/** Their labels, best first. */
export const labelsAt = async (marked: string, of = service): Promise<readonly string[]> =>
  (await completionsAt(marked, of)).map(({ label }) => label);

/** A text after a completion was accepted. */
export function accept(text: string, { change, others = [] }: Completion): string {
  return [change, ...others]
    .toSorted((a, b) => b.start - a.start)
    .reduce((after, { start, end, text: by }) => after.slice(0, start) + by + after.slice(end), text);
}

/** The explanation at the `|` of a text. */
export async function hoverAt(marked: string, of = service): Promise<string | undefined> {
  const { text, offset } = withCursor(marked);
  return (await of.hover(text, offset, 'p.yaml'))?.markdown;
}
