import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, OpenTelemetry } from './open-telemetry.js';

/**
 * OpenTelemetry's active context as a store of Node, so that a tracing channel can enter it: what is begun inside a piece
 * of work, an HTTP request by another instrumentation for example, then has that work's span for its parent.
 */
export class ActiveContext extends AsyncLocalStorage<Context> {
  constructor(private readonly api: Pick<OpenTelemetry, 'context'>) {
    super();
  }

  override getStore(): Context {
    return this.api.context.active();
  }

  override run<R>(store: Context, callback: () => R): R;
  override run<R, Args extends unknown[]>(store: Context, callback: (...args: Args) => R, ...args: Args): R;
  override run<R, Args extends unknown[]>(store: Context, callback: (...args: Args) => R, ...args: Args): R {
    return this.api.context.with(store, () => callback(...args));
  }
}
