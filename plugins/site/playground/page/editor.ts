import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, hoverTooltip } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import type { EngineClient } from '../client.js';
import type { CandidateFormat, ShownProblem } from '../protocol.js';

/** Longer texts are shown without colours. */
const LONGEST_COLOURED = 2_000_000;

/** An editor of one text. */
export interface TextEditor {
  readonly text: string;
  /** Replaces the text where it differs, so that the cursor and undo stay. */
  replace(text: string): void;
  setFormat(format: CandidateFormat): void;
  showProblems(problems: readonly ShownProblem[]): void;
  /** Moves the cursor to an offset, and the focus to the editor. */
  goTo(offset: number): void;
  destroy(): void;
}

export interface EditorOptions {
  readonly label: string;
  /** Called when the text changes, also by `replace`. */
  readonly changed: () => void;
  /** Completes and explains the text as a profile. */
  readonly engine?: EngineClient;
}

/** Opens an editor. Tab leaves it; Escape closes its lists. */
export function openEditor(parent: HTMLElement, text: string, { label, changed, engine }: EditorOptions): TextEditor {
  const language = new Compartment();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        basicSetup,
        syntaxHighlighting(classHighlighter),
        language.of(engine ? yaml() : json()),
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged) changed();
        }),
        engine ? profileExtensions(engine) : [],
      ],
    }),
  });
  return {
    get text() {
      return view.state.doc.toString();
    },
    replace(next) {
      const change = difference(view.state.doc.toString(), next);
      if (change) view.dispatch({ changes: change });
    },
    setFormat(format) {
      const isColoured = format !== 'csv' && view.state.doc.length <= LONGEST_COLOURED;
      view.dispatch({ effects: language.reconfigure(isColoured ? json() : []) });
    },
    showProblems(problems) {
      view.dispatch(
        setDiagnostics(
          view.state,
          problems.flatMap((one) => diagnosticOf(one, view.state.doc.length)),
        ),
      );
    },
    goTo(offset) {
      const anchor = Math.min(offset, view.state.doc.length);
      view.dispatch({ selection: { anchor }, scrollIntoView: true });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

function diagnosticOf({ range, severity, code, message }: ShownProblem, length: number): readonly Diagnostic[] {
  if (!range) return [];
  const to = Math.min(range.end, length);
  return [{ from: Math.min(range.start, to), to, severity, message: `${code} ${message}` }];
}

/** The smallest change from one text to another. */
function difference(from: string, to: string): { from: number; to: number; insert: string } | undefined {
  if (from === to) return undefined;
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start += 1;
  let same = 0;
  while (same < shorter - start && from[from.length - 1 - same] === to[to.length - 1 - same]) same += 1;
  return { from: start, to: from.length - same, insert: to.slice(start, to.length - same) };
}

const profileExtensions = (engine: EngineClient): Extension => [
  lintGutter(),
  autocompletion({ override: [(context) => complete(engine, context)] }),
  hoverTooltip(async (view, offset) => {
    const found = await engine.call('hover', view.state.doc.toString(), offset).catch(() => undefined);
    if (!found) return null;
    return {
      pos: found.start,
      end: found.end,
      create: () => {
        const dom = document.createElement('div');
        dom.className = 'hover-text';
        dom.textContent = found.markdown.replaceAll(/[*`]/g, '');
        return { dom };
      },
    };
  }),
];

const TYPES: Readonly<Record<string, string>> = {
  key: 'property',
  class: 'class',
  field: 'property',
  function: 'function',
  variable: 'variable',
  value: 'constant',
};

async function complete(engine: EngineClient, context: CompletionContext): Promise<CompletionResult | null> {
  const text = context.state.doc.toString();
  const before = text.slice(Math.max(0, context.pos - 1), context.pos);
  if (!context.explicit && !/[\w.:/ ]/.test(before)) return null;
  const found = await engine.call('complete', text, context.pos).catch(() => []);
  const [first] = found;
  if (!first || context.aborted) return null;
  const from = Math.min(...found.map(({ change }) => change.start));
  return {
    from,
    options: found
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ label, kind, detail, documentation, change, others = [] }, index) => ({
        label,
        type: TYPES[kind] ?? 'text',
        boost: -Math.min(index, 99),
        ...(detail !== undefined && { detail }),
        ...(documentation !== undefined && { info: documentation }),
        apply: (view: EditorView) => {
          const to = Math.max(change.end, view.state.selection.main.head);
          view.dispatch({
            changes: [
              { from: change.start, to, insert: change.text },
              ...others.map((one) => ({ from: one.start, to: one.end, insert: one.text })),
            ],
            selection: {
              anchor:
                change.start +
                change.text.length +
                others.reduce(
                  (sum, one) => (one.start <= change.start ? sum + one.text.length - (one.end - one.start) : sum),
                  0,
                ),
            },
          });
        },
      })),
    validFor: /^\w*$/,
  };
}
