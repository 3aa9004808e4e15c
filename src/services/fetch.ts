/** The part of `fetch` that libraries use here. */
export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** More than any chat completion: a server that sends without end must not fill the memory. */
const MAX_RESPONSE_BYTES = 4_000_000;

/** A response that is longer than any chat completion. */
export class ResponseTooLargeError extends Error {
  constructor() {
    super(`more than ${MAX_RESPONSE_BYTES / 1_000_000} MB came`);
  }
}

/**
 * `fetch` for requests with text of users: follows no redirection, which would send that to another host, and aborts a
 * response that is too long, counted after decompression.
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
