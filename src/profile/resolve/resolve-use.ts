import * as z from 'zod';
import {
  isPathReader,
  type PathReader,
  withFilePaths,
  withParamScope,
  type Expression,
  isExpression,
  isMap,
  type ExpressionScope,
} from '../../expression/index.js';
import { type Child, isChild, type OnAbsent, type UnitKind } from '../../sdk/index.js';
import { type DataPath, locate } from '../../base/index.js';
import { type FoundClass, lookUpClass } from '../class-lookup.js';
import type { ChildUse, ClassUse, Use } from '../profile.js';
import { unwrapSchema } from '../schema/json-schema.js';
import { formatDataPath } from '../source/raw-profile.js';
import type { Resolver } from './resolver.js';

/** A class or an expression, as an entry or a child writes it. */
interface WrittenUse {
  readonly class?: string | undefined;
  readonly expr?: string | undefined;
  readonly params?: unknown;
}

/** The children, paths and expressions inside params, at any depth. */
interface ParamContents {
  readonly children: [child: Child, path: DataPath][];
  readonly paths: PathReader[];
  readonly contextPaths: PathReader[];
  readonly expressions: Expression[];
  /** Malformed children. Their classes and expressions are checked as well. */
  readonly malformedChildren: { readonly written: WrittenUse; readonly raw: object; readonly path: DataPath }[];
}

/** Resolves a class or an expression. Reports problems and returns undefined if it has any. */
export function resolveUse(
  resolver: Resolver,
  written: WrittenUse,
  raw: object,
  kind: UnitKind,
  scope: ExpressionScope,
  path: DataPath,
): Use | undefined {
  if (written.class !== undefined)
    return resolveClassUse(resolver, written.class, written.params, raw, kind, scope, path);
  const want = kind === 'veto' ? 'bool' : 'number';
  const expression = resolver.resolveExpression(written.expr, scope, want, [...path, 'expr']);
  return expression && { kind: 'expr', expression };
}

/** Finds a class, and resolves its params and the entries inside them. Returns undefined if it has problems. */
export function resolveClassUse(
  resolver: Resolver,
  name: string,
  params: unknown,
  raw: object,
  kind: UnitKind,
  scope: ExpressionScope,
  path: DataPath,
): ClassUse | undefined {
  const levels = resolver.origins.levelsOf(raw);
  if (!levels) return undefined; // a plugin of that file could not be loaded; it has been reported
  const found = lookUpClass(name, kind, levels);
  if ('code' in found) {
    const at = [...path, 'class'];
    resolver.problems.push({ ...found, path: formatDataPath(at), place: locate(resolver.root, at, 'value') });
    return undefined;
  }
  // The schema of the profile reports params that are not a map.
  if (params === undefined && isMap(raw) && raw['params'] !== undefined) return undefined;
  const contents: ParamContents = { children: [], paths: [], contextPaths: [], expressions: [], malformedChildren: [] };
  const check = (): ReturnType<typeof parseParams> =>
    parseParams(resolver, found, params ?? {}, raw, [...path, 'params'], contents);
  const parsed = kind === 'selector' ? withParamScope(scope, check) : check();
  const childKind = kind === 'selector' ? 'selector' : 'scorer';
  const children = new Map<Child, ChildUse>();
  for (const [child, at] of contents.children) {
    const use = resolveChild(resolver, child.spec, child.raw, childKind, scope, at);
    if (!use) continue;
    const { id, weight, on_absent: onAbsent } = child.spec;
    const unit = use.kind === 'class' ? use.name : use.expression.source;
    children.set(child, { name: id ?? unit, use, weight, onAbsent: childOnAbsent(onAbsent, use) });
  }
  for (const { written, raw: child, path: at } of contents.malformedChildren)
    resolveChild(resolver, written, child, childKind, scope, at);
  const { paths, contextPaths, expressions } = contents;
  return parsed && { kind: 'class', ...found, params: parsed.params, children, paths, contextPaths, expressions };
}

const childOnAbsent = (written: OnAbsent | undefined, use: Use): OnAbsent =>
  written ?? (use.kind === 'class' ? use.unit.meta.onAbsent : undefined) ?? 'skip';

/** Resolves an entry inside another one's params. */
function resolveChild(
  resolver: Resolver,
  written: WrittenUse,
  raw: object,
  kind: UnitKind,
  scope: ExpressionScope,
  path: DataPath,
): Use | undefined {
  if (kind === 'selector') {
    for (const key of ['id', 'expr', 'range', 'weight', 'on_absent'].filter((one) => Object.hasOwn(raw, one))) {
      const hint = 'a selector is a class with params: { class: GreedyPack }';
      resolver.report('ASZ211', `an entry inside a selector cannot have the key ${key}`, [...path, key], hint, 'key');
    }
    if (written.class === undefined) return undefined;
  }
  return resolveUse(resolver, written, raw, kind, scope, path);
}

/**
 * Parses the params of a class with its schema, and fills `contents`. Returns undefined if they are malformed; `contents`
 * then has their well-formed parts.
 *
 * @param raw the entry as written: its values have places, from which file paths are resolved
 */
function parseParams(
  resolver: Resolver,
  { name, unit }: FoundClass,
  written: unknown,
  raw: object,
  path: DataPath,
  contents: ParamContents,
): { readonly params: unknown } | undefined {
  const schema = unit.meta.params;
  return resolver.callUnit(`the params of ${name} cannot be checked`, path, () =>
    withFilePaths(
      (text) => resolver.resolveText(raw, text),
      () => {
        const params: unknown = resolver.check(schema, written, path, name);
        if (params === undefined) collectFromMalformed(schema, written, path, contents);
        else collectContents(params, path, contents);
        return params === undefined ? undefined : { params };
      },
    ),
  );
}

/** Adds the contents of parsed params. */
function collectContents(value: unknown, path: DataPath, contents: ParamContents): void {
  if (isChild(value)) contents.children.push([value, path]);
  else if (isPathReader(value)) {
    if (value.of === undefined) contents.paths.push(value);
    else if (value.of === 'context') contents.contextPaths.push(value);
  } else if (isExpression(value)) contents.expressions.push(value);
  else if (Array.isArray(value)) value.forEach((item, index) => collectContents(item, [...path, index], contents));
  else if (isMap(value) && Object.getPrototypeOf(value) === Object.prototype) {
    for (const [key, item] of Object.entries(value)) collectContents(item, [...path, key], contents);
  }
}

/** Adds the contents of the well-formed parts of malformed params, so that one mistake does not hide others. */
function collectFromMalformed(schema: z.core.$ZodType, value: unknown, path: DataPath, contents: ParamContents): void {
  const parsed = z.safeParse(schema, value);
  const inner = unwrapSchema(schema);
  if (parsed.success) collectContents(parsed.data, path, contents);
  else if (inner instanceof z.ZodArray && Array.isArray(value)) {
    value.forEach((item, index) => collectFromMalformed(inner.element, item, [...path, index], contents));
  } else if (inner instanceof z.ZodObject && isMap(value)) {
    for (const [key, item] of Object.entries(value)) {
      const itemSchema: unknown = Object.hasOwn(inner.shape, key) ? inner.shape[key] : undefined;
      if (itemSchema instanceof z.ZodType) collectFromMalformed(itemSchema, item, [...path, key], contents);
    }
  } else if (inner instanceof z.ZodUnknown && isMap(value)) {
    // A schema that accepts anything fails only if it transforms the value, and only the schema of a child does.
    const text = (key: string): string | undefined => (typeof value[key] === 'string' ? value[key] : undefined);
    const written = { class: text('class'), expr: text('expr'), params: value['params'] };
    contents.malformedChildren.push({ written, raw: value, path });
  }
}
