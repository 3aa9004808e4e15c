import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { TrackedFiles } from '../../src/pipeline/tracked-files.js';
import { temporaryFolder } from '../temporary-folder.js';

function folderOf(files: Readonly<Record<string, string>>): (name: string) => string {
  const folder = temporaryFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return (name) => join(folder, name);
}

test('records the files of a profile, and reports which have changed since they were read', async () => {
  const path = folderOf({
    'base.yaml': 'tier2_scorers: [{ id: a, expr: candidate.s }]',
    'own.yaml': 'extends: [./base.yaml]',
  });
  const files = new TrackedFiles([path('own.yaml')]);
  const { outcome, changing } = await files.read(() => files.createPipeline(path('own.yaml'), {}));
  expect([outcome.status, changing]).toEqual(['fulfilled', []]);
  expect(files.paths.toSorted()).toEqual([path('base.yaml'), path('own.yaml')]);
  expect(files.areRunsShared).toBe(false);
  expect(await files.changed()).toEqual([]);
  writeFileSync(path('base.yaml'), 'tier2_scorers: [{ id: a, expr: candidate.t }, { id: b, expr: candidate.s }]');
  expect(await files.changed()).toEqual([path('base.yaml')]);
});

test('repeats work during which a file changes, and names the files that keep changing', async () => {
  const path = folderOf({ 'own.yaml': '1' });
  const files = new TrackedFiles([path('own.yaml')]);
  const texts: number[] = [];
  const changingOnce = await files.read(async () => {
    texts.push(texts.length);
    if (texts.length === 1) writeFileSync(path('own.yaml'), '12');
    return texts.length;
  });
  expect(changingOnce).toEqual({ outcome: { status: 'fulfilled', value: 2 }, changing: [] });
  const always = await files.read(async () => {
    texts.push(texts.length);
    writeFileSync(path('own.yaml'), 'x'.repeat(texts.length));
  });
  expect(always.changing).toEqual([path('own.yaml')]);
});
