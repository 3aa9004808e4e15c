import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.js';
import { Editor, MAIN } from './editor.js';

const PROFILE = `# candidates: ./repos.json
tier2_scorers:
  - { id: stars, expr: 'candidate.stars / 1000', wieght: 3 }
  - id: fresh
    class: DecayScorer
    params: { field: pushed_at, curve: { type: window, max_age: 30d } }
`;

/** Completions as the transcript shows them: the first ones, and how many there are. */
function brief(result: unknown): unknown {
  if (!Array.isArray(result)) return result;
  const shown = (result as readonly { label?: string; textEdit?: { newText?: string } }[]).slice(0, 3);
  return [...shown.map(({ label, textEdit }) => [label, textEdit?.newText]), `${result.length} in all`];
}

/** As built. `npx vitest -u` writes the recorded session. */
describe.skipIf(!existsSync(MAIN))('a session in the protocol', () => {
  test('equals the recorded one', async () => {
    const folder = temporaryFolder('lsp-');
    writeFileSync(join(folder, 'repos.json'), '[{ "id": "a", "stars": 12, "topic": "yaml" }]');
    const uri = pathToFileURL(join(folder, 'p.yaml')).href;
    const at = (line: number, character: number) => ({ textDocument: { uri }, position: { line, character } });
    const editor = new Editor(folder);
    const capabilities = { textDocument: { publishDiagnostics: { versionSupport: true } } };
    await editor.request('initialize', { processId: null, rootUri: null, capabilities }, (result) => ({
      ...(result as object),
      serverInfo: 'assize',
    }));
    editor.notify('initialized');
    editor.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text: PROFILE } });
    await editor.next('textDocument/publishDiagnostics');
    await editor.request('textDocument/codeAction', {
      textDocument: { uri },
      range: { start: at(2, 48).position, end: at(2, 50).position },
      context: { diagnostics: [] },
    });
    await editor.request('textDocument/completion', at(2, 34), brief);
    await editor.request('textDocument/completion', at(4, 13), brief);
    await editor.request('textDocument/hover', at(4, 13));
    await editor.request('textDocument/hover', at(2, 36));
    const range = { start: at(2, 49).position, end: at(2, 55).position };
    editor.notify('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ range, text: 'weight' }],
    });
    await editor.next('textDocument/publishDiagnostics');
    editor.notify('textDocument/didChange', {
      textDocument: { uri, version: 3 },
      contentChanges: [
        { range: { start: at(6, 0).position, end: at(6, 0).position }, text: 'rerank: { top: 5, ask: [' },
      ],
    });
    await editor.request('textDocument/completion', at(6, 24), brief);
    await editor.request('textDocument/definition', at(99, 0));
    await editor.next('textDocument/publishDiagnostics');
    editor.notify('textDocument/didClose', { textDocument: { uri } });
    await editor.next('textDocument/publishDiagnostics');
    await editor.request('shutdown', undefined);
    editor.notify('exit');
    expect(await editor.exited).toBe(0);
    const text = editor.transcript
      .join('\n')
      .replaceAll(pathToFileURL(folder).href, 'file:///here')
      .replaceAll(folder, '/here');
    await expect(`${text}\n`).toMatchFileSnapshot('./session.txt');
  });

  test('ends with the editor, and shows nothing in YAML that is not a profile', async () => {
    const folder = temporaryFolder('lsp-');
    const uri = pathToFileURL(join(folder, 'compose.yaml')).href;
    const editor = new Editor(folder);
    await editor.request('initialize', { processId: null, rootUri: null, capabilities: {} });
    editor.notify('initialized');
    const text = 'services:\n  web: { image: nginx }\n';
    editor.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
    expect(await editor.next('textDocument/publishDiagnostics')).toMatchObject({ diagnostics: [] });
    const position = { line: 1, character: 2 };
    expect(await editor.request('textDocument/completion', { textDocument: { uri }, position })).toEqual([]);
    editor.notify('exit');
    expect(await editor.exited).toBe(1); // without shutdown, as the protocol specifies
  });
});
