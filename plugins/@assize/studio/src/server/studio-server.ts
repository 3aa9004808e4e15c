import type { Context, HonoRequest } from 'hono';
import { accepts } from 'hono/accepts';
import { secureHeaders } from 'hono/secure-headers';
import { Hono } from 'hono/tiny';
import * as z from 'zod';
import { AssizeError } from 'assize';
import { serveLocally } from '@assize/serve';
import { problemJson, toError } from 'assize/internal';
import { JUDGED_BY, REPLIES } from '../data/studio-data.js';
import type { FileEdit, JsonData } from '../save/data-edit.js';
import { NotSavedError } from '../save/save-file.js';
import { SpliceError } from '../save/splice.js';
import { RefusedEditError } from './draft-profiles.js';
import { NotNowError, WeightFinder } from './find-weights.js';
import { exportedFile } from './exported-page.js';
import { jsonText, servedPage } from './page-assets.js';
import { encodedFile, type Encoding, ENCODINGS, fileAt, typeOf } from './page-files.js';
import { NoSuchQueryError, type StudioSession } from './studio-session.js';

/** A running studio. */
export interface Studio {
  /** The address of the page, with the token after `#`, which browsers do not send to servers. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves the page of a session only on this machine.
 *
 * @param port by default one that is always the same for a profile, or a free one if another server uses it: a browser
 *   keeps unsaved changes by address
 * @param images the hosts that the page may load images from
 */
export async function serveStudio(
  session: StudioSession,
  port?: number,
  images: readonly string[] = [],
): Promise<Studio> {
  if (port !== undefined) return serveAt(session, port, images);
  try {
    return await serveAt(session, usualPort(session.key), images);
  } catch (error) {
    if (!(error instanceof AssizeError)) throw error;
    return serveAt(session, 0, images);
  }
}

/** A port above those of known services, and below those that systems give to connections. */
const usualPort = (key: string): number => 20_000 + (Number.parseInt(key.slice(0, 8), 16) % 10_000);

async function serveAt(session: StudioSession, port: number, images: readonly string[]): Promise<Studio> {
  const { fetch } = studioApp(session, images);
  const { url, token, close } = await serveLocally(fetch, {
    port,
    isOpen: (path) => path === '/' || fileAt(path) !== undefined,
    cookie: { name: 'assize-studio', path: '/api' },
    refused: (status, message) =>
      Response.json(
        { message: status === 401 ? NO_TOKEN : message },
        { status, headers: { ...NOT_STORED, 'x-content-type-options': 'nosniff' } },
      ),
  });
  return { url: `${url}/#token=${token}`, close };
}

const NO_TOKEN = `This browser has no access to this studio. A link has no token, on purpose: it opens only in a browser that has opened the studio before.
To open it here: in this browser, open the address that assize studio printed in the terminal, which contains a token. Then open the link again. After a restart of the studio, use the new address.
If another person sent you the link: it works only on the computer that runs the studio. Ask for a file instead: “Review and save…”, then “Export for a colleague”.`;

const NOT_STORED = { 'cache-control': 'no-store' };

/** The routes of the page. */
function studioApp(session: StudioSession, images: readonly string[]): Hono {
  const finder = new WeightFinder(session);
  const app = new Hono();
  app.onError((error, context) => {
    if (error instanceof TooLargeError) context.header('connection', 'close'); // the rest of the body is not read
    return context.json({ message: error.message, ...problemsOf(error) }, statusOf(error));
  });
  app.notFound((context) => context.json({ message: 'not found' }, 404));
  app.use(securityHeaders(images), (context, next) => {
    context.header('cache-control', NOT_STORED['cache-control']);
    return next();
  });
  app.get('/', (context) => context.html(servedPage(session.pagePlugins, images)));
  app.get('/:version{[0-9a-f]+}/:file', fileReply);
  const add = (method: 'GET' | 'POST', name: string, answer: (request: HonoRequest) => Promise<object>): void =>
    void app.on(method, `/api/${name}`, async (context) => jsonReply(context, await answer(context.req)));

  add('GET', 'data', () => session.data());
  add('GET', 'queries', () => session.allQueries());
  add('GET', 'changed', (request) =>
    session.changed(request.query('version') ?? '', request.raw.signal, request.query('grades') || undefined),
  );
  add('GET', 'classes', () => session.classes());
  add('POST', 'draft', async (request) => {
    const { edits, query: number } = draftBody.parse(await jsonOf(request));
    return session.draft(edits, number);
  });
  add('POST', 'explain', async (request) => {
    const { edits, index, query: number } = explainBody.parse(await jsonOf(request));
    return session.explain(edits, index, number);
  });
  add('POST', 'text', async (request) => session.text(diffBody.parse(await jsonOf(request)).edits));
  add('POST', 'diff', async (request) => session.diff(diffBody.parse(await jsonOf(request)).edits));
  add('POST', 'save', async (request) => {
    const { edits, version } = saveBody.parse(await jsonOf(request));
    return session.save(edits, version);
  });
  add('GET', 'grades', () => session.judgements.grades());
  add('POST', 'grade', async (request) => session.judgements.grade(gradeBody.parse(await jsonOf(request))));
  add('POST', 'end-tuning', async () => {
    if (!finder.endTuning()) throw new NotNowError('no search is running');
    return {};
  });
  add('POST', 'answer', async (request) => {
    const { question, reply } = answerBody.parse(await jsonOf(request));
    if (!finder.answer(question, reply)) throw new NotNowError('this question was answered already');
    return {};
  });
  app.post('/api/export', async (context) => {
    const changes = exportBody.parse(await jsonOf(context.req));
    return context.html(await exportedFile(session, images, changes));
  });
  app.post('/api/tune', async (context) => {
    const { by } = tuneBody.parse(await jsonOf(context.req));
    return linesReply(context, (report) => finder.tune(report, context.req.raw.signal, by));
  });
  app.post('/api/ask', async (context) => {
    const { query: number } = askBody.parse(await jsonOf(context.req));
    return linesReply(context, (report) => finder.ask(number, report, context.req.raw.signal));
  });
  return app;
}

const securityHeaders = (images: readonly string[]) =>
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      connectSrc: ["'self'"],
      imgSrc: ["'self'", 'data:', ...images],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
    strictTransportSecurity: false, // the server has no TLS
  });

/** A file of the page. A browser loads it once, because another build has another address. */
function fileReply(context: Context): Response | Promise<Response> {
  const file = fileAt(context.req.path);
  if (file === undefined) return context.notFound();
  const encoding = encodingOf(context);
  return context.body(new Uint8Array(encodedFile(file, encoding)), 200, {
    'content-type': typeOf(file),
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
  });
}

/** The smallest encoding that a browser accepts, in any order. */
function encodingOf(context: Context): Encoding {
  const chosen = accepts(context, {
    header: 'Accept-Encoding',
    supports: [...ENCODINGS],
    default: 'identity',
    match: (accepted, { supports, default: other }) =>
      supports.find((one) => accepted.some(({ type, q }) => type === one && q > 0)) ?? other,
  });
  return ENCODINGS.find((one) => one === chosen) ?? 'identity';
}

/** A request that is larger than any page sends. */
class TooLargeError extends Error {}

/** More bytes than any settings need. */
const MAX_BODY = 1 << 20;

/**
 * The body of a request. Hono's `bodyLimit` works only if its adapter replaces the global `Request` of the process.
 *
 * @throws TooLargeError; SyntaxError if it is not JSON
 */
async function jsonOf({ raw }: HonoRequest): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of raw.body ?? []) {
    length += chunk.byteLength;
    if (length > MAX_BODY) throw new TooLargeError(`the request has more than ${MAX_BODY} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
}

const jsonReply = (context: Context, data: object): Response =>
  context.body(jsonText(data), 200, { 'content-type': 'application/json' });

/**
 * Replies to long work in lines: its steps, then its result or its error. If it ends without a step, the reply is the same
 * as for other work.
 */
function linesReply(context: Context, work: (report: (step: object) => void) => Promise<object>): Promise<Response> {
  const encoder = new TextEncoder();
  let lines: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isGone = false;
  const write = (line: object): void => {
    if (!isGone) lines?.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
  };
  const end = (line: object): void => {
    write(line);
    if (!isGone) lines?.close();
  };
  return new Promise((reply, reject) => {
    const report = (step: object): void => {
      if (!lines) {
        const body = new ReadableStream({
          start: (opened) => void (lines = opened),
          cancel: () => void (isGone = true),
        });
        reply(context.body(body, 200, { 'content-type': 'application/x-ndjson' }));
      }
      write({ step });
    };
    work(report).then(
      (result) => (lines ? end({ result }) : reply(jsonReply(context, result))),
      (error: unknown) => (lines ? end({ message: toError(error).message }) : reject(toError(error))),
    );
  });
}

/** The problems of a profile, each with its code and its place in the text. */
const problemsOf = (error: Error): object =>
  error instanceof AssizeError ? { problems: error.problems.map(problemJson) } : {};

/** The status of an error. Errors that the user cannot fix are internal errors of the studio. */
function statusOf(error: Error): 400 | 404 | 409 | 413 | 422 | 500 {
  if (error instanceof TooLargeError) return 413;
  if (error instanceof NoSuchQueryError) return 404;
  if (error instanceof NotSavedError || error instanceof NotNowError) return 409;
  if (error instanceof RefusedEditError || error instanceof SpliceError) return 400;
  if (error instanceof z.ZodError || error instanceof SyntaxError) return 400;
  return error instanceof AssizeError ? 422 : 500;
}

const query = z.int().nonnegative().default(0);
/** A key of a map. It cannot be a name that objects inherit. */
const key = z
  .string()
  .min(1)
  .refine((text) => !(text in {}), 'is a name that every object has');
const step = z.union([key, z.int().nonnegative(), z.strictObject({ id: key })]);
/** More steps than any path in a profile has. */
const path = z.array(step).min(1).max(20);
const json: z.ZodType<JsonData> = z.json();
/**
 * The form of an edit. What an edit may change is checked on the edited profile: `DraftProfiles` refuses what names a
 * plugin, a file or an address, so that a page under the control of another program cannot add these.
 */
const edit: z.ZodType<FileEdit> = z.union(
  [
    z.strictObject({ path, value: json }),
    z.strictObject({ path, remove: z.literal(true) }),
    z.strictObject({ text: z.string().min(1) }),
  ],
  { error: 'expected a path with a value, a path to remove, or a text' },
);
const diffBody = z.strictObject({ edits: z.array(edit).max(10_000) });
const saveBody = diffBody.extend({ version: z.string() });
const draftBody = diffBody.extend({ query });
/** A list of edits of each kind that a page asks about: structural ones alone, or with those of params and switches. */
const exportBody = z.strictObject({
  state: z.strictObject({ settings: z.record(key, json) }),
  asked: z.array(diffBody.shape.edits).max(4),
});
const explainBody = draftBody.extend({ index: z.int().nonnegative() });
const askBody = z.strictObject({ query });
const grade = z.number().nullable();
const gradeBody = z.strictObject({ query, position: z.int().nonnegative(), grade, was: grade });
const tuneBody = z.strictObject({ by: z.enum(JUDGED_BY).default('grades') });
const answerBody = z.strictObject({ question: z.string(), reply: z.enum(REPLIES) });
