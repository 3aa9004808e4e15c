import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createPipeline, type ProfileInput } from 'assize';
import { assize, inFolder } from '../../cli/run-here.js';

/** `UPDATE_README=1` writes the output of the commands into the README. */
const file = new URL('../../../plugins/interview/README.md', import.meta.url).pathname;
const readme = readFileSync(file, 'utf8');

/** The text before the part on language models, which has its own test. */
const own = readme.slice(0, readme.indexOf('\n## Signals from a language model\n'));

describe("the plugin's README", () => {
  const files = [...own.matchAll(/^```\w+ (\S+)\n([^]*?)^```$/gm)].map(([, name = '', text = '']) => [name, text]);
  inFolder(Object.fromEntries(files) as Readonly<Record<string, string>>);

  test('has profiles that load without a warning', async () => {
    const profiles = [...own.matchAll(/^```yaml(?: \S+)?\n([^]*?)^```$/gm)].map(
      ([, text = '']) => parse(text) as ProfileInput,
    );
    expect(profiles.length).toBeGreaterThan(1);
    for (const profile of profiles) expect((await createPipeline(profile)).warnings).toEqual([]);
  });

  test('shows the output of its commands', async () => {
    const blocks = [...own.matchAll(/^```sh\nnpx assize (.*)\n```\n\n```text\n([^]*?)```$/gm)];
    expect(blocks).toHaveLength(3);
    let now = readme;
    for (const [block, command = '', printed = ''] of blocks) {
      const { code, out } = await assize(command.split(' '), { stdin: '' });
      expect(code).toBe(0);
      now = now.replace(block, () => block.replace(`\`\`\`text\n${printed}`, () => `\`\`\`text\n${out}`));
    }
    if (process.env['UPDATE_README']) writeFileSync(file, now);
    else expect(readme).toBe(now);
  });
});
