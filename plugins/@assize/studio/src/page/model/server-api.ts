import type { Explanation } from 'assize/browser';
import type {
  AskedPair,
  FilesState,
  FoundWeights,
  PairReply,
  QueryData,
  RemoteChange,
  StudioData,
  TuneProgress,
} from '../../data/studio-data.js';
import { readJsonText } from '../../data/read-json-text.js';
import type { ChangedLine } from '../../save/changed-lines.js';
import type { DataEdit } from '../../save/data-edit.js';

/** A refusal of the server, or its silence, with the reason in words. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
}

/** The server of the page: what files and the profile's own classes are needed for. */
export class StudioServer {
  constructor(private readonly token: string) {}

  data(): Promise<StudioData> {
    return this.#ask('GET', 'data');
  }

  /** What differs from query to query, where there are several. */
  queries(): Promise<readonly QueryData[]> {
    return this.#ask('GET', 'queries');
  }

  /** Why one candidate of a query came out as it did by the profile in the file, with what its classes noted. */
  explain(index: number, query: number): Promise<Explanation> {
    return this.#ask('GET', `explain?index=${index}&query=${query}`);
  }

  /** The data of a query after a change that needs the profile's own classes; without the candidates. */
  change(change: RemoteChange, query: number): Promise<StudioData> {
    return this.#ask('POST', 'change', { ...change, query });
  }

  /** Finds weights by the judgements; ends when the signal does, and nothing is kept. */
  tune(heard: (step: TuneProgress) => void, signal: AbortSignal): Promise<FoundWeights> {
    return this.#follow('tune', {}, heard, signal);
  }

  /** Ends the search for weights: its result is the best that it has found. */
  endTuning(): Promise<object> {
    return this.#ask('POST', 'end-tuning', {});
  }

  /** Asks about pairs of a query's candidates until that decides their top; ends when the signal does. */
  ask(query: number, heard: (pair: AskedPair) => void, signal: AbortSignal): Promise<FoundWeights> {
    return this.#follow('ask', { query }, heard, signal);
  }

  answer(question: string, reply: PairReply): Promise<object> {
    return this.#ask('POST', 'answer', { question, reply });
  }

  /** The lines of the file that edits would change. */
  diff(edits: readonly DataEdit[]): Promise<readonly ChangedLine[]> {
    return this.#ask('POST', 'diff', { edits });
  }

  /** Writes edits into the file, if it is still of this version. */
  save(edits: readonly DataEdit[], version: string): Promise<FilesState> {
    return this.#ask('POST', 'save', { edits, version });
  }

  /** Waits until the files are of another version. */
  changed(version: string): Promise<FilesState> {
    return this.#ask('GET', `changed?version=${encodeURIComponent(version)}`);
  }

  async #ask<R>(method: string, path: string, body?: object): Promise<R> {
    const response = await this.#fetch(method, path, body);
    return readJsonText(await response.text()) as R;
  }

  /** Long work: the server tells its steps, and at last the result. */
  async #follow<S, R>(path: string, body: object, heard: (step: S) => void, signal: AbortSignal): Promise<R> {
    const response = await this.#fetch('POST', path, body, signal);
    for await (const line of linesOf(response)) {
      const told = JSON.parse(line) as Told<S, R>;
      if (told.message !== undefined) throw new ServerError(told.message);
      if (told.result !== undefined) return told.result;
      if (told.step !== undefined) heard(told.step);
    }
    throw new ServerError('the server closed the connection before the result was complete');
  }

  /** @throws ServerError where it refuses, or does not answer */
  async #fetch(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Response> {
    const response = await fetch(`api/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }).catch(() => {
      throw new ServerError('the server of this page does not respond: check that assize studio is still running');
    });
    if (response.ok) return response;
    const answer: unknown = await response.json();
    const message = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'message') : undefined;
    throw new ServerError(typeof message === 'string' ? message : `the server answered ${response.status}`);
  }
}

/** A line of an answer that comes in lines. */
interface Told<S, R> {
  readonly step?: S;
  readonly result?: R;
  /** What went wrong. */
  readonly message?: string;
}

/** The lines of an answer, as they come. One that was not told line by line is a line, its result. */
async function* linesOf(response: Response): AsyncGenerator<string> {
  if (response.headers.get('content-type')?.startsWith('application/json')) {
    yield `{"result":${await response.text()}}`;
    return;
  }
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- as they come
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
