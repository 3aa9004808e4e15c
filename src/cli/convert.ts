import { isAbsolute, join } from 'node:path';
import type { Command } from 'commander';
import { AssizeError, counted, problemJson, SourceFile } from '../base/index.js';
import { isMap } from '../expression/index.js';
import type { Conversion, Draft } from './convert/draft.js';
import type { EventEffect } from './convert/json-rules-engine.js';
import { nameOf } from './new.js';
import { choiceOption, formatOption, invalidValue } from './options.js';
import { jsonText } from './output/json.js';
import { Ending, EXIT_CODES, type Io } from './terminal/io.js';
import { relativeToFolder, usageError, writeProblems } from './terminal/problems.js';

const FORMATS = ['json-rules-engine', 'function_score'] as const;
type Format = (typeof FORMATS)[number];

const HELP = `
json-rules-engine: a list of rules, or { "rules": […], "conditions": { NAME: … } }.
Facts become fields of candidates. A rule becomes a scorer of 1 if its event
fires, whose weight is the event's params.score, weight or points, or else 1;
with --event TYPE=veto, a veto.

function_score: a request to Elasticsearch or OpenSearch, or a part of it.
Filters become vetoes. The score of a text query must be a field of the
candidates: --query-score names it.

Everything that the profile does not do is written to standard error, with its
line. Then the exit code is 4. ASZ743 is a part that has no effect, or that you
should know about, and does not count.

Examples:
  assize convert rules.json --output loans.yaml
  assize convert rules.json --event too_young=veto --event bonus=5
  assize convert search.json --query-score bm25 --format json`;

interface ConvertOptions {
  readonly from?: Format;
  readonly output?: string;
  readonly event?: ReadonlyMap<string, EventEffect>;
  readonly queryScore: string;
  readonly format: 'yaml' | 'json';
}

/** `assize convert`: writes a profile that does what rules or a query of another system do. */
export function convert(command: Command, io: Io): void {
  command
    .summary('convert rules or a query of another system to a profile')
    .description(
      'Writes a profile from rules of json-rules-engine, or a function_score of Elasticsearch or OpenSearch.',
    )
    .argument('<file>', 'the rules or the query, as JSON; - is standard input')
    .addOption(choiceOption('--from <format>', 'what the file is, if that is not certain', FORMATS))
    .option('-o, --output <file>', 'where to write the profile; by default to standard output')
    .option(
      '--event <type=effect>',
      'what an event becomes: veto, or the number that it adds; may be repeated',
      effectOf,
    )
    .option('--query-score <field>', 'the field with the score of a text query', '_score')
    .addOption(formatOption('yaml', 'json'))
    .addHelpText('after', HELP)
    .action((file: string, options: ConvertOptions) => run(file, options, io));
}

async function run(file: string, options: ConvertOptions, io: Io): Promise<void> {
  const { output, format, event = new Map<string, EventEffect>(), queryScore } = options;
  const data = await readJson(file, io);
  const from = options.from ?? detected(data);
  if (from === undefined) {
    const hint = `expected rules with conditions and event, or a function_score; --from says which: ${FORMATS.join(', ')}`;
    throw new AssizeError([{ code: 'ASZ608', message: `${file} has neither rules nor a function_score`, hint }]);
  }
  if (from !== 'json-rules-engine' && event.size > 0) throw usageError('--event is for rules of json-rules-engine');
  const { Conversion: Started, draftYaml } = await import('./convert/draft.js');
  const conversion = new Started(data);
  const draft = await draftOf(from, conversion, event, queryScore);
  if (draft.vetoes.length + draft.scorers.length === 0) {
    const message = `nothing in ${file} can be converted to a profile`;
    throw new AssizeError([...conversion.problems, { code: 'ASZ608', message }]);
  }
  const profile = draftYaml(draft, nameOf(output ?? (file === '-' ? 'converted' : file)));
  const written = output === undefined ? undefined : await write(output, profile, io);
  const { problems } = conversion;
  if (format === 'json') {
    const shown = problems.map((problem) => problemJson(relativeToFolder(problem, io.folder)));
    io.out.write(jsonText({ from, profile, ...(written !== undefined && { written }), problems: shown }));
  } else {
    writeProblems(problems, io);
    io.out.write(written === undefined ? profile : `wrote ${written}\n\nassize check ${pathOf(written)}\n`);
  }
  const lost = problems.filter(({ code }) => code === 'ASZ742').length;
  if (lost === 0) return;
  if (format === 'yaml') io.err.write(`not carried over: ${counted(lost, 'part')}\n`);
  throw new Ending(EXIT_CODES.partial);
}

async function draftOf(
  from: Format,
  conversion: Conversion,
  effects: ReadonlyMap<string, EventEffect>,
  queryScore: string,
): Promise<Draft> {
  if (from === 'json-rules-engine') {
    const { convertRules } = await import('./convert/json-rules-engine.js');
    return convertRules(conversion, effects);
  }
  const { convertFunctionScore } = await import('./convert/function-score.js');
  return convertFunctionScore(conversion, queryScore);
}

/** The map or list of a JSON file, with the places of its values. */
async function readJson(file: string, io: Io): Promise<object> {
  const { readSourceFile } = await import('../data/node.js');
  const { parseJsonWithPlaces } = await import('../data/json/parse-json-with-places.js');
  const source = file === '-' ? await readStdin(io) : await readSourceFile(file, { pipes: true });
  const { data, problems } = parseJsonWithPlaces(source);
  if (problems.length > 0) throw new AssizeError(problems);
  if (isMap(data) || Array.isArray(data)) return data;
  const hint = 'expected the JSON of rules, or of a query with a function_score';
  throw new AssizeError([
    { code: 'ASZ608', message: `${file} is not a map or a list`, place: source.placeAt(0), hint },
  ]);
}

async function readStdin({ stdin }: Io): Promise<SourceFile> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return new SourceFile('standard input', Buffer.concat(chunks).toString());
}

/** What a file is, if its keys leave no doubt. */
function detected(data: object): Format | undefined {
  const isRule = (value: unknown): boolean => isMap(value) && 'conditions' in value && 'event' in value;
  if (Array.isArray(data)) return data.some(isRule) ? 'json-rules-engine' : undefined;
  const { rules, decisions, query, functions, function_score: direct } = data as Readonly<Record<string, unknown>>;
  const list = rules ?? decisions;
  if (isRule(data) || (Array.isArray(list) && list.some(isRule))) return 'json-rules-engine';
  const isQuery = direct !== undefined || (isMap(query) && 'function_score' in query) || Array.isArray(functions);
  return isQuery ? 'function_score' : undefined;
}

async function write(output: string, profile: string, io: Io): Promise<string> {
  const { writeNewFiles } = await import('./new/template.js');
  const [written = output] = await writeNewFiles({ [output]: profile }, '.', io.folder);
  return written;
}

const pathOf = (written: string): string => (isAbsolute(written) ? written : `./${join(written)}`);

/** Reads one `--event TYPE=EFFECT`. */
function effectOf(
  text: string,
  before: ReadonlyMap<string, EventEffect> = new Map(),
): ReadonlyMap<string, EventEffect> {
  const at = text.lastIndexOf('=');
  const value = text.slice(at + 1);
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (at < 1 || (value !== 'veto' && !Number.isFinite(number))) {
    const expected = 'expected the type of an event, = and veto or a number';
    throw invalidValue('--event', `${expected}, found ${JSON.stringify(text)}`);
  }
  return new Map([...before, [text.slice(0, at), value === 'veto' ? value : number]]);
}
