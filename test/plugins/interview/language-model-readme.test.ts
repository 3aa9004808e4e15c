import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as interview from '../../../plugins/interview/index.js';
import { QUALITATIVE_SIGNALS } from '../../../plugins/interview/qualitative-signals.js';
import { createPipeline, type ProfileInput } from 'assize';
import { answerSchema } from 'assize/sdk';

const readme = readFileSync(new URL('../../../plugins/interview/README.md', import.meta.url), 'utf8');
const section = /^## Signals from a language model$([^]*?)(?=^## |(?![^]))/m.exec(readme)?.[1] ?? '';

describe('the section on language models', () => {
  const profiles = [...section.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(
    ([, text = '']) => parse(text) as ProfileInput,
  );

  test('has profiles that load', async () => {
    expect(profiles.length).toBeGreaterThan(1);
    for (const { plugins, ...profile } of profiles) {
      expect(plugins).toEqual(['interview']);
      await expect(createPipeline(profile, { units: interview })).resolves.toBeDefined();
    }
  });

  test.each(Object.entries(QUALITATIVE_SIGNALS))('names every field of %s, and every word of it', (name, quality) => {
    const row = new RegExp(`^\\| \`${name}\` \\|.*$`, 'm').exec(section)?.[0] ?? '';
    for (const field of Object.keys(quality.shape)) {
      if (!['confidence', 'reasoning'].includes(field)) expect(row).toContain(`\`${field}\``);
    }
    const lists = JSON.stringify(answerSchema(quality)).match(/"enum":\[[^\]]*\]/g) ?? [];
    const words = lists.flatMap((list) => list.match(/(?<=")\w+(?="[,\]])/g) ?? []);
    expect(words.length).toBeGreaterThan(2);
    for (const word of words) expect(row).toContain(`\`${word}\``);
  });

  test('names every param', () => {
    const { ConversationReading } = interview;
    for (const param of Object.keys(ConversationReading.meta.params.shape)) expect(section).toContain(`\`${param}\``);
  });
});
