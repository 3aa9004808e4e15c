import { Console } from 'node:console';
import { type Io, readCandidateFile, untrustedOption, type Verb } from 'assize/verbs';

interface LspOptions {
  readonly untrusted?: boolean;
}

const HELP = `
An editor starts this command and talks to it over standard input and output.
The README of @assize/lsp shows the settings of VS Code, Neovim, Helix and Zed.

A line "# candidates: ./repos.json" in a profile names a sample of candidates,
whose fields are completed in expressions.

Plugins of a profile are code, and are loaded as in "assize check". With
--untrusted, no plugin that is a file or a package is loaded.

Examples:
  assize lsp`;

/** `assize lsp`: a language server for one editor. */
export const lsp: Verb = {
  name: 'lsp',
  summary: 'serve editors with completion, hover and diagnostics for profiles',
  declare(command, io) {
    command
      .description('Serves an editor in the language server protocol, until it ends the connection.')
      .addOption(untrustedOption())
      .option('--stdio', 'use standard input and output, which is the default')
      .addHelpText('after', HELP)
      .action((options: LspOptions) => run(options, io));
  },
};

async function run({ untrusted }: LspOptions, io: Io): Promise<void> {
  const [{ startLanguageServer }, { packageVersion }] = await Promise.all([
    import('../server/language-server.js'),
    import('assize/internal'),
  ]);
  // Standard output belongs to the protocol, and units may print.
  globalThis.console = new Console({ stdout: process.stderr, stderr: process.stderr });
  startLanguageServer({
    version: packageVersion(),
    trust: untrusted ? 'none' : 'full',
    readCandidates: (file) => readCandidateFile(file, { ...io, progress: undefined }, {}),
  });
  await new Promise(() => {}); // the connection ends the process
}
