import type { Explanation } from '../../browser/index.js';
import type { ChangedLine } from '../save/changed-lines.js';
import type { DataEdit } from '../save/data-edit.js';
import type { FileState, RemoteChange, StudioData } from '../data/studio-data.js';

/** A refusal of the server, with its reason in words. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
}

/** The server of the page: what files and the profile's own classes are needed for. */
export class StudioServer {
  constructor(private readonly token: string) {}

  data(): Promise<StudioData> {
    return this.#ask('GET', 'data');
  }

  /** Why one candidate came out as it did by the profile in the file, with what its classes noted. */
  explain(index: number): Promise<Explanation> {
    return this.#ask('GET', `explain?index=${index}`);
  }

  /** The same after a change that needs the profile's own classes; without the candidates. */
  change(change: RemoteChange): Promise<StudioData> {
    return this.#ask('POST', 'change', change);
  }

  /** The lines of the file that edits would change. */
  diff(edits: readonly DataEdit[]): Promise<readonly ChangedLine[]> {
    return this.#ask('POST', 'diff', { edits });
  }

  /** Writes edits into the file, if it is still of this version. */
  save(edits: readonly DataEdit[], version: string): Promise<FileState> {
    return this.#ask('POST', 'save', { edits, version });
  }

  /** Waits until the file is of another version. */
  changed(version: string): Promise<FileState> {
    return this.#ask('GET', `changed?version=${encodeURIComponent(version)}`);
  }

  async #ask<R>(method: string, path: string, body?: object): Promise<R> {
    const response = await fetch(`api/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (response.ok) return answer as R;
    const message = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'message') : undefined;
    throw new ServerError(typeof message === 'string' ? message : `the server answered ${response.status}`);
  }
}
