import { readdirSync, readFileSync } from 'node:fs';
import { root } from './documents.js';

/** A text as the source of a template literal. */
const literal = (text: string): string => `\`${text.replaceAll(/[\\`]|\$\{/g, '\\$&')}\``;

/** The module that has the text of every preset. */
export function presetTextsModule(): string {
  const files = readdirSync(`${root}config/presets`).toSorted();
  const entries = files.map((file) => {
    const text = readFileSync(`${root}config/presets/${file}`, 'utf8');
    const name = file.replace(/\.yaml$/, '');
    return `  ${/^\w+$/.test(name) ? name : `'${name}'`}: ${literal(text)},`;
  });
  return `/** The files of config/presets, by name. Generated from them: \`npm run generate\`. */
export const PRESET_TEXTS: Readonly<Record<string, string>> = {
${entries.join('\n')}
};
`;
}
