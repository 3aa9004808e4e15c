import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AssizeError, createPipeline, diffProfiles, type PipelineOptions, type ProfileText } from 'assize';
import { temporaryFolder } from '../../temporary-folder.js';

const folder = temporaryFolder();
writeFileSync(join(folder, 'team.yaml'), 'tier2_scorers: [{ id: stars, expr: candidate.stars, weight: 2 }]\n');

const repos = [
  { id: 'compass', stars: 3 },
  { id: 'atlas', stars: 7 },
];

const problemsOf = async (profile: ProfileText, options: PipelineOptions = {}): Promise<string> => {
  const error: unknown = await createPipeline(profile, options).then(
    () => 'none',
    (thrown: unknown) => thrown,
  );
  if (error instanceof AssizeError) return error.message;
  throw error;
};

describe('a profile as text', () => {
  test('ranks like the same profile in a file', async () => {
    const yaml = '# kept in a database\ntier2_scorers:\n  - { id: stars, expr: candidate.stars }\n';
    const pipeline = await createPipeline({ yaml, name: 'tenants/7.yaml' });
    expect(pipeline.name).toBe('7');
    expect(pipeline.rankSync(repos).ranked.map(({ id, score }) => [id, score])).toEqual([
      ['atlas', 7],
      ['compass', 3],
    ]);
  });

  test('has its own name, or `profile`', async () => {
    expect((await createPipeline({ yaml: 'name: own', name: 'given' })).name).toBe('own');
    expect((await createPipeline({ yaml: '' })).name).toBe('profile');
  });

  test('may be JSON, which is YAML, under any name', async () => {
    const json = JSON.stringify({ tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] });
    expect((await createPipeline({ yaml: json })).describe().scorers).toEqual(['stars']);
    expect((await createPipeline({ yaml: 'name: a', name: 'tenants/7.json' })).name).toBe('a');
  });

  test('reports all its problems at once by name, line and column', async () => {
    const yaml = `tier2_scorers:
  - { id: stars, expr: candidate.stars + }
  - { id: age, clas: DecayScorer }
`;
    expect(await problemsOf({ yaml, name: 'tenant 7' })).toMatchInlineSnapshot(`
      "tenant 7:2:40 error ASZ401 the expression ends where a value is expected
        2 |   - { id: stars, expr: candidate.stars + }
          |                                        ^
      tenant 7:3:16 error ASZ201 unknown key clas
        3 |   - { id: age, clas: DecayScorer }
          |                ^
        did you mean class?
      2 problems"
    `);
  });

  test('reports the place of invalid YAML', async () => {
    expect(await problemsOf({ yaml: 'tier2_scorers: [', name: 'form' })).toMatchInlineSnapshot(`
      "form:1:16 error ASZ102 the list that starts here is not closed, expected ]
        1 | tier2_scorers: [
          |                ^
        indent its lines and the ] more than its key"
    `);
  });

  test('extends presets, and files from the given folder', async () => {
    const yaml = 'extends: [./team.yaml]\nselect: { top: 1 }\n';
    // Its name is not used as a path: it may be any string.
    const pipeline = await createPipeline({ yaml, name: 'elsewhere/7.yaml' }, { folder });
    expect(pipeline.rankSync(repos).selected.map(({ id }) => id)).toEqual(['atlas']);
    expect((await createPipeline({ yaml: 'extends: [knowledgepulse]' })).describe().scorers).toContain('novelty');
    expect(await problemsOf({ yaml: 'extends:\n  - ./there-is-none.yaml', name: 'text' }, { folder })).toContain(
      'text:2:5 error ASZ101 cannot read',
    );
  });

  test('keeps a memory in a file of the given folder', async () => {
    const novelty = 'class: NoveltyScorer, memory: ./seen.bin, params: { text: t, embedder: lexical }';
    const yaml = `tier2_scorers: [{ id: new, ${novelty} }]`;
    const pipeline = await createPipeline({ yaml, name: 'elsewhere/7.yaml' }, { folder });
    await pipeline.rank([{ t: 'a' }]);
    expect(existsSync(join(folder, 'seen.bin'))).toBe(true);
  });

  test('can be compared with a file', async () => {
    const diff = await diffProfiles(
      { yaml: 'tier2_scorers: [{ id: stars, expr: candidate.stars }]' },
      { yaml: 'tier2_scorers: [{ id: stars, expr: -candidate.stars }]' },
      repos,
    );
    expect(diff.moves).toHaveLength(2);
  });

  test('rejects other types', async () => {
    const wrong = { yaml: 7, name: [], tier2_scorers: [] } as unknown as ProfileText;
    expect(await problemsOf(wrong)).toMatchInlineSnapshot(`
      "error ASZ533 the yaml of the profile is the number 7; expected a text
      error ASZ533 the name of the profile is a list; expected a text
      error ASZ533 unknown key tier2_scorers of a profile given as text
        keys: yaml, name; keys of the profile belong in its text
      3 problems"
    `);
  });
});
