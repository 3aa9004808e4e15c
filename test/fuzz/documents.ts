import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../src/base/package-root.js';
import { randomExpression } from './expressions.js';
import type { Random } from './random.js';
import { randomValue } from './values.js';

const presets = join(packageRoot(), 'config', 'presets');
const PRESETS = readdirSync(presets)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => readFileSync(join(presets, file), 'utf8'));

/** A profile with something of everything. */
export const SMALL = `name: small
candidate: { id: name, pinned: candidate.keep }
context: { user: { type: string } }
phases: { early: { n_turns: 3 }, late: {} }
tier1_scorers: [{ id: v, expr: candidate.b, on_absent: pass }]
measures: [{ id: m, class: CountScorer, params: { items: list } }]
tier2_scorers:
  - { id: p, expr: 'candidate.a / 10', weight: 3, on_absent: 0.5 }
  - { id: q, class: CompositeScorer, params: { scorers: [{ expr: candidate.a }, { expr: measures.m }] } }
combine: weighted_mean
weights: { by: candidate.text, cases: { a: { p: 2 } } }
adjustments: [{ id: r, when: measures.m > 1, multiply: { table: { a: 0.5 }, by: [candidate.text], missing: 1 } }]
select: { duplicates: candidate.text, min_score: 0.1, ties: [candidate.a, input], top: 3 }
fallback: [{ use: a }]
`;

const TEXTS: readonly string[] = [SMALL, SMALL, SMALL, ...PRESETS];
const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ': ',
  '- ',
  '"',
  "'",
  '|',
  '>',
  '&a ',
  '*a',
  '!!str ',
  '---\n',
  '\n',
  '  ',
  '\t',
  '#',
  '<<: ',
  '? ',
  ',',
  '\0',
  '\ufeff',
  '\r\n',
  '💥',
  '%YAML',
  '0x1f',
  '.nan',
  '~',
];

/** A text with some of its characters removed, repeated, moved or replaced. */
export function mutateText(random: Random, source: string): string {
  let text = source;
  for (let n = 1 + random.below(6); n > 0; n--) {
    const at = random.below(text.length + 1);
    const end = Math.min(text.length, at + random.below(40));
    const piece = random.chance(0.6) ? random.pick(PIECES) : text.slice(random.below(text.length), end);
    text = text.slice(0, at) + piece + text.slice(random.chance(0.5) ? at : end);
  }
  return random.chance(0.05) ? text.slice(0, random.below(text.length)) : text;
}

/** A profile by text. */
export const profileText = (random: Random): string => mutateText(random, random.pick(TEXTS));

/** A profile by tree: a valid profile with some parts replaced. */
export function profileTree(random: Random): unknown {
  const tree: unknown = parse(random.pick(TEXTS));
  const nodes: [holder: Record<string, unknown>, key: string][] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const holder = node as Record<string, unknown>;
    for (const key of Object.keys(holder)) {
      nodes.push([holder, key]);
      visit(holder[key]);
    }
  };
  visit(tree);
  for (let n = 1 + random.below(4); n > 0; n--) {
    const [holder, key] = random.pick(nodes);
    const [otherHolder, otherKey] = random.pick(nodes);
    const kind = random.below(5);
    if (kind === 0) delete holder[key];
    else if (kind === 1) holder[key] = randomValue(random);
    else if (kind === 2)
      holder[key] = otherHolder[otherKey]; // which may contain it
    else if (kind === 3) holder[`${key}x`] = randomValue(random);
    else if (typeof holder[key] === 'string') holder[key] = randomExpression(random, 3);
  }
  return tree;
}

type Schema = Readonly<Record<string, unknown>>;
const SCHEMA = JSON.parse(readFileSync(join(packageRoot(), 'config', 'profile.schema.json'), 'utf8')) as Schema;

const resolveRef = (ref: string): Schema =>
  ref
    .slice(2)
    .split('/')
    .reduce<Schema>((at, key) => at[key.replaceAll('~1', '/').replaceAll('~0', '~')] as Schema, SCHEMA);

/** A profile by schema: values that the editor's schema allows, and occasionally others. */
export const profileBySchema = (random: Random): unknown => bySchema(random, SCHEMA, 9);

function bySchema(random: Random, schema: Schema, depth: number): unknown {
  if (random.chance(0.01)) return randomValue(random);
  if (typeof schema['$ref'] === 'string') return bySchema(random, resolveRef(schema['$ref']), depth);
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return random.pick(schema['enum']);
  const branches = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(branches)) return bySchema(random, random.pick(branches) as Schema, depth);
  switch (schema['type']) {
    case 'object':
      return objectBySchema(random, schema, depth);
    case 'array':
      return depth <= 0 ? [] : random.list(3, () => bySchema(random, (schema['items'] ?? {}) as Schema, depth - 1));
    case 'number':
    case 'integer':
      return random.pick([0, 1, 2, 5, 10, random.next(), -1]);
    case 'boolean':
      return random.chance(0.5);
    case 'string':
      return random.pick(['a', 'b', 'p', 'candidate.a', 'list', '5s', randomExpression(random, 2)]);
    default:
      return randomValue(random, 1);
  }
}

function objectBySchema(random: Random, schema: Schema, depth: number): Record<string, unknown> {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  const required = (schema['required'] ?? []) as readonly string[];
  const made: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(properties)) {
    if (['plugins', 'extends', 'memory', 'base_url'].includes(key)) continue; // nothing outside is reached
    if (required.includes(key) || (depth > 0 && random.chance(0.3))) made[key] = bySchema(random, inner, depth - 1);
  }
  for (const rule of (schema['allOf'] ?? []) as readonly Schema[]) {
    if (random.chance(0.3) && rule['then']) Object.assign(made, bySchema(random, rule['then'] as Schema, depth - 1));
  }
  const additional = schema['additionalProperties'];
  if (typeof additional === 'object' && additional !== null && depth > 0) {
    for (const key of random.list(2, () => random.pick(['a', 'b', 'p'])))
      made[key] = bySchema(random, additional as Schema, depth - 1);
  }
  return made;
}

const FILES: Readonly<Record<'json' | 'jsonl' | 'csv' | 'tsv', string>> = {
  json: JSON.stringify(
    [
      { id: 1, a: 2, list: [1, 'x', null], map: { a: 'b' } },
      { id: 2, text: 'ü"\\' },
    ],
    null,
    1,
  ),
  jsonl: '{"id":1,"a":2}\n{"id":2,"list":[1,{"a":null}]}\n\n{"id":3,"text":"a\\nb"}\n',
  csv: 'id,a,map.a,text\n1,2,x,"a ""quoted"" text"\n2,,y,"two\nlines"\n3,true,,\n',
  tsv: 'id\ta\ttext\n1\t2\t"x\ty"\n2\t\tz\n',
};

/** A file of candidates: its format, and its text. */
export function candidateFile(random: Random): { readonly format: keyof typeof FILES; readonly text: string } {
  const format = random.pick(['json', 'jsonl', 'csv', 'tsv'] as const);
  return {
    format,
    text: mutateText(random, FILES[random.chance(0.9) ? format : random.pick(['json', 'csv'] as const)]),
  };
}
