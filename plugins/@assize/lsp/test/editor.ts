import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The built command line. */
export const MAIN = fileURLToPath(new URL('../../../../dist/bundle/cli.js', import.meta.url));

/** A message of the protocol. */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** An editor that has started `assize lsp`, and keeps what was sent and received. */
export class Editor {
  /** The lines of the session: `→` was sent, `←` was received. */
  readonly transcript: string[] = [];
  readonly exited: Promise<number | null>;
  readonly #server: ChildProcess;
  readonly #waiting = new Map<number, (message: Message) => void>();
  readonly #expected: { readonly method: string; readonly resolve: (message: Message) => void }[] = [];
  readonly #early: Message[] = [];
  #received = Buffer.alloc(0);
  #id = 0;

  constructor(folder: string) {
    this.#server = spawn(process.execPath, [MAIN, 'lsp', '--stdio'], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.exited = new Promise((resolve) => this.#server.on('exit', resolve));
    this.#server.stdout?.on('data', (part: Buffer) => this.#receive(part));
  }

  notify(method: string, params: unknown = {}): void {
    this.#send({ method, params });
  }

  /** Sends a request. Returns its result. */
  async request(
    method: string,
    params: unknown,
    shown: (result: unknown) => unknown = (result) => result,
  ): Promise<unknown> {
    const id = ++this.#id;
    const answer = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.#send({ id, method, params });
    const { result, error } = await answer;
    this.transcript.push(`← ${method} ${JSON.stringify(error ?? shown(result ?? null))}`);
    return result;
  }

  /** The params of the next notification of this kind. */
  async next(method: string): Promise<unknown> {
    const index = this.#early.findIndex((one) => one.method === method);
    const [early] = index < 0 ? [] : this.#early.splice(index, 1);
    const { params } = early ?? (await new Promise<Message>((resolve) => this.#expected.push({ method, resolve })));
    this.transcript.push(`← ${method} ${JSON.stringify(params)}`);
    return params;
  }

  #send(message: Message): void {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    this.transcript.push(`→ ${message.method} ${JSON.stringify(message.params)}`);
    this.#server.stdin?.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
  }

  #receive(part: Buffer): void {
    this.#received = Buffer.concat([this.#received, part]);
    for (;;) {
      const head = this.#received.indexOf('\r\n\r\n');
      const [, length] = /Content-Length: (\d+)/.exec(this.#received.subarray(0, Math.max(0, head)).toString()) ?? [];
      const end = head + 4 + Number(length);
      if (head < 0 || length === undefined || this.#received.length < end) return;
      const message = JSON.parse(this.#received.subarray(head + 4, end).toString()) as Message;
      this.#received = this.#received.subarray(end);
      this.#dispatch(message);
    }
  }

  #dispatch(message: Message): void {
    if (message.method === undefined) return this.#waiting.get(message.id ?? -1)?.(message);
    const index = this.#expected.findIndex(({ method }) => method === message.method);
    const [expected] = index < 0 ? [] : this.#expected.splice(index, 1);
    if (expected) expected.resolve(message);
    else this.#early.push(message);
  }
}
