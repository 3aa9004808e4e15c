import { parseJson } from './json.js';
import type { SourceFile } from './source.js';
import type { Parsed } from './yaml.js';

/** Reads a file into plain data that remembers its lines: JSON where its name says so, else YAML. */
export async function readDocument(source: SourceFile): Promise<Parsed> {
  if (source.name.toLowerCase().endsWith('.json')) return parseJson(source, { places: true });
  const { parseYaml } = await import('./yaml.js'); // for those alone who read YAML
  return parseYaml(source);
}
