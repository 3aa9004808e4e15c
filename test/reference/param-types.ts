/** A part of the JSON Schema of params, as zod makes it. */
export interface ParamSchema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: string | number | boolean;
  readonly enum?: readonly (string | number | boolean)[];
  readonly default?: unknown;
  readonly anyOf?: readonly ParamSchema[];
  readonly oneOf?: readonly ParamSchema[];
  readonly items?: ParamSchema;
  readonly properties?: Readonly<Record<string, ParamSchema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

/** The bounds that zod gives to whole numbers, which nobody needs to read. */
const isBound = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

function numberText(noun: string, { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: ParamSchema): string {
  if (isBound(minimum) && isBound(maximum)) return `${noun} from ${minimum} to ${maximum}`;
  const bounds = [
    ...(isBound(minimum) ? [`at least ${minimum}`] : []),
    ...(isBound(exclusiveMinimum) ? [`above ${exclusiveMinimum}`] : []),
    ...(isBound(maximum) ? [`at most ${maximum}`] : []),
    ...(isBound(exclusiveMaximum) ? [`below ${exclusiveMaximum}`] : []),
  ];
  return [noun, ...bounds].join(', ');
}

const oneOf = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`;

/** Maps that differ in one key are named by it: `map with type a or b`. */
function mapsText(maps: readonly ParamSchema[]): string {
  const keys = Object.keys(maps[0]?.properties ?? {});
  const key = keys.find((name) => maps.every(({ properties }) => properties?.[name]?.const !== undefined));
  if (maps.length < 2 || key === undefined) return 'map';
  return `map with \`${key}\` ${oneOf(maps.map(({ properties }) => `\`${String(properties?.[key]?.const)}\``))}`;
}

function alternativesText(schemas: readonly ParamSchema[]): string {
  const maps = schemas.filter(({ type, title }) => type === 'object' && title === undefined);
  const others = schemas.filter((schema) => !maps.includes(schema)).map(typeText);
  return oneOf([...new Set([...others, ...(maps.length > 0 ? [mapsText(maps)] : [])])]);
}

/** What a param takes, in a few words. */
export function typeText(schema: ParamSchema): string {
  if (schema.title !== undefined) return schema.title;
  const { anyOf, oneOf: either, type, items } = schema;
  if (anyOf ?? either) return alternativesText(anyOf ?? either ?? []);
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum) return oneOf(schema.enum.map((value) => `\`${String(value)}\``));
  if (Array.isArray(type)) return oneOf(type.map((one: string) => typeText({ ...schema, type: one })));
  switch (type) {
    case 'number':
      return numberText('number', schema);
    case 'integer':
      return numberText('whole number', schema);
    case 'boolean':
      return 'true or false';
    case 'object':
      return 'map';
    case 'array':
      return items?.title === 'entry' ? 'list of entries' : `list of ${items ? typeText(items) : 'anything'}`;
    default:
      return typeof type === 'string' ? type : oneOf(type ?? ['anything']);
  }
}
