import { parse } from 'yaml';
import { isMap } from '../data/profile-document.js';
import type { DataEdit } from './data-edit.js';

/** Edits of a profile as edits of its text: a profile may have its keys under `scoring`, and then they go there. */
export function located(edits: readonly DataEdit[], text: string): readonly DataEdit[] {
  const data: unknown = parse(text);
  const nested = isMap(data) && isMap(data['scoring']);
  return nested ? edits.map(({ path, value }) => ({ path: ['scoring', ...path], value })) : edits;
}
