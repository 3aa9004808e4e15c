import type { Evaluate } from '../expression.js';
import { readerOf } from '../path-reader.js';
import { CANDIDATE, type Root, type Roots } from '../scope.js';

const settled =
  (root: Root): Evaluate =>
  (c, i) =>
    root(c, i) ?? undefined;

function fieldOf(root: Root, field: string): Evaluate {
  const read = readerOf([{ kind: 'key', key: field }]);
  return (c, i) => read(root(c, i));
}

/** The node of a variable, or of one field of a variable with known fields. */
export function rootOf(roots: Roots, name: string, field: string | undefined): Evaluate {
  const root = Object.hasOwn(roots, name) ? roots[name] : undefined;
  if (root === undefined && name === CANDIDATE) return (c) => c;
  if (typeof root === 'function') return field === undefined ? settled(root) : fieldOf(root, field);
  const one = field === undefined || root === undefined || !Object.hasOwn(root, field) ? undefined : root[field];
  if (one === undefined) throw new TypeError(`no root for ${field === undefined ? name : `${name}.${field}`}`);
  return settled(one);
}
