import type { CallMessage, ReplyMessage } from '../protocol.js';
import { PlaygroundEngine } from './playground-engine.js';

const engine = new PlaygroundEngine();

/** Calls run one after another, so that an explanation is of the ranking that the page shows. */
let last: Promise<void> = Promise.resolve();

addEventListener('message', ({ data }: MessageEvent<CallMessage>) => {
  last = last.then(async () => {
    const method = engine[data.method] as (...args: readonly unknown[]) => Promise<unknown>;
    let reply: ReplyMessage;
    try {
      reply = { call: data.call, result: await method.apply(engine, [...data.args]) };
    } catch (error) {
      reply = { call: data.call, error: error instanceof Error ? error.message : String(error) };
    }
    postMessage(reply);
  });
});
