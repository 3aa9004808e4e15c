import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NotSavedError } from '../../src/save/save-file.js';
import { StudioSession } from '../../src/server/studio-session.js';
import { newFolder } from '../../../../../test/scale/threads/folder.js';

const folder = newFolder();
const YAML = `tier2_scorers:
  - { id: stars, expr: candidate.stars, weight: 2 }
  - { id: size, expr: candidate.size, weight: 1 }
`;
const candidates = [
  { stars: 1, size: 9 },
  { stars: 2, size: 0 },
];
const weigh = (id: string, value: number) => [{ path: ['tier2_scorers', { id }, 'weight'], value }];
const { signal } = new AbortController();

async function open(profile: string) {
  const session = await StudioSession.open({ profile, candidates, context: {} });
  const version = async () => (await session.data()).file!.version;
  const ofAll = async () => (await session.data()).filesVersion!;
  const first = async () => (await session.ranking(0)).ranked[0]?.index;
  return { session, version, ofAll, first };
}

describe('the files of an open profile', () => {
  test('an extended profile: is watched, used, and never overwritten unseen', async () => {
    const base = folder.write('base.yaml', YAML);
    const child = folder.write('child.yaml', 'extends: [./base.yaml] # mine\n');
    const { session, version, ofAll, first } = await open(child);
    const seen = await version();
    expect(await first()).toBe(0);
    const heard = session.changed(await ofAll(), signal);
    writeFileSync(base, YAML.replace('weight: 2', 'weight: 99'));
    await expect(session.save(weigh('size', 3), seen)).rejects.toThrow(
      'child.yaml, or a profile that it extends, has changed on disk: reload and save again',
    );
    const { version: now } = await heard;
    expect(now).not.toBe(seen);
    expect(await first()).toBe(1);
    expect(await session.save(weigh('size', 3), now)).not.toHaveProperty('problem');
    expect(readFileSync(child, 'utf8')).toBe(
      'extends: [./base.yaml] # mine\ntier2_scorers: [{ id: size, weight: 3 }]\n',
    );
  });

  test('a link: its target is watched', async () => {
    mkdirSync(join(folder.path, 'real'));
    const real = folder.write('real/profile.yaml', YAML);
    const link = join(folder.path, 'link.yaml');
    symlinkSync(real, link);
    const { session, ofAll, first } = await open(link);
    const heard = session.changed(await ofAll(), signal);
    writeFileSync(real, YAML.replace('weight: 2', 'weight: 99'));
    await heard;
    expect(await first()).toBe(1);
  });

  test('a folder that disappears and returns, and an empty file: reports it, and keeps the ranking', async () => {
    mkdirSync(join(folder.path, 'moving'));
    const file = folder.write('moving/profile.yaml', YAML);
    const { session, version, ofAll, first } = await open(file);
    const away = join(folder.path, 'away');
    renameSync(join(folder.path, 'moving'), away);
    const gone = await session.changed(await ofAll(), signal);
    expect(gone.problem).toMatch(/profile\.yaml/);
    const back = session.changed(gone.filesVersion, signal);
    renameSync(away, join(folder.path, 'moving'));
    expect(await back).toEqual({ version: await version(), filesVersion: await ofAll() });
    writeFileSync(file, '\n');
    expect((await session.changed(await ofAll(), signal)).problem).toBe('profile.yaml is empty');
    expect(await first()).toBe(0);
    rmSync(file);
    await expect(session.diff(weigh('size', 3))).rejects.toThrow('profile.yaml does not exist, or cannot be read');
  });

  test('of two concurrent saves, writes one and rejects the other', async () => {
    const file = folder.write('twice.yaml', YAML);
    const { session, version } = await open(file);
    const seen = await version();
    const saved = await Promise.allSettled([
      session.save(weigh('stars', 5), seen),
      session.save(weigh('size', 7), seen),
    ]);
    expect(saved).toEqual([
      expect.objectContaining({ status: 'fulfilled' }),
      expect.objectContaining({ status: 'rejected', reason: expect.any(NotSavedError) as unknown }),
    ]);
    expect(readFileSync(file, 'utf8')).toBe(YAML.replace('weight: 2', 'weight: 5'));
  });
});
