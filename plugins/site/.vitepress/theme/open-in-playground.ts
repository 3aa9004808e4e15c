import { onContentUpdated, withBase } from 'vitepress';
import { type CandidateFormat, type PlaygroundState, toFragment } from '../../playground/share/fragment';

/** A key that only profiles have at the start of a line. */
const PROFILE = /^(?:tier[12]_scorers|extends):/m;
const BLOCKS = 'div[class*="language-"]';
const FORMATS: readonly CandidateFormat[] = ['json', 'jsonl', 'csv'];

const textOf = (block: Element): string => `${block.querySelector('code')?.textContent?.trimEnd() ?? ''}\n`;

/** The format of a block of candidates: a list of objects, lines of JSON, or CSV. */
function formatOf(block: Element): CandidateFormat | undefined {
  const format = FORMATS.find((one) => block.classList.contains(`language-${one}`));
  return format === 'json' && !/^\s*\[\s*\{/.test(textOf(block)) ? undefined : format;
}

/** The block of candidates that is nearest to a profile: before it, or else after it. */
function candidatesNear(blocks: readonly Element[], at: number): Pick<PlaygroundState, 'candidates' | 'format'> {
  const near = [...blocks.slice(0, at).reverse(), ...blocks.slice(at + 1)];
  const block = near.find((one) => formatOf(one) !== undefined);
  const format = block && formatOf(block);
  return block && format ? { candidates: textOf(block), format } : { candidates: '[]\n', format: 'json' };
}

async function addLinks(): Promise<void> {
  const blocks = [...document.querySelectorAll(`.vp-doc ${BLOCKS}`)];
  const profiles = blocks.filter(
    (block) =>
      block.classList.contains('language-yaml') &&
      PROFILE.test(textOf(block)) &&
      !block.nextElementSibling?.matches('.open-in-playground'),
  );
  await Promise.all(
    profiles.map(async (block) => {
      const state = { profile: textOf(block), ...candidatesNear(blocks, blocks.indexOf(block)), context: '', now: '' };
      const link = document.createElement('a');
      link.className = 'open-in-playground';
      link.textContent = 'Open in playground';
      link.href = `${withBase('/playground.html')}#${await toFragment(state)}`;
      block.after(link);
    }),
  );
}

/** Adds a link below each block of YAML that is a profile. Must be called in `setup`. */
export const useOpenInPlayground = (): void => onContentUpdated(() => void addLinks());
