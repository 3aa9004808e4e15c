import { compilePath, FieldNames, isMap, PathError, type PathStep } from '../../expression/index.js';
import type { Resolver } from './resolver.js';

/** Resolves `fields`, the names of the candidate's fields in this profile; undefined where it has none. */
export function resolveFieldNames(resolver: Resolver): FieldNames | undefined {
  const { fields } = resolver.root;
  if (!isMap(fields)) return undefined;
  const names = Object.entries(fields).flatMap(([name, target]): readonly (readonly [PathStep[], PathStep[]])[] => {
    if (typeof target !== 'string' || target === '') return []; // the schema reports it
    const from = parseSteps(resolver, name, 'key', name);
    const to = parseSteps(resolver, target, 'value', name);
    return from && to ? [[from, to]] : [];
  });
  return new FieldNames(names);
}

/** The steps of a name or of its replacement; undefined, with a report, where it is not one value of the candidate. */
function parseSteps(resolver: Resolver, text: string, at: 'key' | 'value', name: string): PathStep[] | undefined {
  const path = ['fields', name];
  try {
    const { steps, optional } = compilePath(text);
    const kinds = at === 'key' ? ['key'] : ['key', 'index'];
    if (!optional && steps.every(({ kind }) => kinds.includes(kind))) return [...steps];
    const expected =
      at === 'key' ? 'a field: content, or metadata.author' : 'where one value is: text, or parts[0].text';
    resolver.report('ASZ202', `expected ${expected}, found ${text}`, path, undefined, at);
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    resolver.report('ASZ202', `${text}: ${error.message}`, path, undefined, at);
  }
  return undefined;
}
