import type { LoadedPlugin, UnitClass } from '../../sdk/index.js';
import { loadPlugins } from '../../pipeline/node.js';
import { didYouMean, toAssizeError } from '../../base/index.js';
import { isMap } from '../../expression/index.js';
import { presetNames, presetSource, paramsJsonSchema, profileBaseJsonSchema } from '../../profile/index.js';

/** A part of the profile format: a key, a class, or a preset as an example. */
export interface SchemaPart {
  readonly kind: 'key' | 'class' | 'preset';
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** The content for an agent: JSON, or the text of a preset. */
  readonly read: () => Promise<string>;
}

let known: Promise<readonly SchemaPart[]> | undefined;

/** Every part, computed once. The whole schema has 300 kB, but an agent needs only a few hundred bytes at a time. */
export const schemaParts = (): Promise<readonly SchemaPart[]> => (known ??= findParts());

async function findParts(): Promise<readonly SchemaPart[]> {
  const plugins = await loadPlugins(undefined);
  const presets = await Promise.all((await presetNames()).toSorted().map(presetPart));
  return [...keyParts(), ...plugins.flatMap(unitParts), ...presets];
}

/** @throws AssizeError (ASZ591) if no part has this name */
export function findPart(parts: readonly SchemaPart[], name: string): SchemaPart {
  const found = parts.find((part) => part.name === name);
  if (found) return found;
  const hint = didYouMean(
    name,
    parts.map((part) => part.name),
    'call schema without a part to list them',
  );
  throw toAssizeError([{ code: 'ASZ591', message: `there is no key, class or preset ${JSON.stringify(name)}`, hint }]);
}

/** The parts as text, one per line. */
export function partsText(parts: readonly SchemaPart[]): string {
  const titles = { key: 'Keys of a profile', class: 'Classes', preset: 'Presets, as examples' };
  return (['key', 'class', 'preset'] as const)
    .map((kind) => {
      const lines = parts.filter((part) => part.kind === kind).map(({ name, summary }) => `- ${name}: ${summary}`);
      return `${titles[kind]}:\n${lines.join('\n')}`;
    })
    .join('\n\n');
}

function keyParts(): readonly SchemaPart[] {
  const { properties, definitions } = profileBaseJsonSchema();
  if (!isMap(properties)) return [];
  return Object.entries(properties).map(([name, schema]) => {
    const text = JSON.stringify(schema);
    const own = text.includes('#/definitions/') ? { ...(isMap(schema) && schema), definitions } : schema;
    const description = isMap(schema) && typeof schema['description'] === 'string' ? schema['description'] : '';
    return { kind: 'key', name, summary: description, read: async () => JSON.stringify(own) };
  });
}

const unitParts = ({ name: plugin, units }: LoadedPlugin): readonly SchemaPart[] =>
  Array.from(units, ([name, unit]) => ({
    kind: 'class',
    name,
    summary: `${unit.meta.kind}${plugin === 'core' ? '' : ` of plugin ${plugin}`}. ${unit.meta.summary}`,
    read: async () => JSON.stringify(unitData(plugin, name, unit)),
  }));

const unitData = (plugin: string, name: string, { meta }: UnitClass) => ({
  class: name,
  kind: meta.kind,
  ...(plugin !== 'core' && { plugins: [plugin] }),
  summary: meta.summary,
  params: paramsJsonSchema(meta.params),
});

async function presetPart(name: string): Promise<SchemaPart> {
  const text = (await presetSource(name))?.text ?? '';
  const [, summary = ''] = /^description: (.*)$/m.exec(text) ?? [];
  return { kind: 'preset', name, summary, read: async () => text };
}
