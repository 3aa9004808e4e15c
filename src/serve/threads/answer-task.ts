/**
 * The code of a thread: it answers a request by the same routes, with pipelines of its own.
 *
 * @module
 */
import { type MessagePort, workerData } from 'node:worker_threads';
import { parseBody } from '../http/body.js';
import { type Answer, type Call, inlinePipeline, type RunCounts } from '../routes/call.js';
import { RUN_ROUTES } from '../routes/run-routes.js';
import { toFailedRequest } from './failed-request.js';
import type { ProfileVersion, ThreadData, ThreadNotice, ThreadReply, ThreadTask } from './messages.js';
import { type RecordedWork, recordWork } from './recorded-work.js';
import { ThreadProfiles } from './thread-profiles.js';

const { pipeline, inline, limits } = workerData as ThreadData;

const profiles = new ThreadProfiles(pipeline);

/** Thrown where this thread cannot answer a request, and another can. */
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
    return { kind: 'failed', failure: toFailedRequest(error), runs, work };
  } finally {
    port.close();
  }
}

/** An answer as bytes. Nobody has asked for lines here. */
function encoded(answer: Answer): Uint8Array<ArrayBuffer> {
  if ('lines' in answer) throw new TypeError('lines cannot leave a thread');
  const text = 'text' in answer ? answer.text : JSON.stringify(answer.json);
  return typeof text === 'string' ? new TextEncoder().encode(text) : text;
}

/** What the thread of the server says. */
class Server {
  readonly #stop = new AbortController();
  #answer: ((version: ProfileVersion | undefined) => void) | undefined;

  constructor(private readonly port: MessagePort) {
    port.on('message', (notice: ThreadNotice) => {
      if (notice.kind === 'abort') this.#stop.abort();
      else this.#answer?.(notice.version);
    });
  }

  /** Aborted when the request has ended there. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** The version that answers for a profile now; undefined where a thread cannot answer by it. */
  versionOf(profile: string): Promise<ProfileVersion | undefined> {
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.port.postMessage(profile); // oxlint-disable-line unicorn/require-post-message-target-origin -- of a window
    });
  }
}
