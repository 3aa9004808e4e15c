import type { Readable } from 'node:stream';
import { candidatesAfterHeader } from 'assize/internal';
import { BODY, bodyParts, type BodyReading, dropRest, parseText, PART_BYTES } from './body.js';
import type { Deadline } from './deadline.js';
import { problemAnswer, type Reply } from './reply.js';
import { clientGone, malformed, tooLarge } from './request-error.js';

/** A request in JSON Lines: the first line is its envelope, each other line a candidate. */
export interface LineRequest {
  readonly envelope: Readonly<Record<string, unknown>>;
  readonly candidates: AsyncIterable<readonly object[]>;
}

/**
 * Reads a request in JSON Lines: its envelope at once, its candidates on demand.
 *
 * @param areKept whether the candidates stay in memory: then their bytes are held until the request ends, otherwise only
 *   those of an incomplete line
 */
export async function readLines(reading: BodyReading, areKept: boolean): Promise<LineRequest> {
  const { header, candidates } = await candidatesAfterHeader(limitedLines(reading, areKept), BODY);
  if (typeof header !== 'string') throw malformed('the body is not UTF-8');
  const envelope = parseText(header);
  if (typeof envelope !== 'object' || envelope === null || Array.isArray(envelope)) {
    throw malformed(
      'the first line is not an object',
      'start with the request without its candidates: {"profile":"shop"}',
    );
  }
  return { envelope: { ...envelope }, candidates };
}

/** The parts of a body, with a limit on the length of its lines. */
async function* limitedLines(reading: BodyReading, areKept: boolean): AsyncGenerator<Uint8Array> {
  const most = reading.limits.body;
  let length = 0;
  let parts = 0;
  const keeps = (): number => (areKept ? Number.POSITIVE_INFINITY : length + parts * PART_BYTES);
  for await (const part of bodyParts(Number.POSITIVE_INFINITY, reading, keeps)) {
    const end = part.lastIndexOf(10);
    length = end < 0 ? length + part.byteLength : part.byteLength - end - 1;
    parts = end < 0 ? parts + 1 : 1;
    if (length > most) throw tooLarge(`a line of the body has more than ${most} bytes`);
    yield part;
  }
}

/**
 * All candidates of a request in JSON Lines.
 *
 * @param most the most candidates
 */
export async function collectLines({ candidates }: LineRequest, most: number): Promise<readonly object[]> {
  const all: object[] = [];
  for await (const rows of candidates) {
    if (all.length + rows.length > most) throw tooLarge(`the request has more than ${most} candidates`);
    for (const row of rows) all.push(row);
  }
  return all;
}

/** Characters per chunk. Sending each row alone would cost more than scoring it. */
const CHUNK = 64 * 1024;

/** Stands for a row that is not available yet. */
const LATER = Symbol('later');
const nextTurn = (): Promise<typeof LATER> => new Promise((resolve) => void setImmediate(resolve, LATER));

/**
 * A reply of lines. Available lines are sent together, without waiting for the next ones. Lines are produced no faster
 * than the client reads; if it disconnects, the run is stopped. An error ends the reply with a line `{ problem }`, since
 * the status has already been sent.
 *
 * @param incoming the request, whose body may still be arriving
 * @param ended    called once at the end, with the error if it failed
 */
export function linesReply(
  lines: AsyncIterable<string>,
  incoming: Readable,
  deadline: Deadline,
  ended: (error?: unknown) => void,
): Reply {
  const source = lines[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let pending: Promise<IteratorResult<string, unknown>> | undefined;
  /** The available lines, and whether they are the last. */
  const read = async (): Promise<{ readonly text: string; readonly isEnd: boolean }> => {
    let text = '';
    let later: Promise<typeof LATER> | undefined;
    while (text.length < CHUNK) {
      pending ??= source.next();
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const next = later ? await Promise.race([pending, later]) : await pending;
      if (next === LATER) break;
      pending = undefined;
      if (next.done) return { text, isEnd: true };
      text += next.value;
      later ??= nextTurn();
    }
    return { text, isEnd: false };
  };
  let isOver = false;
  let isGone = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      deadline.signal.addEventListener('abort', () => fail(deadline.signal.reason, controller), { once: true });
    },
    async pull(controller) {
      deadline.now({ isUnread: false });
      try {
        const { text, isEnd } = await read();
        if (isOver) return;
        if (text !== '') controller.enqueue(encoder.encode(text));
        deadline.now({ isUnread: true });
        if (!isEnd) return;
        isOver = true;
        controller.close();
        ended();
      } catch (error) {
        fail(error, controller);
      }
    },
    async cancel() {
      isGone = true;
      if (isOver) return;
      isOver = true;
      deadline.abort(clientGone());
      ended(clientGone());
      await source.return?.();
    },
  });
  /** Called even if the stream is not being read: a client that does not read would keep its turn forever. */
  const fail = (error: unknown, controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (isOver) return;
    isOver = true;
    controller.enqueue(encoder.encode(`${JSON.stringify({ problem: problemAnswer(error).body })}\n`));
    ended(error);
    source.return?.().catch(() => {}); // rejects with the reason of the abort, which is already handled
    void dropRest(incoming).then(() => isGone || controller.close());
  };
  return { status: 200, headers: { 'content-type': 'application/x-ndjson' }, body };
}
