import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { assize, inFolder } from '../../cli/run-here.js';

/** The section on budgets: writes its files, and compares the output of its commands. `UPDATE_README=1` rewrites it. */
const file = fileURLToPath(new URL('../../../plugins/cupel/README.md', import.meta.url));
const readme = readFileSync(file, 'utf8');
const BLOCK = /^```(\w*) ?(\S*)\n([\s\S]*?)^```$/gm;

inFolder(
  Object.fromEntries(
    [...readme.matchAll(BLOCK)].flatMap(([, , name = '', text = '']) => (name === '' ? [] : [[name, text]])),
  ),
);

test('the README shows the output of its commands', async () => {
  const outputs: string[] = [];
  for (const [, language, , text = ''] of readme.matchAll(BLOCK)) {
    if (language !== 'sh' || !text.startsWith('npx assize')) continue;
    // oxlint-disable-next-line no-await-in-loop -- one command after another, like a reader
    const { out, err } = await assize(text.trim().split(' ').slice(2));
    outputs.push(`${out}${err}`.trim());
  }
  let k = 0;
  const printed = readme.replace(BLOCK, (block, language: string) =>
    language === 'text' && k < outputs.length ? `\`\`\`text\n${outputs[k++]}\n\`\`\`` : block,
  );
  if (process.env['UPDATE_README']) writeFileSync(file, printed);
  else expect(readme).toBe(printed);
  expect(k).toBe(outputs.length);
});
