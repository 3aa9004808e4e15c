// @ts-check
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { generateText } from 'ai';
import { createPipeline } from 'assize';

/** @import { LanguageModel } from 'ai' */

/**
 * @typedef {object} Passage
 * @property {string} id
 * @property {string} text
 * @property {number} tokens
 * @property {number} similarity
 */

const at = (/** @type {string} */ file) => fileURLToPath(new URL(file, import.meta.url));

/** @type {readonly Passage[]} Your search returns them. */
export const passages = JSON.parse(await readFile(at('./passages.json'), 'utf8'));
const pipeline = await createPipeline(at('./passages.yaml'));

/**
 * Answers a question from the passages that fit into a budget of tokens.
 *
 * @param {LanguageModel} model
 * @param {string} query
 * @param {readonly Passage[]} found
 */
export async function answer(model, query, found, budget = 100) {
  const ranking = await pipeline.pack(found, budget, { query });
  const chosen = ranking.selected.map(({ candidate }) => /** @type {Passage} */ (candidate));
  const sources = chosen.map(({ id, text }) => `[${id}] ${text}`).join('\n');
  const { text } = await generateText({
    model,
    system: `Answer from these sources, and name their ids:\n${sources}`,
    prompt: query,
  });
  return { text, ranking };
}

/** A model that needs no network, from the test helpers of the AI SDK. It repeats the first source. */
export async function mockModel() {
  const { MockLanguageModelV3 } = await import('ai/test');
  return new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const [system] = prompt.filter(({ role }) => role === 'system');
      const sources = typeof system?.content === 'string' ? system.content : '';
      const [, id, source] = /\[(\S+)\] (.*)/.exec(sources) ?? [];
      const text = source === undefined ? 'I do not know.' : `${source} [${id}]`;
      return {
        content: [{ type: 'text', text }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: {
          inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
          outputTokens: { total: undefined, text: undefined, reasoning: undefined },
        },
        warnings: [],
      };
    },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { text, ranking } = await answer(await mockModel(), 'When is my invoice sent?', passages);
  console.log(text);
  console.log(`${ranking.budget?.used} of ${ranking.budget?.room} tokens`);
  for (const { id, text: reason } of ranking.notSelected) console.log(`${id} is not selected: ${reason}`);
  for (const { id, by } of ranking.refused) console.log(`${id} is refused by ${by}`);
}
