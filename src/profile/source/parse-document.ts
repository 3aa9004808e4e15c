import type { SourceFile } from '../../diagnostics/index.js';
import type { DocumentLimits, ParsedDocument } from '../../input/parsed-document.js';

/** Parses a file into plain data that remembers its lines: JSON where its name ends in .json, else YAML. A context may have any size. */
export async function parseDocument(source: SourceFile, limits?: DocumentLimits): Promise<ParsedDocument> {
  if (source.name.toLowerCase().endsWith('.json')) {
    const { parseJsonWithPlaces } = await import('../../input/json/parse-json-with-places.js');
    return parseJsonWithPlaces(source, 'file', limits);
  }
  const { parseYaml } = await import('./parse-yaml.js');
  return parseYaml(source, limits);
}
