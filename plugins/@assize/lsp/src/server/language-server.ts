import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import {
  type CodeAction,
  type CodeActionParams,
  CodeActionKind,
  type CompletionItem,
  type Connection,
  createConnection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  type Location,
  ProposedFeatures,
  TextDocuments,
  TextDocumentSyncKind,
  type TextDocumentPositionParams,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { createProfileService, type ProfileService } from '../service/profile-service.js';
import type { Diagnostic } from '../service/types.js';
import { completionItem, lspDiagnostic, lspHover, nameOf, quickFix, uriOf } from './convert.js';
import { nodeOptions } from './node-options.js';

/** The options of a language server. */
export interface LanguageServerOptions {
  readonly version: string;
  /** Reads a file of candidates, whose fields are completed. */
  readonly readCandidates: (file: string) => Promise<readonly unknown[]>;
  /** `none` if the profiles are not trusted: no plugin and no other file is loaded. Default: `full`. */
  readonly trust?: 'full' | 'none';
}

/** The settings of an editor, under `assize` or in the options of `initialize`. */
interface Settings {
  /** The sample of candidates for profiles that name none, relative to the folder that is open. */
  readonly candidates?: unknown;
}

/** A check starts when the user stops typing for this time. */
const DELAY_MS = 150;

/** Serves one editor on standard input and output, until it ends the connection and with it the process. */
export function startLanguageServer(options: LanguageServerOptions): void {
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  new LanguageServer(connection, options).listen();
}

class LanguageServer {
  readonly #documents = new TextDocuments(TextDocument);
  readonly #service: ProfileService;
  /** The diagnostics that the editor shows, by document. */
  readonly #shown = new Map<string, { readonly version: number; readonly found: readonly Diagnostic[] }>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #settings: Settings = {};
  #folder = process.cwd();
  #capabilities: InitializeParams['capabilities'] = {};

  constructor(
    private readonly connection: Connection,
    private readonly options: LanguageServerOptions,
  ) {
    const { readCandidates, trust = 'full' } = options;
    this.#service = createProfileService(
      nodeOptions({
        trust,
        readCandidates,
        openText: (file) => this.#documents.get(uriOf(file))?.getText(),
        sample: () => this.#sampleFile(),
      }),
    );
  }

  listen(): void {
    const { connection } = this;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(() => this.#initialized());
    connection.onCompletion((params) => this.#complete(params));
    connection.onHover((params) => this.#hover(params));
    connection.onDefinition((params) => this.#definition(params));
    connection.onCodeAction((params) => this.#actions(params));
    connection.onDidChangeConfiguration(() => this.#configure());
    connection.onDidChangeWatchedFiles(() => this.#refresh());
    this.#documents.onDidChangeContent(({ document }) => this.#checkSoon(document.uri));
    this.#documents.onDidSave(() => this.#refresh());
    this.#documents.onDidClose(({ document: { uri } }) => this.#close(uri));
    this.#documents.listen(connection);
    connection.listen();
  }

  #initialize({ capabilities, workspaceFolders, initializationOptions }: InitializeParams): InitializeResult {
    this.#capabilities = capabilities;
    const [first] = workspaceFolders ?? [];
    if (first) this.#folder = nameOf(first.uri);
    this.#settings = settingsIn(initializationOptions);
    return {
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        completionProvider: { triggerCharacters: ['.', ' ', "'", '"', '[', '{', ','] },
        hoverProvider: true,
        definitionProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
      },
      serverInfo: { name: 'assize', version: this.options.version },
    };
  }

  async #initialized(): Promise<void> {
    const { workspace } = this.#capabilities;
    const { client } = this.connection;
    if (workspace?.didChangeConfiguration?.dynamicRegistration)
      await client.register(DidChangeConfigurationNotification.type, { section: 'assize' });
    if (workspace?.didChangeWatchedFiles?.dynamicRegistration) {
      const watchers = [{ globPattern: '**/*.{yaml,yml,js,ts,mjs}' }];
      await client.register(DidChangeWatchedFilesNotification.type, { watchers });
    }
    await this.#configure();
  }

  /** Reads the settings of the editor, which may have none. */
  async #configure(): Promise<void> {
    if (!this.#capabilities.workspace?.configuration) return;
    const found: unknown = await this.connection.workspace.getConfiguration('assize');
    this.#settings = { ...this.#settings, ...settingsIn(found) };
    this.#refresh();
  }

  #sampleFile(): string | undefined {
    const { candidates } = this.#settings;
    if (typeof candidates !== 'string' || candidates === '') return undefined;
    return isAbsolute(candidates) ? candidates : resolve(this.#folder, candidates);
  }

  /** Reads other files again, and checks every document that is open. */
  #refresh(): void {
    this.#service.refresh();
    for (const { uri } of this.#documents.all()) this.#checkSoon(uri);
  }

  #close(uri: string): void {
    clearTimeout(this.#timers.get(uri));
    this.#timers.delete(uri);
    this.#shown.delete(uri);
    void this.connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  #checkSoon(uri: string): void {
    clearTimeout(this.#timers.get(uri));
    const check = (): void => {
      this.#check(uri).catch((error: unknown) => this.connection.console.error(String(error)));
    };
    this.#timers.set(uri, setTimeout(check, DELAY_MS));
  }

  async #check(uri: string): Promise<void> {
    const document = this.#documents.get(uri);
    if (!document) return;
    const { version } = document;
    const [text, name] = [document.getText(), nameOf(uri)];
    const isWritten = text.trim() !== '' && (await this.#service.isProfile(text, name));
    const found = isWritten ? await this.#service.diagnostics(text, name) : [];
    if (this.#documents.get(uri)?.version !== version) return; // a later check reports the new text
    this.#shown.set(uri, { version, found });
    const diagnostics = found.map((one) => lspDiagnostic(document, one));
    await this.connection.sendDiagnostics({ uri, version, diagnostics });
  }

  /** The profile that a request is about; undefined if its document is another YAML file. */
  async #profile({ textDocument: { uri }, position }: TextDocumentPositionParams) {
    const document = this.#documents.get(uri);
    if (!document) return undefined;
    const [text, name] = [document.getText(), nameOf(uri)];
    if (!(await this.#service.isProfile(text, name))) return undefined;
    return { document, text, name, offset: document.offsetAt(position) };
  }

  async #complete(params: TextDocumentPositionParams): Promise<CompletionItem[]> {
    const profile = await this.#profile(params);
    if (!profile) return [];
    const { document, text, name, offset } = profile;
    return (await this.#service.complete(text, offset, name)).map((one) => completionItem(document, one));
  }

  async #hover(params: TextDocumentPositionParams) {
    const profile = await this.#profile(params);
    const found = profile && (await this.#service.hover(profile.text, profile.offset, profile.name));
    return found ? lspHover(profile.document, found) : undefined;
  }

  async #definition(params: TextDocumentPositionParams): Promise<Location | undefined> {
    const profile = await this.#profile(params);
    const found = profile && (await this.#service.definition(profile.text, profile.offset, profile.name));
    if (!found || (found.file !== profile.name && !existsSync(found.file))) return undefined;
    const start = { line: found.line - 1, character: found.column - 1 };
    return {
      uri: found.file === profile.name ? params.textDocument.uri : uriOf(found.file),
      range: { start, end: start },
    };
  }

  #actions({ textDocument: { uri }, range }: CodeActionParams): CodeAction[] {
    const [document, shown] = [this.#documents.get(uri), this.#shown.get(uri)];
    if (!document || shown?.version !== document.version) return [];
    const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
    const inside = shown.found.filter((one) => one.start <= end && one.end >= start);
    return inside.flatMap((one) => quickFix(document, one));
  }
}

const settingsIn = (value: unknown): Settings => (typeof value === 'object' && value !== null ? value : {});
