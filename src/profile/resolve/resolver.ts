import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { withBaseFolder } from '../../contract/file-path.js';
import type { Child, OnAbsent, UnitKind } from '../../contract/index.js';
import { locate, locateWithin, placeOfValue } from '../../diagnostics/places.js';
import { type Problem } from '../../diagnostics/problem.js';
import type { Expression } from '../../expression/expression.js';
import { ExpressionError } from '../../expression/errors.js';
import { isMap } from '../../expression/is-map.js';
import { withParamScope } from '../../expression/params.js';
import { parseExpression } from '../../expression/parse-expression.js';
import type { ExpressionScope } from '../../expression/scope.js';
import { type FoundClass, lookUpClass } from '../class-lookup.js';
import type { ClassOrigins, RawMap } from '../merge/merge-profiles.js';
import type { ChildUse, ClassUse, Use } from '../profile.js';
import {
  collectMalformedParamContents,
  collectParamContents,
  type ParamContents,
  type WrittenUse,
} from '../schema/partial-parse.js';
import { formatDataPath, schemaProblems } from '../schema/schema-problems.js';

export type Path = readonly (string | number)[];

/** The child's class speaks for itself where its entry doesn't say what stands in for its abstaining. */
const childOnAbsent = (said: OnAbsent | undefined, use: Use): OnAbsent =>
  said ?? (use.kind === 'class' ? use.unit.meta.onAbsent : undefined) ?? 'skip';

/** Turns what a profile says into classes, params and expressions, and collects every problem on the way. */
export class Resolver {
  readonly problems: Problem[] = [];

  constructor(
    readonly root: RawMap,
    private readonly origins: ClassOrigins,
    /** What relative paths start from where no file says them. */
    private readonly folder: string,
  ) {}

  report(code: Problem['code'], message: string, path: Path, hint?: string, at: 'key' | 'value' = 'value'): void {
    this.problems.push({ code, message, path: formatDataPath(path), place: locate(this.root, path, at), hint });
  }

  /** Checks a part of the profile; undefined when it is not as it should be. */
  check<S extends z.ZodType>(schema: S, value: unknown, path: Path, owner?: string): z.output<S> | undefined {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    this.problems.push(...schemaProblems(parsed.error.issues, { root: this.root, path, schema, owner }));
    return undefined;
  }

  /** Asks what a unit's own code has to say, which may throw: that is the unit's fault, told where it is used. */
  callUnit<V>(what: string, path: Path, answer: () => V): V | undefined {
    try {
      return answer();
    } catch (error) {
      this.report('ASZ305', `${what}: ${error instanceof Error ? error.message : String(error)}`, path);
      return undefined;
    }
  }

  resolveExpression(
    source: string | undefined,
    scope: ExpressionScope,
    want: 'bool' | 'number' | 'any',
    path: Path,
  ): Expression | undefined {
    if (source === undefined) return undefined;
    try {
      return parseExpression(source, scope, want);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      for (const { kind, message, offset, hint } of error.problems) {
        const code = kind === 'syntax' ? 'ASZ401' : 'ASZ402';
        this.problems.push({
          code,
          message,
          path: formatDataPath(path),
          place: locateWithin(this.root, path, offset),
          hint,
        });
      }
      return undefined;
    }
  }

  resolveNumber(
    value: number | string | undefined,
    scope: ExpressionScope,
    path: Path,
  ): number | Expression | undefined {
    return typeof value === 'string' ? this.resolveExpression(value, scope, 'number', path) : value;
  }

  resolveUse(written: WrittenUse, raw: object, kind: UnitKind, scope: ExpressionScope, path: Path): Use | undefined {
    if (written.class !== undefined) return this.resolveClassUse(written.class, written.params, raw, kind, scope, path);
    const want = kind === 'veto' ? 'bool' : 'number';
    const expression = this.resolveExpression(written.expr, scope, want, [...path, 'expr']);
    return expression && { kind: 'expr', expression };
  }

  resolveClassUse(
    name: string,
    params: unknown,
    raw: object,
    kind: UnitKind,
    scope: ExpressionScope,
    path: Path,
  ): ClassUse | undefined {
    const levels = this.origins.levelsOf(raw);
    if (!levels) return undefined; // a plugin of that file could not be loaded, which is said already
    const found = lookUpClass(name, kind, levels);
    if ('code' in found) {
      const place = locate(this.root, [...path, 'class'], 'value');
      this.problems.push({ ...found, path: formatDataPath([...path, 'class']), place });
      return undefined;
    }
    // Reported with the whole profile; nothing is known of params that are no map.
    if (params === undefined && isMap(raw) && raw['params'] !== undefined) return undefined;
    const inside: ParamContents = { children: [], paths: [], expressions: [], malformedChildren: [] };
    const check = (): ReturnType<Resolver['parseParams']> =>
      this.parseParams(found, params ?? {}, [...path, 'params'], inside);
    const checked = kind === 'selector' ? withParamScope(scope, check) : check();
    const children = new Map<Child, ChildUse>();
    const inner = kind === 'selector' ? 'selector' : 'scorer';
    for (const [child, at] of inside.children) {
      const use = this.resolveChild(child.spec, child.raw, inner, scope, at);
      if (!use) continue;
      const label = use.kind === 'class' ? use.name : use.expression.source;
      children.set(child, { label, use, weight: child.weight, onAbsent: childOnAbsent(child.spec.on_absent, use) });
    }
    for (const { written, raw: child, path: at } of inside.malformedChildren)
      this.resolveChild(written, child, inner, scope, at);
    return (
      checked && {
        kind: 'class',
        ...found,
        params: checked.params,
        children,
        paths: inside.paths,
        expressions: inside.expressions,
      }
    );
  }

  /** An entry inside another one's params, which is of the kind that its owner asks. */
  private resolveChild(
    written: WrittenUse,
    raw: object,
    kind: UnitKind,
    scope: ExpressionScope,
    path: Path,
  ): Use | undefined {
    if (kind === 'selector') {
      const foreign = ['expr', 'weight', 'on_absent'].filter((key) => Object.hasOwn(raw, key));
      for (const key of foreign) {
        const hint = 'a selector is a class with params: { class: GreedyPack }';
        this.report('ASZ211', `an entry inside a selector has no ${key}`, [...path, key], hint, 'key');
      }
      if (written.class === undefined) return undefined;
    }
    return this.resolveUse(written, raw, kind, scope, path);
  }

  /** The params of a class as its schema gives them; undefined when they are malformed. Fills `inside` either way. */
  private parseParams(
    { name, unit }: FoundClass,
    written: unknown,
    path: Path,
    inside: ParamContents,
  ): { params: unknown } | undefined {
    const schema = unit.meta.params;
    return this.callUnit(`the params of ${name} cannot be checked`, path, () =>
      withBaseFolder(
        (relative) => this.folderOf(written, relative),
        () => {
          const params: unknown = this.check(schema, written, path, name);
          if (params === undefined) collectMalformedParamContents(schema, written, path, inside);
          else collectParamContents(params, path, inside);
          return params === undefined ? undefined : { params };
        },
      ),
    );
  }

  /** A file named at a path of the profile, from the folder of the file that says so. */
  resolveFile(path: Path, name: string): string {
    const said = locate(this.root, path)?.file;
    return resolve(said === undefined ? this.folder : dirname(resolve(said)), name);
  }

  /** The folder of the file that wrote a string among params: amended entries have params from several. */
  private folderOf(written: unknown, text: string): string {
    const file = fileOfText(written, text);
    return file === undefined ? this.folder : dirname(resolve(file));
  }
}

/** The file in which a string stands somewhere under `data`. */
function fileOfText(data: unknown, text: string): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  for (const [key, value] of Object.entries(data)) {
    const file =
      value === text ? placeOfValue(data, Array.isArray(data) ? Number(key) : key)?.file : fileOfText(value, text);
    if (file !== undefined) return file;
  }
  return undefined;
}
