/**
 * A language server for profiles: completion, hover, definitions, diagnostics and quick fixes in any editor.
 *
 * @module
 */

export { type LanguageServerOptions, startLanguageServer } from './server/language-server.js';
