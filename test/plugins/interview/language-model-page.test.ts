import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { QUALITATIVE_SIGNALS } from '../../../plugins/interview/qualitative-signals.js';
import { answerSchema } from 'assize/sdk';

const page = readFileSync(new URL('../../../plugins/interview/language-model.md', import.meta.url), 'utf8');

describe('the page on language models', () => {
  test.each(Object.entries(QUALITATIVE_SIGNALS))('names every field of %s, and every word of it', (name, quality) => {
    const row = new RegExp(`^\\| \`${name}\` \\|.*$`, 'm').exec(page)?.[0] ?? '';
    for (const field of Object.keys(quality.shape)) {
      if (!['confidence', 'reasoning'].includes(field)) expect(row).toContain(`\`${field}\``);
    }
    const lists = JSON.stringify(answerSchema(quality)).match(/"enum":\[[^\]]*\]/g) ?? [];
    const words = lists.flatMap((list) => list.match(/(?<=")\w+(?="[,\]])/g) ?? []);
    expect(words.length).toBeGreaterThan(2);
    for (const word of words) expect(row).toContain(`\`${word}\``);
  });
});
