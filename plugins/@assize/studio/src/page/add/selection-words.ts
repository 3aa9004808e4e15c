import { isJsonMap, type JsonData, scalarText } from '../../save/data-edit.js';

/** A limit per group in words: `At most 3 with the same Director`. */
export function groupWords(per: JsonData | undefined): string {
  if (!isJsonMap(per)) return 'A limit per group';
  return `At most ${scalarText(per['top'])} with the same ${fieldOf(per['by'])}`;
}

/** A variety in words: `Prefers items that differ in Major Genre`. */
export function varietyWords(diversify: JsonData | undefined): string {
  const params = isJsonMap(diversify) ? diversify['params'] : undefined;
  const fields = isJsonMap(params) ? [params['fields']].flat().map(fieldOf).filter(Boolean) : [];
  return fields.length === 0 ? 'Prefers items that differ' : `Prefers items that differ in ${fields.join(' and ')}`;
}

/** `candidate["Major Genre"]` → `Major Genre`; other expressions as they are. */
const fieldOf = (text: JsonData | undefined): string =>
  scalarText(text)
    .replace(/^candidate(?=\.|\[)\.?/, '')
    .replace(/^\["([^"\]]+)"\]$/, '$1');
