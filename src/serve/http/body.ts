import { AssizeError, SourceFile } from '../../diagnostics/index.js';
import { findJsonMistake } from '../../input/json/parse-json-with-places.js';
import { malformed, RequestError, tooBusy, tooLarge } from './request-error.js';

/** What requests are called in problems, before line and column. */
export const BODY = 'body';

/** The bytes of all bodies that are held: many large requests at once must not fill the memory. */
export class HeldBytes {
  #held = 0;

  constructor(private readonly most: number) {}

  /** @throws RequestError (ASZ594) where there is no room for them */
  hold(bytes: number): void {
    if (this.#held + bytes > this.most) throw tooBusy('other requests fill the memory');
    this.#held += bytes;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}

/** What a request's body is. */
export type BodyFormat = 'json' | 'ndjson';

const NDJSON = /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines)\b/i;

export const isNdjson = (type: string): boolean => NDJSON.test(type);

/**
 * The format of a body, as its type says.
 *
 * @throws RequestError where it is another, as that of a form, which a page of anybody can send
 */
export function bodyFormat(request: Request): BodyFormat {
  const type = request.headers.get('content-type') ?? '';
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding !== 'identity')
    throw malformed(`the body is encoded as ${encoding}; expected it as it is`, undefined, 415);
  if (isNdjson(type)) return 'ndjson';
  if (/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) return 'json';
  const found = type === '' ? 'the request has no content-type' : `the content-type is ${type}`;
  throw malformed(
    `${found}; expected application/json or application/x-ndjson`,
    "with curl: -H 'content-type: application/json'",
    415,
  );
}

/** The parts of a body, counted: one that says less than it brings is cut off, as one that says more than it may. */
export async function* bodyParts(request: Request, most: number): AsyncGenerator<Uint8Array, void> {
  const said = Number(request.headers.get('content-length') ?? 0);
  if (said > most) throw bodyTooLarge(most);
  if (!request.body) return;
  let bytes = 0;
  const reader = request.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read(); // oxlint-disable-line no-await-in-loop -- part by part
      if (done) return;
      bytes += value.byteLength;
      if (bytes > most) throw bodyTooLarge(most);
      yield value;
    }
  } finally {
    // What is left is not read; nobody waits for how that ends.
    reader.cancel().catch(() => {});
  }
}

const bodyTooLarge = (most: number): RequestError =>
  tooLarge(`the body has more than ${most} bytes`, 'scores of any number come as application/x-ndjson: POST /v1/score');

/**
 * Reads a body as a whole.
 *
 * @param held counts its bytes while it is read; the caller releases as many as it has
 */
export async function readBody(request: Request, most: number, held: HeldBytes): Promise<Uint8Array> {
  const said = request.headers.get('content-length');
  if (said !== null && Number(said) > most) throw bodyTooLarge(most);
  let bytes = 0;
  const hold = (more: number): void => {
    held.hold(more);
    bytes += more;
  };
  try {
    if (said !== null) {
      hold(Number(said)); // Node ends a body where its length ends
      return new Uint8Array(await request.arrayBuffer());
    }
    const parts: Uint8Array[] = [];
    for await (const part of bodyParts(request, most)) {
      hold(part.byteLength);
      parts.push(part);
    }
    return Buffer.concat(parts);
  } catch (error) {
    held.release(bytes);
    throw error;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws AssizeError (ASZ590) with the place where it is no JSON */
export function parseBody(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw malformed('the body is not UTF-8');
  }
  return parseText(text, BODY);
}

/** @throws AssizeError (ASZ590) with the place where a text is no JSON */
export function parseText(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const found = findJsonMistake(new SourceFile(name, text), 'line');
    const message = found?.message ?? (error instanceof Error ? error.message : String(error));
    throw new AssizeError([{ ...found, code: 'ASZ590', message: `the ${name} is not JSON: ${message}` }]);
  }
}
