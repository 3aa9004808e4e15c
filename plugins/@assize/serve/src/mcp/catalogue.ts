import * as z from 'zod';
import { type Problem, toAssizeError } from 'assize';
import { describeValue, nameList, parseDocument, readSourceFile } from 'assize/internal';
import { isMap } from 'assize/sdk';

/** A tool of a catalogue, as the profile reads it and a client receives it. */
export interface CatalogueTool {
  /** Its name, after the name of its server if the catalogue has it: `github:create_issue`. */
  readonly id: string;
  readonly name: string;
  readonly server?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema?: Readonly<Record<string, unknown>> | undefined;
}

/** The tools of a file, and what is probably wrong with them. */
export interface Catalogue {
  readonly tools: readonly CatalogueTool[];
  readonly warnings: readonly string[];
}

/** The longest file, in UTF-16 units: about 60,000 tools with their schemas. */
const MAX_LENGTH = 64 * 1024 * 1024;
/** The most problems that are listed. */
const MAX_PROBLEMS = 20;
/** The most names in a warning. */
const MAX_NAMES = 5;

const SHAPES = 'expected {"tools": […]} as the answer of tools/list, a list of tools, or a map from servers to either';

const SCHEMA = z.record(z.string(), z.unknown()).nullish();

/**
 * Entries may have more keys, which are ignored: annotations, icons, output schemas. Some servers write null for absent keys.
 * The schema of the arguments is `input_schema` in requests to Anthropic, and `parameters` in those to OpenAI.
 */
const TOOL = z.looseObject({
  name: z.string().min(1),
  server: z.string().nullish(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  inputSchema: SCHEMA,
  input_schema: SCHEMA,
  parameters: SCHEMA,
});

const SCHEMA_KEYS: ReadonlySet<unknown> = new Set(['inputSchema', 'input_schema', 'parameters']);

/** A value where a tool is expected, and its place. */
interface Entry {
  readonly value: unknown;
  readonly path: string;
  readonly server: string | undefined;
}

const problem = (message: string, more: Partial<Problem> = {}): Problem => ({ code: 'ASZ597', message, ...more });

/**
 * Reads a catalogue of tools.
 *
 * @throws AssizeError with every problem if the file cannot be read, or a tool is malformed or has the name of another one
 */
export async function readCatalogue(file: string): Promise<Catalogue> {
  const source = await readSourceFile(file);
  const { text } = source;
  if (text.length > MAX_LENGTH) {
    const size = `${Math.ceil(text.length / 2 ** 20)} MiB`;
    throw toAssizeError([problem(`${file} has ${size}; a catalogue has at most ${MAX_LENGTH / 2 ** 20} MiB`)]);
  }
  // JSON.parse is faster, but it drops the first of two values with one key, and with it tools.
  const { data, problems } = await parseDocument(source);
  if (problems.length > 0)
    throw toAssizeError(problems.slice(0, MAX_PROBLEMS).map((one) => ({ ...one, code: 'ASZ597' })));
  return catalogueOf(data, file);
}

/**
 * The tools of parsed JSON.
 *
 * @param file its name in problems
 */
export function catalogueOf(data: unknown, file: string): Catalogue {
  const problems: Problem[] = [];
  const tools: CatalogueTool[] = [];
  const paths = new Map<string, string>();
  const pages: string[] = [];
  for (const entry of entriesIn(data, '', undefined, { problems, pages })) {
    const tool = toolOf(entry, problems);
    if (!tool) continue;
    const earlier = paths.get(tool.id);
    if (earlier === undefined) tools.push(tool);
    else {
      const hint = 'clients call a tool by its name: rename one, or list the tools by server';
      problems.push(problem(`there is already a tool ${tool.id}, at ${earlier}`, { path: entry.path, hint }));
    }
    paths.set(tool.id, earlier ?? entry.path);
  }
  if (problems.length > 0) throw toAssizeError(listed(problems, file));
  if (tools.length === 0) throw toAssizeError([problem(`${file} has no tools`, { hint: SHAPES })]);
  return { tools, warnings: [...pages.map(pageWarning), ...descriptionWarning(tools)] };
}

/** The entries of a list of tools, of each server of a list or a map, and of answers with `tools`. */
function* entriesIn(
  data: unknown,
  path: string,
  server: string | undefined,
  found: { readonly problems: Problem[]; readonly pages: string[] },
): Generator<Entry> {
  if (Array.isArray(data)) {
    for (const [k, value] of data.entries()) {
      const at = `${path}[${k}]`;
      if (isMap(value) && 'tools' in value) yield* entriesIn(value, at, textOf(value['name']) ?? server, found);
      else yield { value, path: at, server };
    }
  } else if (isMap(data) && 'tools' in data) {
    if (textOf(data['nextCursor']) !== undefined) found.pages.push(path);
    yield* entriesIn(data['tools'], join(path, 'tools'), textOf(data['server_name']) ?? server, found);
  } else if (isMap(data) && isMap(data['mcpServers'])) {
    const hint = `save the answer of tools/list of each server; ${SHAPES}`;
    found.problems.push(problem('it is the configuration of a client, which has no tools', { path, hint }));
  } else if (isMap(data) && isMap(data['result']) && 'jsonrpc' in data) {
    yield* entriesIn(data['result'], join(path, 'result'), server, found);
  } else if (isMap(data)) {
    for (const [name, value] of Object.entries(data)) yield* entriesIn(value, join(path, name), name, found);
  } else {
    found.problems.push(problem(`found ${describeValue(data)}`, { path, hint: SHAPES }));
  }
}

function toolOf({ value: entry, path, server: outer }: Entry, problems: Problem[]): CatalogueTool | undefined {
  // As in requests to OpenAI: {"type": "function", "function": {"name": …}}.
  const value = isMap(entry) && isMap(entry['function']) && !('name' in entry) ? entry['function'] : entry;
  const parsed = TOOL.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const key = issue?.path[0];
    const wrong = key === undefined ? value : isMap(value) ? value[String(key)] : undefined;
    const what = key === undefined ? 'a tool' : `the ${String(key)} of a tool`;
    const text = key === 'name' ? 'a text that is not empty' : 'a text';
    const expected = key === undefined || SCHEMA_KEYS.has(key) ? 'a map' : text;
    const message =
      wrong === undefined ? `${what} is missing` : `${what} is ${describeValue(wrong)}; expected ${expected}`;
    problems.push(problem(message, { path }));
    return undefined;
  }
  const { name, server: own, title, description, inputSchema, input_schema, parameters } = parsed.data;
  const server = textOf(own) ?? outer;
  const id = server === undefined ? name : `${server}:${name}`;
  return {
    id,
    name,
    server,
    title: title ?? undefined,
    description: description ?? undefined,
    inputSchema: inputSchema ?? input_schema ?? parameters ?? undefined,
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** The first problems, with the name of the file. */
function listed(problems: readonly Problem[], file: string): readonly Problem[] {
  const first = problems.slice(0, MAX_PROBLEMS).map((one) => {
    const { path = '', message, hint } = one;
    return problem(`${[file, path].filter(Boolean).join(': ')}: ${message}`, { hint });
  });
  const more = problems.length - first.length;
  return more === 0 ? first : [...first, problem(`and ${more} more`)];
}

const pageWarning = (path: string): string =>
  `${path === '' ? 'the list' : path} has a nextCursor: it is one page of the tools, not all`;

function descriptionWarning(tools: readonly CatalogueTool[]): readonly string[] {
  const names = tools.flatMap(({ id, description = '' }) => (description.trim() === '' ? [id] : []));
  if (names.length === 0) return [];
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  const listedNames = more === '' ? nameList(names) : names.slice(0, MAX_NAMES).join(', ') + more;
  return [`without a description, a tool is found by its name only: ${listedNames}`];
}
