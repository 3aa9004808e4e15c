import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assize } from '../../../../test/cli/run-here.js';
import { temporaryFolder } from '../../../../test/temporary-folder.js';
import { nodeService, pageService } from './service.js';

/** The broken profiles of the core's own tests, whose files are texts. */
function corpus(): readonly (readonly [name: string, files: ReadonlyMap<string, string>])[] {
  const folder = fileURLToPath(new URL('../../../../test/broken/output', import.meta.url));
  const outputs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.txt'));
  return outputs.flatMap((name) => {
    const parts = readFileSync(join(folder, name), 'utf8').split(/^── /m).slice(1);
    const output = parts.pop() ?? '';
    const files = new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]));
    const isText = [...files.values()].every((text) => !/^\((?:\d+ bytes|empty)\)$/m.test(text));
    return output.startsWith('assize check ./p.yaml\n') && isText ? [[name, files] as const] : [];
  });
}

let before = '';
beforeEach(() => {
  before = process.cwd();
  process.chdir(temporaryFolder('lsp-'));
});
afterEach(() => process.chdir(before));

const cases = corpus();

test('the corpus has more than a hundred broken profiles', () => {
  expect(cases.length).toBeGreaterThan(100);
});

test.each(cases)('the diagnostics equal those of assize check: %s', async (_, files) => {
  for (const [name, text] of files) {
    mkdirSync(dirname(join(process.cwd(), name)), { recursive: true });
    writeFileSync(name, text);
  }
  const { out } = await assize(['check', './p.yaml', '--format', 'json']);
  const { problems } = JSON.parse(out) as { readonly problems: readonly Record<string, unknown>[] };
  const file = join(process.cwd(), 'p.yaml');
  const service = nodeService();
  const text = readFileSync('p.yaml', 'utf8');
  if (problems.some(({ message }) => String(message).startsWith('this file is not a profile'))) {
    // `check` quotes no line of such a file, and an editor shows nothing in it.
    expect(await service.isProfile(text.trim() === '' ? 'a: 1' : text, file)).toBe(!text.includes(':'));
    return;
  }
  const found = await service.diagnostics(text, file);
  const shown = found.map(({ severity, problem: { code, message, path, hint, place } }) => ({
    severity,
    code,
    message,
    path,
    hint: hint?.replaceAll(`${file}:`, 'p.yaml:'),
    place: place && { file: place.file === file ? 'p.yaml' : place.file, line: place.line, column: place.column },
  }));
  const expected = problems.map(({ severity, code, message, path, hint, place }) => ({
    severity,
    code,
    message,
    path,
    hint,
    place,
  }));
  const sorted = (list: readonly object[]) => list.map((one) => JSON.stringify(one)).toSorted();
  expect(sorted(shown)).toEqual(sorted(expected));
});

test('each problem underlines the name that it is about, and a typo has a fix', async () => {
  const entries = ["{ id: a, expr: 'candidate.a + nwo', wieght: 3 }", '{ id: b, class: DecayScorr }'];
  const text = `tier2_scorers:\n  - ${entries.join('\n  - ')}\n`;
  const found = await pageService().diagnostics(text, 'p.yaml');
  const parts = found.map(({ start, end, fix }) => [text.slice(start, end), fix?.text]);
  expect(parts).toEqual(
    expect.arrayContaining([
      ['wieght', 'weight'],
      ['nwo', 'now'],
      ['DecayScorr', 'DecayScorer'],
    ]),
  );
  const { fix } = found.find(({ problem }) => problem.code === 'ASZ201') ?? {};
  expect(fix && text.slice(0, fix.start) + fix.text + text.slice(fix.end)).toContain("', weight: 3");
});

test('a problem of an extended file is shown at its name', async () => {
  writeFileSync('base.yaml', 'tier2_scorers: [{ id: a, exprr: 3 }]\n');
  const text = 'name: x\nextends: [./base.yaml]\n';
  const [first] = await nodeService().diagnostics(text, 'p.yaml');
  expect(first && text.slice(first.start, first.end)).toBe('base');
  expect(first?.message).toMatch(/^base\.yaml:1:26: unknown key exprr/);
});
