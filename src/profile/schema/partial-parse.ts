import { z } from 'zod';
import { type Child, isChild } from '../../contract/index.js';
import { type Expression, isExpression } from '../../expression/expression.js';
import { isMap } from '../../expression/is-map.js';
import { isPathReader, type PathReader } from '../../expression/path/compile-path.js';
import { unwrapSchema } from './schema-walk.js';

type Path = readonly (string | number)[];

/** A use as an entry or a child writes it. */
export interface WrittenUse {
  readonly class?: string | undefined;
  readonly expr?: string | undefined;
  readonly params?: unknown;
}

/** What is found among params, wherever the schema put it. */
export interface ParamContents {
  readonly children: [child: Child, path: Path][];
  readonly paths: PathReader[];
  readonly expressions: Expression[];
  /** What means to be a child and is malformed: its class and expression may have problems of their own. */
  readonly malformedChildren: { readonly written: WrittenUse; readonly raw: object; readonly path: Path }[];
}

/** Looks through parsed params. */
export function collectParamContents(value: unknown, path: Path, inside: ParamContents): ParamContents {
  if (isChild(value)) inside.children.push([value, path]);
  else if (isPathReader(value)) {
    if (value.of === undefined) inside.paths.push(value);
  } else if (isExpression(value)) inside.expressions.push(value);
  else if (Array.isArray(value)) value.forEach((item, index) => collectParamContents(item, [...path, index], inside));
  else if (isMap(value) && Object.getPrototypeOf(value) === Object.prototype) {
    for (const [key, item] of Object.entries(value)) collectParamContents(item, [...path, key], inside);
  }
  return inside;
}

/** Looks through those parts of malformed params that are well formed, so that one mistake does not hide others. */
export function collectMalformedParamContents(
  schema: z.core.$ZodType,
  value: unknown,
  path: Path,
  inside: ParamContents,
): ParamContents {
  const parsed = z.safeParse(schema, value);
  const here = unwrapSchema(schema);
  if (parsed.success) collectParamContents(parsed.data, path, inside);
  else if (here instanceof z.ZodArray && Array.isArray(value)) {
    value.forEach((item, index) => collectMalformedParamContents(here.element, item, [...path, index], inside));
  } else if (here instanceof z.ZodObject && isMap(value)) {
    for (const [key, item] of Object.entries(value)) {
      const of: unknown = Object.hasOwn(here.shape, key) ? here.shape[key] : undefined;
      if (of instanceof z.ZodType) collectMalformedParamContents(of, item, [...path, key], inside);
    }
  } else if (here instanceof z.ZodUnknown && isMap(value)) {
    // Only what is transformed out of anything at all can be malformed here: a child.
    const text = (key: string): string | undefined => (typeof value[key] === 'string' ? value[key] : undefined);
    const written = { class: text('class'), expr: text('expr'), params: value['params'] };
    inside.malformedChildren.push({ written, raw: value, path });
  }
  return inside;
}

/**
 * A value as its schema gives it, without what is malformed in it where that can be left out: what is reported of the
 * rest holds all the same. undefined where nothing is left.
 */
export function partialParse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> | undefined {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path],
  );
  return schema.safeParse(omitPaths(value, faults)).data;
}

/** A map without what is at some paths. A list goes as a whole: the places of its items would be others' places. */
function omitPaths(value: unknown, paths: readonly (readonly PropertyKey[])[]): unknown {
  if (!isMap(value)) return value;
  const kept = Object.entries(value).flatMap(([key, item]) => {
    const below = paths.filter((path) => path[0] === key).map((path) => path.slice(1));
    if (below.length === 0) return [[key, item] as const];
    const gone = !isMap(item) || below.some((path) => path.length === 0);
    return gone ? [] : [[key, omitPaths(item, below)] as const];
  });
  return Object.fromEntries(kept);
}
