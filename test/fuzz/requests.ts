/**
 * Requests of an HTTP server: bodies that are nearly valid, random or hostile. Every answer is JSON, and every error
 * has a code.
 *
 * @module
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { type AssizeServer, startServer } from '@assize/serve';
import { mutateText, profileBySchema, profileText, profileTree, SMALL } from './documents.js';
import type { Random } from './random.js';
import { randomCandidate, randomValue } from './values.js';

const PROFILES: Readonly<Record<string, string>> = {
  small: SMALL,
  choice: `tier2_scorers: [{ id: p, expr: candidate.a }, { id: b, class: BM25Scorer, params: { fields: text, query: query } }]
combine: weighted_sum
select: { top: 3, diversify: { class: MmrSelector, params: { fields: b } } }
`,
  groups: `context: { user: { type: string, required: true } }
tier1_scorers: [{ id: v, expr: candidate.b == true }]
tier2_scorers: [{ id: p, expr: candidate.a + size(candidate.list), on_absent: 0.5 }, { id: q, expr: candidate.map.a }]
select: { per: { by: candidate.text, top: 1 }, ties: [candidate.a], min_score: 0.1 }
`,
  packs: `plugins: [cupel]
tier2_scorers: [{ id: p, expr: candidate.a, on_error: skip }]
select: { pack: { cost: candidate.b, budget: 3, class: GreedyPack } }
`,
  learns: `candidate: { id: text }
tier2_scorers: [{ id: p, class: NoveltyScorer, params: { text: text, embedder: { name: lexical } } }, { id: q, expr: candidate.a }]
`,
  broken: 'tier2_scorers: [{ id: p, expr: "candidate." }]\n',
};

const NAMES = Object.keys(PROFILES).filter((name) => name !== 'broken');

/** A server and its log. */
interface FuzzedServer {
  readonly server: AssizeServer;
  readonly errors: string[];
}

const agent = new Agent({ keepAlive: true });
let opened: Promise<readonly FuzzedServer[]> | undefined;

/** One server answers everything here; the other one answers large requests in a thread, has small limits and no inline profiles. */
async function openServers(): Promise<readonly FuzzedServer[]> {
  await mkdir('profiles', { recursive: true });
  await Promise.all(Object.entries(PROFILES).map(([name, text]) => writeFile(`profiles/${name}.yaml`, text)));
  const open = async (options: Parameters<typeof startServer>[0]): Promise<FuzzedServer> => {
    const errors: string[] = [];
    const server = await startServer({
      ...options,
      profiles: 'profiles',
      port: 0,
      // A problem of a request has a code and a place. A stack is a bug.
      log: {
        info: () => {},
        warn: () => {},
        error: (fields, message) => void ('stack' in fields && errors.push(jsonText({ message, ...fields }))),
      },
    });
    return { server, errors };
  };
  return Promise.all([
    open({ threads: 0, inline: true }),
    open({ threads: 1, limits: { large: 300, body: 4000, candidates: 20, detailed: 5, stall: 2000 } }),
  ]);
}

/** Stops the servers, so that the process can end. */
export async function closeServers(): Promise<void> {
  agent.destroy();
  for (const { server } of (await opened) ?? []) await server.close(); // oxlint-disable-line no-await-in-loop -- two
}

const ROUTES = ['/v1/rank', '/v1/score', '/v1/pack', '/v1/explain', '/v1/compare', '/v1/rerank', '/v2/rerank'] as const;
const JSON_TYPE = 'application/json';
const LINES_TYPE = 'application/x-ndjson';
const TYPES = [JSON_TYPE, JSON_TYPE, LINES_TYPE];
const ODD_TYPES = [
  '',
  'text/plain',
  'application/json; charset=utf-16',
  'application/x-ndjson;;',
  '*/*',
  'multipart/form-data',
];

/** A value as JSON, even if JSON cannot represent it. */
function jsonText(value: unknown): string {
  // Item by item: a circular one must not hide the rest of its list.
  if (Array.isArray(value)) return `[${Array.from(value, jsonText).join(',')}]`;
  try {
    return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? Number(inner) : inner)) ?? 'null';
  } catch {
    return '{"a":1}';
  }
}

/** JSON values that parsers and engines have had trouble with. */
const HOSTILE: readonly ((random: Random) => string)[] = [
  (random) => '['.repeat(random.pick([99, 100, 101, 5000])),
  (random) => {
    const depth = random.pick([50, 100, 101, 3000]);
    return '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
  },
  () => '1e400',
  () => '-0',
  () => '123456789012345678901234567890',
  () => '"\\ud800"',
  () => '"\\u0000\\u001b[31m"',
  () => '{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}}}',
  () => '{"a":1,"a":2,"a":{}}',
  (random) => JSON.stringify('x'.repeat(random.below(5000))),
  (random) => `[${'[],'.repeat(random.below(2000))}[]]`,
  (random) => `{${Array.from({ length: random.below(500) }, (_, k) => `"k${k}":${k}`).join(',')}}`,
  () => '{"length":1e9,"0":1}',
  () => '{"then":1,"toJSON":1,"toString":1,"valueOf":1}',
];

function oddText(random: Random): string {
  return random.chance(0.3) ? random.pick(HOSTILE)(random) : jsonText(randomValue(random, 3));
}

const IDS = ['a', 'b', 'c', 'some text', '', '__proto__', 0, 1, 7];
const BUDGETS = [5, 0, -1, { target: 3 }, { max: 1e308 }, {}];
const RANK_PARTS = ['terms', 'candidates', 'ranked', 'notSelected', 'explanations', 'warnings'];
const INCLUDES: Readonly<Record<string, readonly string[]>> = {
  '/v1/rank': RANK_PARTS,
  '/v1/pack': RANK_PARTS,
  '/v1/score': ['terms', 'candidates'],
};
const SCORERS = ['p', 'q', 'b', 'v', 'm', 'x', '__proto__'];

function inlineProfile(random: Random): string {
  const kind = random.below(4);
  if (kind === 0) return jsonText({ yaml: profileText(random) });
  if (kind === 1) return jsonText(profileBySchema(random));
  if (kind === 2) return jsonText({ tier2_scorers: [{ id: 'p', expr: 'candidate.a' }] });
  return jsonText(profileTree(random));
}

/** Values for any route, as JSON texts. */
function fieldsOf(random: Random, route: string): Map<string, string> {
  const fields = new Map<string, string>();
  const name = random.chance(0.9) ? random.pick(NAMES) : random.pick(['broken', 'none', '../small', '', 'small.yaml']);
  const maybe = (key: string, probability: number, make: () => unknown): void => {
    if (random.chance(probability)) fields.set(key, jsonText(make()));
  };
  const weights = (): unknown =>
    Object.fromEntries(random.list(3, () => [random.pick(SCORERS), random.pick([0, 1, 2, -1, 1e308])]));
  const context = (): unknown => ({ user: 'a', ...(random.chance(0.05) && { now: randomValue(random, 1) }) });
  const candidate = (): object => ({
    id: random.pick(IDS),
    a: random.next(),
    b: 1,
    ...randomCandidate(random, 2, false),
  });
  const candidates = (): unknown => random.list(random.chance(0.1) ? 40 : 8, candidate);
  if (route.endsWith('rerank')) {
    fields.set('model', jsonText(name));
    maybe('query', 0.95, () => random.pick(['a', '', 'some text', '\u0000']));
    maybe('documents', 0.95, () => random.list(6, () => (random.chance(0.5) ? 'some text' : candidate())));
    maybe('top_n', 0.2, () => random.pick([1, 2, null, 1e9]));
    maybe('top_k', 0.2, () => random.pick([1, 2, null, 1e9]));
    maybe('return_documents', 0.3, () => random.pick([true, false, null]));
  } else {
    fields.set('profile', random.chance(0.15) ? inlineProfile(random) : jsonText(name));
    maybe('candidates', 0.95, candidates);
    const isScore = route === '/v1/score';
    if (!isScore && route !== '/v1/pack') {
      maybe('top', 0.2, () => random.below(4));
      maybe('offset', 0.1, () => random.below(4));
    }
    if (!isScore) maybe('min_score', 0.1, () => random.next());
    if (route === '/v1/pack') maybe('budget', 0.9, () => random.pick(BUDGETS));
    if (INCLUDES[route]) maybe('include', 0.3, () => random.list(4, () => random.pick(INCLUDES[route]!)));
    if (route === '/v1/explain') fields.set('candidate', jsonText(random.pick(IDS)));
    if (route === '/v1/compare') for (const key of ['a', 'b']) fields.set(key, jsonText(random.pick(IDS)));
    maybe('format', route === '/v1/explain' || route === '/v1/compare' ? 0.3 : 0, () => random.pick(['text', 'json']));
    if (INCLUDES[route]) maybe('update_memory', 0.05, () => false);
  }
  maybe('context', 0.8, context);
  maybe('weights', 0.15, weights);
  for (let n = random.below(3); n > 0 && random.chance(0.4); n--) {
    const key = random.chance(0.8) ? random.pick([...fields.keys()]) : random.pick(['x', '__proto__', 'top', 'stream']);
    if (random.chance(0.2)) fields.delete(key);
    else fields.set(key, oddText(random));
  }
  return fields;
}

const objectText = (fields: ReadonlyMap<string, string>): string =>
  `{${[...fields].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;

/** A body as lines: the envelope, and each candidate. */
function linesText(random: Random, fields: Map<string, string>): string {
  fields.delete('candidates');
  const line = (): string =>
    random.chance(0.05) ? random.pick(['', '[]', '{', '7', oddText(random)]) : jsonText({ id: random.pick(IDS), a: 1 });
  return [objectText(fields), ...random.list(12, line)].join(random.pick(['\n', '\n', '\r\n', '\n\n']));
}

/** Bytes that are nearly those of a text. */
function bytesOf(random: Random, text: string): Buffer {
  if (random.chance(0.005)) return Buffer.from(text, 'utf16le');
  if (random.chance(0.02)) return Buffer.from(`\ufeff${text}`);
  const bytes = Buffer.from(text);
  if (random.chance(0.02) && bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}

/** A request, and the parts of its body. */
interface FuzzedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: readonly Buffer[];
}

function requestOf(random: Random): FuzzedRequest {
  const path = random.pick(ROUTES);
  const type = random.chance(0.98) ? random.pick(TYPES) : random.pick(ODD_TYPES);
  const fields = fieldsOf(random, path);
  let text = type === LINES_TYPE ? linesText(random, fields) : objectText(fields);
  if (random.chance(0.1)) text = mutateText(random, text);
  if (random.chance(0.05)) text = oddText(random);
  const body = bytesOf(random, text);
  const at = random.below(body.length + 1);
  const isCut = random.chance(0.3);
  const headers = {
    ...(type !== '' && { 'content-type': type }),
    ...(random.chance(0.2) && { accept: random.pick([LINES_TYPE, JSON_TYPE, '*/*', '']) }),
    ...(random.chance(0.005) && { 'content-encoding': 'gzip' }),
    ...(!isCut && { 'content-length': String(body.length) }), // otherwise in chunks
  };
  return { path, headers, parts: isCut ? [body.subarray(0, at), body.subarray(at)] : [body] };
}

interface FuzzedAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

async function textOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

const send = (port: number, { path, headers, parts }: FuzzedRequest): Promise<FuzzedAnswer> =>
  new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, method: 'POST', agent, headers }, (response) => {
      const { statusCode: status = 0 } = response;
      const type = response.headers['content-type'] ?? '';
      textOf(response).then((text) => resolve({ status, type, text }), reject);
    });
    sent.on('error', reject);
    for (const part of parts) sent.write(part);
    sent.end();
  });

interface ProblemBody {
  readonly status?: unknown;
  readonly code?: unknown;
  readonly detail?: unknown;
  readonly fault?: unknown;
}

/** A frame of a stack: `at f (file.js:1:2)`. */
const STACK = /\bat [^"\n]*\.[cm]?[jt]s:\d+:\d+|node_modules|\bnode:internal/u;

/** The fault of an error: it must have a code and no stack, and may blame the server only with a time to retry. */
function mistakeIn(problem: ProblemBody, status: number): string | undefined {
  const { code, detail, status: said } = problem;
  if (typeof code !== 'string' || !/^[A-Z]+\d+$/u.test(code)) return 'an error without a code';
  if (typeof detail !== 'string' || detail === '') return 'an error without a text';
  if (said !== status) return `an error that says ${String(said)}`;
  return status >= 500 && status !== 503 ? 'an error of the server' : undefined;
}

function mistakeOf({ status, type, text }: FuzzedAnswer): string | undefined {
  if (STACK.test(text)) return 'an answer with a stack';
  if (status !== 200) {
    if (type !== 'application/problem+json') return `an error of the type ${type}`;
    return mistakeIn(JSON.parse(text) as ProblemBody, status);
  }
  if (type !== LINES_TYPE) return typeof JSON.parse(text) === 'object' ? undefined : 'an answer that is not an object';
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { summary?: object; problem?: ProblemBody & { status: number } });
  const last = lines.at(-1);
  if (last?.problem) return mistakeIn(last.problem, last.problem.status);
  return last?.summary ? undefined : 'lines without an end';
}

/** The number of requests per seed: they share connections and memories, so state from one can affect the others. */
const PER_SEED = 10;

/** Sends requests to a server, and throws if an answer violates the rules. */
export async function tryRequests(random: Random): Promise<void> {
  opened ??= openServers();
  const { server, errors } = random.pick(await opened);
  for (let k = 0; k < PER_SEED; k++) {
    const sent = requestOf(random);
    const answer = await send(server.port, sent); // oxlint-disable-line no-await-in-loop -- one after another
    const mistake = errors.length > 0 ? errors.splice(0).join('\n') : mistakeOf(answer);
    if (mistake === undefined) continue;
    const shown = Buffer.concat(sent.parts).toString().slice(0, 600);
    throw new Error(
      `${mistake}: ${answer.status} ${answer.text.slice(0, 400)}\n${sent.path} ${jsonText(sent.headers)}\n${shown}`,
    );
  }
}
