import { parse, YAMLParseError } from 'yaml';
import { NotSavedError } from './save-file.js';
import { isMap } from '../data/studio-data.js';
import type { DataEdit } from './data-edit.js';

/**
 * Converts edits of a profile to edits of its text, in which the keys may be under `scoring`.
 *
 * @throws NotSavedError if the text is not valid YAML
 */
export function located(edits: readonly DataEdit[], text: string): readonly DataEdit[] {
  const data = parsed(text);
  const nested = isMap(data) && isMap(data['scoring']);
  return nested ? edits.map(({ path, value }) => ({ path: ['scoring', ...path], value })) : edits;
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    throw new NotSavedError(`the file is not valid YAML; fix it in an editor first: ${error.message}`);
  }
}
