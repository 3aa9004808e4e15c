import type { SourceFile } from '../../diagnostics/index.js';
import type { ParsedDocument } from '../../input/parsed-document.js';

/** Parses a file into plain data that remembers its lines: JSON where its name ends in .json, else YAML. */
export async function parseDocument(source: SourceFile): Promise<ParsedDocument> {
  if (source.name.toLowerCase().endsWith('.json')) {
    const { parseJsonWithPlaces } = await import('../../input/json/parse-json-with-places.js');
    return parseJsonWithPlaces(source);
  }
  const { parseYaml } = await import('./parse-yaml.js');
  return parseYaml(source);
}
