import type { DescribedClass, DescribedPreset, DescribedProfile, ExpressionFunction } from 'assize/language';
import { completeExpression, wordLength } from './complete-expression.js';
import { fieldText, fieldsInText, type SampleField } from './fields.js';
import type { Position } from './position.js';
import { referables, targetOf } from './references.js';
import { constantsOf, describedBy, isNamed, keysOf, type Schema, SchemaWalk, typeText } from './schema.js';
import { type Completion, type Path, type TextChange, valueAtPath } from './types.js';

/** What completion knows besides the text. */
export interface CompletionSources {
  readonly describe: (yaml: string) => Promise<DescribedProfile>;
  readonly presets: readonly DescribedPreset[];
  readonly plugins: readonly string[];
  readonly functions: readonly ExpressionFunction[];
  readonly sample: () => Promise<SampleField | undefined>;
}

/** What can be written at a position of a text. */
export async function completions(
  text: string,
  at: Position,
  sources: CompletionSources,
): Promise<readonly Completion[]> {
  if (at.keyOf !== undefined) {
    const profile = await sources.describe(at.withoutKey());
    const keys = keyCompletions(text, at, at.keyOf, profile);
    if (keys.length > 0 || at.valueAt === undefined) return keys;
  }
  if (at.valueAt === undefined) return [];
  const profile = await sources.describe(at.withValue());
  return valueCompletions(text, at, at.valueAt, profile, sources);
}

/** The keys that exclude each other: an entry has a class or an expression. */
const EXCLUDED: Readonly<Record<string, readonly string[]>> = { class: ['expr', 'range'], expr: ['class', 'params'] };

function keyCompletions(text: string, at: Position, path: Path, profile: DescribedProfile): readonly Completion[] {
  const walk = new SchemaWalk(profile);
  const map = valueAtPath(profile.own, path);
  const written = typeof map === 'object' && map !== null ? Object.keys(map) : [];
  const excluded = new Set([
    ...written,
    ...written.flatMap((key) => (Object.hasOwn(EXCLUDED, key) ? EXCLUDED[key]! : [])),
  ]);
  const edited = at.hasColon ? text.slice(at.start, at.end) : undefined;
  const isFree = (key: string): boolean => key === edited || !excluded.has(key);
  const keys = [...keysOf(walk.at(path).schemas)].filter(([key]) => isFree(key));
  const target = targetOf([...path, ''], 'key');
  const ids = target === undefined ? [] : referables(profile, target, path).filter(({ id }) => isFree(id));
  return [
    ...keys.map(([key, { schemas, required }], index): Completion => {
      const isExpression = schemas.some(mayBeExpression);
      return {
        label: key,
        kind: 'key',
        change: { start: at.start, end: at.end, text: key + keySuffix(at, schemas) },
        detail: `${typeText(schemas, isExpression)}${required ? ', required' : ''}`,
        documentation: describedBy(schemas).join('\n\n') || undefined,
        rank: (required ? 0 : 1000) + index,
      };
    }),
    ...ids.map(
      ({ id, detail }, index): Completion => ({
        label: id,
        kind: 'id',
        change: { start: at.start, end: at.end, text: id + keySuffix(at, []) },
        detail,
        rank: index,
      }),
    ),
  ];
}

const mayBeExpression = ({ description }: Schema): boolean =>
  typeof description === 'string' && /\b(?:CEL|expression|condition)\b/i.test(description);

/** What follows a key: its colon, and the first item of a nested list. */
function keySuffix({ hasColon, quote, open, indent }: Position, schemas: readonly Schema[]): string {
  if (hasColon) return '';
  if (quote !== '') return `${quote}: `;
  const isList = schemas.length > 0 && schemas.every(({ type }) => type === 'array');
  const holdsMaps = schemas.some(({ items }) => valueAtPath(items, ['type']) === 'object');
  if (open !== '' || !isList || !holdsMaps) return ': ';
  return `:\n${' '.repeat(indent + 2)}- `;
}

async function valueCompletions(
  text: string,
  at: Position,
  path: Path,
  profile: DescribedProfile,
  sources: CompletionSources,
): Promise<readonly Completion[]> {
  const { schemas } = new SchemaWalk(profile).at(path);
  const isParam = schemas.some(({ title }) => title === 'expression');
  const target = targetOf(path, 'value');
  // Finding a scope resolves a part of the profile, which a class or an id does not need.
  const isName = path.at(-1) === 'class' || target !== undefined;
  const own = isName ? undefined : profile.expressionScope(path);
  const scope = own ?? (isParam ? paramScope(profile, path) : undefined);
  const isPath = schemas.some(({ title }) => title === 'path' || title === 'path or paths') || target === 'fields';
  const sample = scope || isPath ? await sources.sample() : undefined;
  const listed = [
    ...(path.at(-1) === 'class' ? classCompletions(text, at, schemas, profile) : constantCompletions(at, schemas)),
    ...(isPath ? pathCompletions(at, sample, fieldsInText(text.slice(0, MOST_READ))) : []),
    ...referenceCompletions(at, path, profile, sources),
  ];
  if (!scope) return listed;
  const before = plainText(at);
  const end = at.offset + (/^\w{0,99}/.exec(text.slice(at.offset, at.offset + 100))?.[0].length ?? 0);
  const start = at.offset - wordLength(before);
  const read = fieldsInText(text.slice(0, MOST_READ));
  const found = completeExpression(before, { scope, functions: sources.functions, sample, read });
  return [
    ...listed,
    ...found.map(
      ({ text: written, rank, ...one }): Completion => ({
        ...one,
        change: { start, end, text: written },
        rank: 100 + rank,
      }),
    ),
  ];
}

/** How much of a text is searched for fields. */
const MOST_READ = 200_000;

/** The scope of the params around a path: those of the innermost entry with a class. */
export function paramScope(profile: DescribedProfile, path: Path): ReturnType<DescribedProfile['paramScope']> {
  const depths = [...path.keys()].filter((n) => path[n] === 'params').toReversed();
  return depths.map((n) => profile.paramScope(path.slice(0, n + 1))).find((scope) => scope !== undefined);
}

/** The part of a value before the cursor, without the escapes of its quotes. */
export function plainText({ text, quote }: Pick<Position, 'text' | 'quote'>): string {
  if (quote === "'") return text.replaceAll("''", "'");
  return quote === '"' ? text.replaceAll(/\\(.)/g, '$1') : text;
}

/** A value that replaces what is written, with quotes if it needs them. */
const replacing = ({ start, end, quote }: Position, value: string): TextChange => ({
  start,
  end,
  text: quote === '' && /[[\]{},#&*!|>'"%@`:]|^[\s?-]|^$/.test(value) ? `'${value.replaceAll("'", "''")}'` : value,
});

/** The values that a schema lists, and true or false. */
function constantCompletions(at: Position, schemas: readonly Schema[]): readonly Completion[] {
  const values = new Set(schemas.flatMap((one) => (one['type'] === 'boolean' ? [true, false] : constantsOf(one))));
  const isDefault = (value: unknown): boolean => schemas.some((one) => one['default'] === value);
  return [...values].map((value, index) => ({
    label: String(value),
    kind: 'value',
    change: replacing(at, String(value)),
    detail: isDefault(value) ? 'default' : undefined,
    documentation: describedBy(schemas)[0],
    rank: index,
  }));
}

function classCompletions(
  text: string,
  at: Position,
  schemas: readonly Schema[],
  { classes }: DescribedProfile,
): readonly Completion[] {
  const names = schemas.flatMap(constantsOf);
  const kind = classes.find(({ name, unlisted }) => !unlisted && names.includes(name))?.kind;
  const fitting = classes.filter((one) =>
    one.unlisted ? one.kind === kind : one.kind === kind && names.includes(one.name),
  );
  const isClear = ({ name, unlisted }: DescribedClass): boolean =>
    fitting.filter((one) => one.name === name && one.unlisted === unlisted).length === 1;
  return fitting.flatMap((one, index): readonly Completion[] => {
    const others = one.unlisted ? listPlugin(text, one.plugin, at) : undefined;
    if (one.unlisted && others === undefined) return [];
    const written =
      isClear(one) && !(one.unlisted && names.includes(one.name)) ? one.name : `${one.plugin}/${one.name}`;
    return [
      {
        label: written,
        kind: 'class',
        change: replacing(at, written),
        ...(others && { others }),
        detail: one.unlisted
          ? `${one.kind} of plugin ${one.plugin}, which is added to plugins`
          : `${one.kind} of ${one.plugin}`,
        documentation: one.summary,
        rank: (one.unlisted ? 1000 : one.plugin === 'core' ? 100 : 0) + index,
      },
    ];
  });
}

/** The change that adds a plugin to a profile in block style. */
function listPlugin(text: string, plugin: string, { start }: Position): readonly TextChange[] | undefined {
  const [listed, , inside = ''] = /^(plugins:[ \t]*\[)([^\]\n]*)\]/m.exec(text) ?? [];
  if (listed !== undefined) {
    const end = text.indexOf(listed) + listed.length - 1;
    return [{ start: end, end, text: inside.trim() === '' ? plugin : `, ${plugin}` }];
  }
  if (/^plugins:/m.test(text)) {
    const at = /^plugins:[ \t]*\n([ \t]*)- /m.exec(text);
    if (!at) return undefined;
    const line = at.index + at[0].indexOf('\n') + 1;
    return [{ start: line, end: line, text: `${at[1] ?? ''}- ${plugin}\n` }];
  }
  const first = /^[a-z_]\w*:/m.exec(text)?.index;
  return first === undefined || first > start
    ? undefined
    : [{ start: first, end: first, text: `plugins: [${plugin}]\n` }];
}

/** Fields of candidates, as paths. */
function pathCompletions(at: Position, sample: SampleField | undefined, read: SampleField): readonly Completion[] {
  const found = new Map<string, string>();
  for (const [path, field] of pathsOf(sample, '')) found.set(path, fieldText(field));
  for (const [path] of pathsOf(read, '')) if (!found.has(path)) found.set(path, 'read by this profile');
  return [...found].map(([label, detail], rank) => ({
    label,
    kind: 'field',
    change: replacing(at, label),
    detail,
    rank,
  }));
}

const MOST_PATHS = 500;

function pathsOf(field: SampleField | undefined, before: string): readonly (readonly [string, SampleField])[] {
  if (!field) return [];
  const own = [...field.fields].flatMap(([name, inner]) => {
    const isPlain = /^[A-Za-z_]\w*$/.test(name);
    const path =
      name === '[]'
        ? `${before}[]`
        : isPlain
          ? `${before}${before && '.'}${name}`
          : `${before}[${JSON.stringify(name)}]`;
    return [...(name === '[]' ? [] : [[path, inner] as const]), ...pathsOf(inner, path)];
  });
  return own.slice(0, MOST_PATHS);
}

/** Names of entries, phases, presets and plugins, where a profile refers to them. */
function referenceCompletions(
  at: Position,
  path: Path,
  profile: DescribedProfile,
  { presets, plugins }: CompletionSources,
): readonly Completion[] {
  const target = targetOf(path, 'value');
  if (target === undefined || target === 'fields') return [];
  const list = valueAtPath(profile.own, path.slice(0, -1));
  const taken: readonly unknown[] = Array.isArray(list) ? list : [];
  if (target === 'presets') {
    return presets
      .filter(({ name }) => !taken.includes(name))
      .map(({ name, summary }, rank) => ({
        label: name,
        kind: 'preset',
        change: replacing(at, name),
        documentation: summary,
        rank,
      }));
  }
  if (target === 'plugins') {
    return plugins
      .filter((name) => !taken.includes(name))
      .map((label, rank) => ({ label, kind: 'plugin', change: replacing(at, label), rank }));
  }
  const ownId = target === 'same list' ? valueAtPath(profile.own, [...path.slice(0, -1), 'id']) : undefined;
  return referables(profile, target, path)
    .filter(({ id }) => id !== ownId && !taken.includes(id))
    .map(({ id, detail }, rank) => ({ label: id, kind: 'id', change: replacing(at, id), detail, rank }));
}

/** The class that a name in a profile means. */
export const classNamed = ({ classes }: DescribedProfile, written: string): DescribedClass | undefined =>
  classes.find((one) => isNamed(one, written));
