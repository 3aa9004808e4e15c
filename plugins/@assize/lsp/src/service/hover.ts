import { type DescribedProfile, expressionPartAt, type ExpressionScope } from 'assize/language';
import { classNamed, type CompletionSources, paramScope, plainText } from './complete.js';
import { fieldAt, fieldText } from './fields.js';
import { type Position, positionAt } from './position.js';
import { referables, targetOf } from './references.js';
import { constantsOf, describedBy, keysOf, type Schema, SchemaWalk, typeText } from './schema.js';
import { type Hover, type Path, type TextRange, valueAtPath } from './types.js';

/** Explains the key, class, id or name at an offset. */
export async function hoverAt(text: string, offset: number, sources: CompletionSources): Promise<Hover | undefined> {
  const at = positionAt(text, offset);
  const name = text.slice(at.start, at.end);
  if (name.trim() === '') return undefined;
  const profile = await sources.describe(text);
  if (at.keyOf !== undefined && at.hasColon) return shown(at, keyText(profile, [...at.keyOf, name]));
  if (at.valueAt === undefined) return undefined;
  const scope = scopeAt(profile, at.valueAt);
  if (scope) {
    const part = await expressionText(at, at.valueAt, profile, scope, sources);
    return shown(wordAround(text, offset), part);
  }
  return shown(at, await valueText(name, at.valueAt, profile, sources));
}

const shown = ({ start, end }: TextRange, markdown: string | undefined): Hover | undefined =>
  markdown === undefined || markdown === '' ? undefined : { start, end, markdown };

/** The scope of the expression at a path; undefined if it is not an expression. */
function scopeAt(profile: DescribedProfile, path: Path): ExpressionScope | undefined {
  const own = profile.expressionScope(path);
  if (own) return own;
  const isParam = new SchemaWalk(profile).at(path).schemas.some(({ title }) => title === 'expression');
  return isParam ? paramScope(profile, path) : undefined;
}

const MOST_WORD = 200;

function wordAround(text: string, offset: number): TextRange {
  const before = /\w*$/.exec(text.slice(Math.max(0, offset - MOST_WORD), offset))?.[0].length ?? 0;
  const after = /^\w*/.exec(text.slice(offset, offset + MOST_WORD))?.[0].length ?? 0;
  return { start: offset - before, end: offset + after };
}

function keyText(profile: DescribedProfile, path: Path): string | undefined {
  const walk = new SchemaWalk(profile);
  const schemas = walk.ofKey(path);
  const target = targetOf(path, 'key');
  const name = String(path.at(-1));
  const referred = target && referables(profile, target, path).find(({ id }) => id === name);
  if (referred) return entryText(profile, referred.path);
  if (schemas.length === 0) return undefined;
  const isExpression = profile.expressionScope(path) !== undefined;
  const values = walk.at(path).schemas;
  const preset = schemas.map((one) => one['default']).find((value) => value !== undefined);
  const facts = [
    `**${name}**: ${typeText(schemas, isExpression)}`,
    preset === undefined ? '' : `Default: \`${JSON.stringify(preset)}\``,
  ];
  const keys = [...keysOf(values).keys()];
  const inside =
    keys.length > 0 && keys.length <= MOST_KEYS ? `Keys: ${keys.map((key) => `\`${key}\``).join(', ')}` : '';
  return [...facts, ...describedBy(schemas), inside].filter((line) => line !== '').join('\n\n');
}

/** More keys are not listed. */
const MOST_KEYS = 40;

async function valueText(
  name: string,
  path: Path,
  profile: DescribedProfile,
  { presets, sample }: CompletionSources,
): Promise<string | undefined> {
  if (path.at(-1) === 'class') return classText(profile, path, name);
  const target = targetOf(path, 'value');
  const { schemas } = new SchemaWalk(profile).at(path);
  if (target === 'presets') return presets.find((one) => one.name === name)?.summary;
  if (target === 'fields' || schemas.some(({ title }) => title === 'path' || title === 'path or paths')) {
    const field = fieldAt(await sample(), namesOf(name));
    return field ? `**${name}**: ${fieldText(field)}` : describedBy(schemas).join('\n\n');
  }
  const referred = target && referables(profile, target, path).find(({ id }) => id === name);
  if (referred) return entryText(profile, referred.path);
  return schemas.some((one) => constantsOf(one).length > 0) ? describedBy(schemas).join('\n\n') : undefined;
}

/** The names of a path: `steps[].tool` as `steps`, `[]`, `tool`. */
const namesOf = (path: string): readonly string[] =>
  path
    .split(/\.|(?=\[)/)
    .map((name) => (name.startsWith('["') ? name.slice(2, -2) : name.startsWith('[') ? '[]' : name));

function classText(profile: DescribedProfile, path: Path, name: string): string | undefined {
  const found = classNamed(profile, name);
  if (!found) return undefined;
  const where = found.unlisted ? `: write \`plugins: [${found.plugin}]\` to use it` : '';
  const params = keysOf(new SchemaWalk(profile).at([...path.slice(0, -1), 'params']).schemas);
  const lines = Array.from(params, ([key, { schemas, required }]) => paramText(key, schemas, required));
  return [`**${found.name}**: ${found.kind} of plugin ${found.plugin}${where}`, found.summary, lines.join('\n')]
    .filter((line) => line !== '')
    .join('\n\n');
}

const paramText = (key: string, schemas: readonly Schema[], required: boolean): string =>
  `- \`${key}\` (${[typeText(schemas), ...(required ? ['required'] : [])].filter(Boolean).join(', ')}) ${describedBy(schemas)[0] ?? ''}`.trimEnd();

/** An entry or a phase of the profile, as a block of YAML. */
function entryText({ root }: Pick<DescribedProfile, 'root'>, path: Path): string {
  const entry = valueAtPath(root, path);
  return `\`\`\`yaml\n${JSON.stringify(entry, undefined, 1).slice(0, MOST_SHOWN)}\n\`\`\``;
}

const MOST_SHOWN = 1000;

async function expressionText(
  at: Position,
  path: Path,
  profile: DescribedProfile,
  scope: ExpressionScope,
  { functions, sample }: CompletionSources,
): Promise<string | undefined> {
  const value = valueAtPath(profile.own, path);
  if (typeof value !== 'string') return undefined;
  const part = expressionPartAt(value, scope, offsetInValue(value, plainText(at)));
  if (!part) return undefined;
  const { kind, name, type } = part;
  if (kind === 'function') {
    const found = functions.find((one) => one.name === name);
    return found ? code(found.signature) : undefined;
  }
  const [first = '', ...names] = name.split(/\.|(?=\[)/);
  const field = kind === 'field' && first === 'candidate' ? fieldAt(await sample(), names) : undefined;
  const known = type === 'dyn' ? (field ? fieldText(field) : 'any') : type;
  const named =
    kind === 'variable' && scope.lets?.names.includes(name) ? valueAtPath(profile.root, ['let', name]) : undefined;
  const id = names[0];
  const list = { measures: 'measures', scores: 'tier2_scorers', signals: 'signals' }[first];
  const entry = list === undefined || id === undefined ? undefined : entryNamed(profile, list, id);
  const lines = [code(`${name}: ${known ?? 'unknown'}`)];
  if (typeof named === 'string') lines.push(code(named));
  if (entry !== undefined) lines.push(entryText(profile, entry));
  return lines.join('\n\n');
}

function entryNamed({ root }: DescribedProfile, list: string, id: string): Path | undefined {
  const entries = valueAtPath(root, [list]);
  const index = Array.isArray(entries) ? entries.findIndex((entry) => valueAtPath(entry, ['id']) === id) : -1;
  return index < 0 ? undefined : [list, index];
}

const code = (text: string): string => `\`\`\`\n${text}\n\`\`\``;

/** White space may be folded in YAML, so the other characters are counted. */
function offsetInValue(value: string, before: string): number {
  if (value.startsWith(before)) return before.length;
  const wanted = before.replaceAll(/\s+/g, '').length;
  let seen = 0;
  for (let at = 0; at < value.length; at += 1) {
    if (/\s/.test(value[at] ?? '')) continue;
    if (seen >= wanted) return at;
    seen += 1;
  }
  return value.length;
}
