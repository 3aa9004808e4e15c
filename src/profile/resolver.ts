import type { z } from 'zod';
import { dirname, resolve } from 'node:path';
import { Child, inFolder, type OnAbsent, type Problem, type UnitKind } from '../contract/index.js';
import { locate, placeWithin } from '../document/places.js';
import type { Expression } from '../expression/expression.js';
import { ExpressionError } from '../expression/problems.js';
import { parseExpression } from '../expression/parse.js';
import { isPathReader, type PathReader } from '../expression/path.js';
import type { Scope } from '../expression/scope.js';
import { lookup } from '../registry/lookup.js';
import { isMap, type Origins, type Raw } from './merge.js';
import type { ChildUse, ClassUse, Use } from './profile.js';
import { pathText, schemaProblems } from './schema-problems.js';

export type Path = readonly (string | number)[];

/** A use as an entry or a child writes it. */
interface Written {
  readonly class?: string | undefined;
  readonly expr?: string | undefined;
  readonly params?: unknown;
}

/** What is found among parsed params, wherever the schema put it. */
interface Inside {
  readonly children: [child: Child, path: Path][];
  readonly paths: PathReader[];
}

function lookInside(value: unknown, path: Path, inside: Inside): Inside {
  if (value instanceof Child) inside.children.push([value, path]);
  else if (isPathReader(value)) {
    if (!value.ofItem) inside.paths.push(value);
  } else if (Array.isArray(value)) value.forEach((item, index) => lookInside(item, [...path, index], inside));
  else if (isMap(value) && Object.getPrototypeOf(value) === Object.prototype) {
    for (const [key, item] of Object.entries(value)) lookInside(item, [...path, key], inside);
  }
  return inside;
}

/** The child's class speaks for itself where its entry doesn't say what stands in for its abstaining. */
const absentRule = (said: OnAbsent | undefined, use: Use): OnAbsent =>
  said ?? (use.kind === 'class' ? use.unit.meta.onAbsent : undefined) ?? 'skip';

/** Turns what a profile says into classes, params and expressions, and collects every problem on the way. */
export class Resolver {
  readonly problems: Problem[] = [];

  constructor(
    readonly root: Raw,
    private readonly origins: Origins,
    /** What relative paths start from where no file says them. */
    private readonly folder: string,
  ) {}

  report(code: Problem['code'], message: string, path: Path, hint?: string, at: 'key' | 'value' = 'value'): void {
    this.problems.push({ code, message, path: pathText(path), place: locate(this.root, path, at), hint });
  }

  /** Checks a part of the profile; undefined when it is not as it should be. */
  check<S extends z.ZodType>(schema: S, value: unknown, path: Path): z.output<S> | undefined {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    this.problems.push(...schemaProblems(parsed.error.issues, this.root, schema, path));
    return undefined;
  }

  expression(
    source: string | undefined,
    scope: Scope,
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
        this.problems.push({ code, message, path: pathText(path), place: this.within(path, offset), hint });
      }
      return undefined;
    }
  }

  amount(value: number | string | undefined, scope: Scope, path: Path): number | Expression | undefined {
    return typeof value === 'string' ? this.expression(value, scope, 'number', path) : value;
  }

  use(written: Written, raw: object, kind: UnitKind, scope: Scope, path: Path): Use | undefined {
    if (written.class !== undefined) return this.classUse(written.class, written.params, raw, kind, scope, path);
    const want = kind === 'veto' ? 'bool' : 'number';
    const expression = this.expression(written.expr, scope, want, [...path, 'expr']);
    return expression && { kind: 'expr', expression };
  }

  classUse(name: string, params: unknown, raw: object, kind: UnitKind, scope: Scope, path: Path): ClassUse | undefined {
    const levels = this.origins.levelsOf(raw);
    if (!levels) return undefined; // a plugin of that file could not be loaded, which is said already
    const found = lookup(name, kind, levels);
    if ('code' in found) {
      const place = locate(this.root, [...path, 'class'], 'value');
      this.problems.push({ ...found, path: pathText([...path, 'class']), place });
      return undefined;
    }
    const file = locate(this.root, [...path, 'params'], 'value')?.file;
    const folder = file === undefined ? this.folder : dirname(resolve(file));
    const checked = inFolder(folder, () => this.check(found.unit.meta.params, params ?? {}, [...path, 'params']));
    if (checked === undefined) return undefined;
    const inside = lookInside(checked, [...path, 'params'], { children: [], paths: [] });
    const children = new Map<Child, ChildUse>();
    for (const [child, at] of inside.children) {
      const use = this.use(child.spec, child.raw, 'scorer', scope, at);
      if (!use) continue;
      const label = use.kind === 'class' ? use.name : use.expression.source;
      children.set(child, { label, use, onAbsent: absentRule(child.spec.on_absent, use) });
    }
    return { kind: 'class', ...found, params: checked, children, paths: inside.paths };
  }

  private within(path: Path, offset: number): Problem['place'] {
    const key = path.at(-1);
    let container: unknown = this.root;
    for (const step of path.slice(0, -1)) container = isContainer(container) ? Reflect.get(container, step) : undefined;
    return (
      (isContainer(container) && key !== undefined && placeWithin(container, key, offset)) ||
      locate(this.root, path, 'value')
    );
  }
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
