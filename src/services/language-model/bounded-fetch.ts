import type { Fetch } from '../fetch.js';

/** What a chat completion never reaches: a server that sends without end must not fill the memory. */
const MAX_RESPONSE_BYTES = 4_000_000;

/** An answer of a server that does not end where one should. */
export class ResponseTooLargeError extends Error {
  constructor() {
    super(`more than ${MAX_RESPONSE_BYTES / 1_000_000} MB came`);
  }
}

/**
 * `fetch` for requests that hold what others wrote: follows no redirection, which would hand that to somebody else, and
 * breaks off an answer that is too long, counted after it was unpacked.
 */
export const boundedFetch: Fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  if (response.body === null) return response;
  let bytes = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MAX_RESPONSE_BYTES) controller.error(new ResponseTooLargeError());
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counted), response);
};
