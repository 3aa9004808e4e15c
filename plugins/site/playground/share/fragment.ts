export type CandidateFormat = 'json' | 'jsonl' | 'csv';

/** Everything that a link holds. */
export interface PlaygroundState {
  readonly profile: string;
  readonly candidates: string;
  readonly format: CandidateFormat;
  /** The context as JSON; empty for none. */
  readonly context: string;
  /** The time of the run, as ISO 8601; empty for the current time. */
  readonly now: string;
  /** The position of the candidate that is explained. */
  readonly selected?: number | undefined;
}

/** The most characters of a fragment. Longer links are cut by mail and chat programs. */
const LONGEST_FRAGMENT = 100_000;

/** The most bytes that a fragment may inflate to: a short one can hold gigabytes of zeros. */
const MOST_INFLATED = 4_000_000;

/** A fragment that is not a state, or a state that is too large for one. */
export class FragmentError extends Error {
  override readonly name = 'FragmentError';
}

const KEY = 'state=';

/** Writes a state as a fragment, without `#`. @throws FragmentError if it is too large */
export async function toFragment(state: PlaygroundState): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  if (bytes.length > MOST_INFLATED) throw tooLarge(bytes.length);
  const packed = await new Response(
    new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw')),
  ).arrayBuffer();
  const fragment = KEY + toBase64Url(new Uint8Array(packed));
  if (fragment.length > LONGEST_FRAGMENT) throw tooLarge(fragment.length);
  return fragment;
}

const tooLarge = (length: number): FragmentError =>
  new FragmentError(
    `This state has ${Math.ceil(length / 1000)} kB, and a link holds at most ${LONGEST_FRAGMENT / 1000} kB. Use fewer candidates, or download the folder.`,
  );

/**
 * Reads a state from a fragment. Anyone can have written it.
 *
 * @returns undefined if the fragment holds none
 * @throws FragmentError if it is damaged or too large
 */
export async function fromFragment(fragment: string): Promise<PlaygroundState | undefined> {
  const text = fragment.replace(/^#/, '');
  if (!text.startsWith(KEY)) return undefined;
  if (text.length > LONGEST_FRAGMENT) throw new FragmentError('The link is too long, so it was not read.');
  const bytes = fromBase64Url(text.slice(KEY.length));
  const state = parseState(await inflate(bytes));
  if (!state) throw new FragmentError('The link is damaged: it does not hold a profile and candidates.');
  return state;
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read(); // oxlint-disable-line no-await-in-loop -- parts of one stream
      if (done) break;
      length += value.length;
      if (length > MOST_INFLATED) break;
      parts.push(value);
    }
    if (length <= MOST_INFLATED)
      return new TextDecoder('utf-8', { fatal: true }).decode(await new Blob(parts).arrayBuffer());
  } catch {
    throw new FragmentError('The link is damaged: it cannot be decompressed.');
  }
  await reader.cancel();
  throw new FragmentError(`The link holds more than ${MOST_INFLATED / 1e6} MB, so it was not read.`);
}

function parseState(text: string): PlaygroundState | undefined {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof data !== 'object' || data === null) return undefined;
  const { profile, candidates, format, context = '', now = '', selected } = data as Readonly<Record<string, unknown>>;
  const isFormat = format === 'json' || format === 'jsonl' || format === 'csv';
  if (typeof profile !== 'string' || typeof candidates !== 'string' || !isFormat) return undefined;
  if (typeof context !== 'string' || typeof now !== 'string') return undefined;
  return {
    profile,
    candidates,
    format,
    context,
    now,
    ...(Number.isSafeInteger(selected) && { selected: Number(selected) }),
  };
}

/** The bytes that `String.fromCharCode` takes at once. */
const CHUNK = 8192;

function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
  } catch {
    throw new FragmentError('The link is damaged: it is not base64.');
  }
}
