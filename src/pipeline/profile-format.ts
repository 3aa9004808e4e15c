import { isMap } from '../expression/index.js';
import { paramsJsonSchema, presetNames, presetSource, profileBaseJsonSchema } from '../profile/index.js';
import type { LoadedPlugin, UnitClass } from '../sdk/index.js';
import { loadPlugins } from './create-pipeline.js';

/** A part of the profile format: a key, a class of a plugin that ships, or a preset as an example. */
interface FormatPart {
  readonly kind: 'key' | 'class' | 'preset';
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** The content for an agent: JSON, or the text of a preset. */
  readonly read: () => Promise<string>;
}

let known: Promise<readonly FormatPart[]> | undefined;

/**
 * Every part of the profile format, computed once. The whole schema has 300 kB, but an agent needs only a few hundred bytes
 * at a time.
 */
export const profileFormat = (): Promise<readonly FormatPart[]> => (known ??= findParts());

async function findParts(): Promise<readonly FormatPart[]> {
  const plugins = await loadPlugins(undefined);
  const presets = await Promise.all((await presetNames()).toSorted().map(presetPart));
  return [...keyParts(), ...plugins.flatMap(unitParts), ...presets];
}

function keyParts(): readonly FormatPart[] {
  const { properties, definitions } = profileBaseJsonSchema();
  if (!isMap(properties)) return [];
  return Object.entries(properties).map(([name, schema]) => {
    const text = JSON.stringify(schema);
    const own = text.includes('#/definitions/') ? { ...(isMap(schema) && schema), definitions } : schema;
    const description = isMap(schema) && typeof schema['description'] === 'string' ? schema['description'] : '';
    return { kind: 'key', name, summary: description, read: async () => JSON.stringify(own) };
  });
}

const unitParts = ({ name: plugin, units }: LoadedPlugin): readonly FormatPart[] =>
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

async function presetPart(name: string): Promise<FormatPart> {
  const text = (await presetSource(name))?.text ?? '';
  const [, summary = ''] = /^description: (.*)$/m.exec(text) ?? [];
  return { kind: 'preset', name, summary, read: async () => text };
}
