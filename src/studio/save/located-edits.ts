import { parse, YAMLParseError } from 'yaml';
import { NotSavedError } from './save-file.js';
import { isMap } from '../data/studio-data.js';
import type { DataEdit } from './data-edit.js';

/**
 * Edits of a profile as edits of its text: a profile may have its keys under `scoring`, and then they go there.
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
    throw new NotSavedError(`the file is not valid YAML; correct it in an editor first: ${error.message}`);
  }
}
