import type { Explanation } from 'assize/browser';
import type {
  AskedPair,
  ClassForm,
  FilesState,
  FoundWeights,
  JudgedBy,
  PairReply,
  QueryData,
  StudioData,
  TuneProgress,
} from '../../data/studio-data.js';
import type { GradeReply, GradesState, NewGrade } from '../../data/given-grades.js';
import type { LinkState } from '../../data/link-state.js';
import { readJsonText } from '../../data/read-json-text.js';
import type { ChangedLine } from '../../save/changed-lines.js';
import type { FileEdit } from '../../save/data-edit.js';

/** A problem of a draft, as the command line prints it. */
export interface DraftProblem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly place?: { readonly file: string; readonly line: number; readonly column: number };
}

/** A refusal of the server, or its silence, with the reason in words. */
export class ServerError extends Error {
  override readonly name = 'ServerError';

  constructor(
    message: string,
    /** The problems of a draft, by code and place. */
    readonly problems: readonly DraftProblem[] = [],
  ) {
    super(message);
  }
}

/** The server of the page: what files and the profile's own classes are needed for. */
export class StudioServer {
  /** @param token undefined if the browser has a cookie with it */
  constructor(private readonly token: string | undefined) {}

  data(): Promise<StudioData> {
    return this.#ask('GET', 'data');
  }

  /** What differs from query to query, where there are several. */
  queries(): Promise<readonly QueryData[]> {
    return this.#ask('GET', 'queries');
  }

  /** The classes that the profile can name. */
  classes(): Promise<readonly ClassForm[]> {
    return this.#ask('GET', 'classes');
  }

  /** Why one candidate of a query came out as it did by the profile with edits, with what its classes noted. */
  explain(index: number, query: number, edits: readonly FileEdit[] = []): Promise<Explanation> {
    return this.#ask('POST', 'explain', { edits, index, query });
  }

  /** The data of a query by the profile with edits, without the candidates. */
  draft(edits: readonly FileEdit[], query: number): Promise<StudioData> {
    return this.#ask('POST', 'draft', { edits, query });
  }

  /** Finds weights by the judgements; ends when the signal does, and nothing is kept. */
  tune(by: JudgedBy, heard: (step: TuneProgress) => void, signal: AbortSignal): Promise<FoundWeights> {
    return this.#follow('tune', { by }, heard, signal);
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

  /** The text of the file with edits, also if it is not valid. */
  text(edits: readonly FileEdit[]): Promise<{ readonly text: string }> {
    return this.#ask('POST', 'text', { edits });
  }

  /** The lines of the file that edits would change. */
  diff(edits: readonly FileEdit[]): Promise<readonly ChangedLine[]> {
    return this.#ask('POST', 'diff', { edits });
  }

  /** Writes edits into the file, if it is still of this version. */
  save(edits: readonly FileEdit[], version: string): Promise<FilesState> {
    return this.#ask('POST', 'save', { edits, version });
  }

  /** The page as one file, which opens with changes and needs no server. */
  async exportPage(state: LinkState, asked: readonly (readonly FileEdit[])[]): Promise<Blob> {
    return (await this.#fetch('POST', 'export', { state, asked })).blob();
  }

  /** Waits until the files, or the grades, are of another version. */
  changed(version: string, grades: string | undefined): Promise<FilesState> {
    const query = new URLSearchParams({ version, ...(grades !== undefined && { grades }) });
    return this.#ask('GET', `changed?${query.toString()}`);
  }

  /** The grades as their file has them now. */
  grades(): Promise<GradesState> {
    return this.#ask('GET', 'grades');
  }

  /** Writes a grade into its file. */
  grade(grade: NewGrade): Promise<GradeReply> {
    return this.#ask('POST', 'grade', grade);
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
      headers: {
        ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }).catch(() => {
      throw new ServerError('the server of this page does not respond: check that assize studio is still running');
    });
    if (response.ok) return response;
    const answer: unknown = await response.json();
    const message = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'message') : undefined;
    const problems = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'problems') : undefined;
    throw new ServerError(
      typeof message === 'string' ? message : `the server answered ${response.status}`,
      Array.isArray(problems) ? (problems as readonly DraftProblem[]) : [],
    );
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
