import { FAULTS } from '../../../../src/base/codes.js';
import { allCodes } from '../../../../test/reference/codes.js';
import { type Generated, table } from '../generated.js';
import type { PageSpec } from '../page.js';
import { slug } from '../source.js';
import { FIXES } from './fixes.js';

const titleOf = (topic: string): string => {
  const name = topic.replace(/^warnings.*/, 'warnings');
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
};

/** A page of codes for each topic. */
export async function codePages(own: readonly PageSpec[], replaced: string): Promise<Generated> {
  const codes = await allCodes();
  const topics = [...new Set(codes.map(({ topic }) => topic))];
  const files = new Map<string, string>();
  const rows: string[][] = [];
  const pages = topics.map((topic): PageSpec => {
    const title = titleOf(topic);
    const route = `errors/${slug(title)}`;
    const path = `@codes/${slug(title)}.md`;
    const sections = codes
      .filter((one) => one.topic === topic)
      .map(({ code, meaning, fault }) => {
        rows.push([`[${code}](/reference/${route}#${code.toLowerCase()})`, meaning, fault]);
        const fix = Object.hasOwn(FIXES, code) ? FIXES[code as keyof typeof FIXES] : undefined;
        return [
          `## ${code}`,
          meaning,
          ...(fix === undefined ? [] : [`**Fix:** ${fix}`]),
          `Who can fix it: ${FAULTS[fault]} (\`${fault}\`).`,
        ].join('\n\n');
      });
    files.set(path, `# Codes: ${title}\n\nCauses and fixes of problems of this topic.\n\n${sections.join('\n\n')}\n`);
    return { route, title, parts: [path] };
  });
  files.set(
    '@codes/index.md',
    `# All codes\n\nA code never changes. The message of a problem names the place and the value.\n\n${table(['code', 'cause', 'fault'], rows)}\n`,
  );
  const index: PageSpec = {
    route: 'errors/codes',
    title: 'All codes',
    parts: ['@codes/index.md'],
    replaces: [replaced],
  };
  return { groups: [{ title: 'Errors', pages: [...own, index, ...pages], apart: 'errors' }], files };
}
