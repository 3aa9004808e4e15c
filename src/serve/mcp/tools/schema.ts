import * as z from 'zod';
import { findPart, partsText, schemaParts } from '../schema-parts.js';
import { defineTool } from '../tool.js';

/** Says how a profile is written, part by part. */
export const schema = defineTool({
  name: 'schema',
  title: 'How a profile is written',
  description:
    'What a profile is written with. Without a part: every key, class and preset in a line each. With one: the JSON Schema of ' +
    'a key (select) or of a class’s params (DecayScorer), or the text of a preset, as an example.',
  input: z.strictObject({ part: z.string().optional().describe('A key, a class, or a preset.') }),
  async run({ part }) {
    const parts = await schemaParts();
    if (part === undefined) {
      const all = parts.map(({ kind, name, summary }) => ({ kind, name, summary }));
      return { text: partsText(parts), data: { parts: all } };
    }
    const { kind, name, summary, read } = findPart(parts, part);
    const text = await read();
    return { text: `${kind} ${name}: ${summary}\n${text}`, data: { kind, name, summary } };
  },
});
