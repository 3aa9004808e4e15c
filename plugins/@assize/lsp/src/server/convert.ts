import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  CodeActionKind,
  type CodeAction,
  CompletionItemKind,
  type CompletionItem,
  DiagnosticSeverity,
  type Diagnostic as LspDiagnostic,
  type Hover as LspHover,
  MarkupKind,
  type TextEdit,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Completion, CompletionKind, Diagnostic, Hover, TextChange, TextRange } from '../service/types.js';

/** The name of a document in problems: its path, or its address if it is not a file. */
export function nameOf(uri: string): string {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : uri;
  } catch {
    return uri; // an address of a file on another machine
  }
}

export const uriOf = (file: string): string => (/^[a-z][\w+.-]+:/i.test(file) ? file : pathToFileURL(file).href);

const rangeIn = (document: TextDocument, { start, end }: TextRange) => ({
  start: document.positionAt(start),
  end: document.positionAt(end),
});

const editIn = (document: TextDocument, change: TextChange): TextEdit => ({
  range: rangeIn(document, change),
  newText: change.text,
});

const KINDS: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  key: CompletionItemKind.Property,
  class: CompletionItemKind.Class,
  value: CompletionItemKind.EnumMember,
  id: CompletionItemKind.Reference,
  field: CompletionItemKind.Field,
  variable: CompletionItemKind.Variable,
  function: CompletionItemKind.Function,
  preset: CompletionItemKind.Module,
  plugin: CompletionItemKind.Module,
};

/** Ranks become texts that sort in the same order. */
const DIGITS = 5;

export const completionItem = (document: TextDocument, one: Completion): CompletionItem => ({
  label: one.label,
  kind: KINDS[one.kind],
  sortText: String(one.rank).padStart(DIGITS, '0'),
  filterText: one.label,
  textEdit: editIn(document, one.change),
  ...(one.detail !== undefined && { detail: one.detail }),
  ...(one.documentation !== undefined && {
    documentation: { kind: MarkupKind.Markdown, value: one.documentation },
  }),
  ...(one.others && { additionalTextEdits: one.others.map((change) => editIn(document, change)) }),
});

export const lspDiagnostic = (document: TextDocument, { severity, problem, message, ...range }: Diagnostic) => ({
  range: rangeIn(document, range),
  severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
  code: problem.code,
  source: 'assize',
  message,
});

export const lspHover = (document: TextDocument, { markdown, ...range }: Hover): LspHover => ({
  contents: { kind: MarkupKind.Markdown, value: markdown },
  range: rangeIn(document, range),
});

/** The change that the hint of a problem proposes. */
export function quickFix(document: TextDocument, diagnostic: Diagnostic): CodeAction[] {
  const { fix } = diagnostic;
  if (!fix) return [];
  const shown: LspDiagnostic = lspDiagnostic(document, diagnostic);
  return [
    {
      title: fix.title,
      kind: CodeActionKind.QuickFix,
      isPreferred: true,
      diagnostics: [shown],
      edit: { changes: { [document.uri]: [editIn(document, fix)] } },
    },
  ];
}
