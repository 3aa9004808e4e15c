import type { SourceFile } from '../../diagnostics/source-file.js';
import { parseJson } from '../../input/json/parse-json.js';
import type { ParsedDocument } from './parse-yaml.js';

/** Reads a file into plain data that remembers its lines: JSON where its name says so, else YAML. */
export async function parseDocument(source: SourceFile): Promise<ParsedDocument> {
  if (source.name.toLowerCase().endsWith('.json')) return parseJson(source, { places: true });
  const { parseYaml } = await import('./parse-yaml.js'); // for those alone who read YAML
  return parseYaml(source);
}
