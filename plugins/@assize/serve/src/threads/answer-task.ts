/**
 * The code of a worker thread. It answers requests by the same routes, with its own pipelines.
 *
 * @module
 */

import { type MessagePort, workerData } from 'node:worker_threads';
import { parseBody } from '../http/body.js';
import { type ServedPipeline, ServedProfile } from '../profiles/served-profile.js';
import { type Answer, type Call, inlinePipeline, type RunCounts } from '../routes/call.js';
import { RUN_ROUTES } from '../routes/run-routes.js';
import type {
  PlainPipelineOptions,
  ProfileVersion,
  ThreadData,
  ThreadNotice,
  ThreadReply,
  ThreadTask,
} from './messages.js';
import { toSentError } from './sent-error.js';
import { type RecordedWork, recordWork } from './recorded-work.js';

/** The profiles that a thread has loaded. */
export class ThreadProfiles {
  readonly #profiles = new Map<string, ServedProfile>();

  constructor(private readonly options: PlainPipelineOptions) {}

  /** The pipeline of a version; undefined if the files have changed since. */
  async pipeline({ profile, stamps }: ProfileVersion): Promise<ServedPipeline | undefined> {
    const known = this.#profiles.get(profile.name);
    const own = known?.file === profile.file ? known : this.#add(profile);
    if (own.pipeline === undefined || !own.isOf(stamps)) await own.refresh();
    return own.isSelfContained && own.isOf(stamps) ? own.pipeline : undefined;
  }

  #add(profile: ProfileVersion['profile']): ServedProfile {
    // The server's own thread tests versions and reports events.
    const added = new ServedProfile(profile, { pipeline: this.options, tryOut: async () => [], report: () => {} });
    this.#profiles.set(profile.name, added);
    return added;
  }
}

const { pipeline, inline, limits } = workerData as ThreadData;

const profiles = new ThreadProfiles(pipeline);

/** Thrown if this thread cannot answer a request, but the server's thread can. */
class DeclinedError extends Error {}

/** Answers a request; never rejects. */
export async function answerTask({ kind, body, port, isFollowed }: ThreadTask): Promise<ThreadReply> {
  const server = new Server(port);
  const runs: RunCounts[] = [];
  const work: RecordedWork[] = [];
  const call: Call = {
    limits,
    signal: server.signal,
    wantsLines: false,
    takePipeline: async (profile) => {
      if (typeof profile !== 'string') return inlinePipeline(profile, inline ? pipeline : undefined);
      const version = await server.versionOf(profile);
      const taken = version && (await profiles.pipeline(version));
      if (taken) return { name: version.profile.name, pipeline: taken };
      throw new DeclinedError();
    },
    ran: (counts) => void runs.push(counts),
  };
  const answered = async (): Promise<Answer> => RUN_ROUTES[kind].answer(parseBody(body), call);
  try {
    const answer = await (isFollowed ? recordWork(work, answered) : answered());
    return { kind: 'answered', body: encoded(answer), runs, work };
  } catch (error) {
    if (error instanceof DeclinedError) return { kind: 'declined', body };
    return { kind: 'failed', failure: toSentError(error), runs, work };
  } finally {
    port.close();
  }
}

/** A response as bytes. Requests for lines are not sent to threads. */
function encoded(answer: Answer): Uint8Array<ArrayBuffer> {
  if ('lines' in answer) throw new TypeError('lines cannot leave a thread');
  const text = 'text' in answer ? answer.text : JSON.stringify(answer.json);
  return typeof text === 'string' ? new TextEncoder().encode(text) : text;
}

/** The connection to the server's thread. */
class Server {
  readonly #stop = new AbortController();
  #answer: ((version: ProfileVersion | undefined) => void) | undefined;

  constructor(private readonly port: MessagePort) {
    port.on('message', (notice: ThreadNotice) => {
      if (notice.kind === 'abort') this.#stop.abort();
      else this.#answer?.(notice.version);
    });
  }

  /** Aborted when the request has ended in the server's thread. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** The active version of a profile; undefined if threads cannot use it. */
  versionOf(profile: string): Promise<ProfileVersion | undefined> {
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.port.postMessage(profile); // oxlint-disable-line unicorn/require-post-message-target-origin -- of a window
    });
  }
}
