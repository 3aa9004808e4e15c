import { describe, expect, test } from 'vitest';
import { told } from './broken.js';

describe('what a profile builds on', () => {
  test('a profile that extends itself by a detour', async () => {
    expect(
      await told(
        `extends: [./q.yaml]
`,
        { 'q.yaml': 'extends: [./p.yaml]\n' },
      ),
    ).toMatchInlineSnapshot(`
  "
  q.yaml:1:11 error ASZ206 ./p.yaml extends this profile, which extends it
    1 | extends: [./p.yaml]
      |           ^
    p.yaml → q.yaml → p.yaml
  "
`);
  });

  test('a profile that extends itself', async () => {
    expect(await told('extends: [./p.yaml]\n')).toMatchInlineSnapshot(`
      "
      p.yaml:1:11 error ASZ206 a profile cannot extend itself
        1 | extends: [./p.yaml]
          |           ^
        name what it builds on
      "
    `);
  });

  test('a name in place of a list of names is looked up all the same', async () => {
    const profile = `extends: knowledgepulse
tier2_scorers: [{ id: novelty, weight: 1 }]
`;
    expect(await told(profile)).toMatchInlineSnapshot(`
      "
      p.yaml:1:10 error ASZ202 expected a list, found the string "knowledgepulse"
        1 | extends: knowledgepulse
          |          ^
        write a list: [knowledgepulse]
      "
    `);
  });

  test('a base that is not there', async () => {
    expect(
      await told(`extends: [./none.yaml]
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:1:11 error ASZ101 cannot read none.yaml: there is no such file
    1 | extends: [./none.yaml]
      |           ^
  "
`);
  });

  test('a base with a problem of its own', async () => {
    expect(
      await told(
        `extends: [./q.yaml]
tier2_scorers:
  - { id: b, expr: cand.b }
`,
        { 'q.yaml': 'tier2_scorers:\n  - { id: a, expr: "1 +" }\n' },
      ),
    ).toMatchInlineSnapshot(`
      "
      p.yaml:3:20 error ASZ402 unknown name "cand" in a scorer
        3 |   - { id: b, expr: cand.b }
          |                    ^
        did you mean candidate?
      q.yaml:2:23 error ASZ401 the expression ends where a value is expected
        2 |   - { id: a, expr: "1 +" }
          |                       ^
      2 problems
      "
    `);
  });

  test('a preset with a typo', async () => {
    expect(
      await told(`extends: [knowledgpulse]
`),
    ).toMatchInlineSnapshot(`
      "
      p.yaml:1:11 error ASZ205 there is no preset knowledgpulse
        1 | extends: [knowledgpulse]
          |           ^
        did you mean knowledgepulse? presets: chat, code-review, context, dag-suggest, debugging, document-qa, interview-extended, interview, knowledgepulse, long-running, mixed-dag, next-capability, next-step, next-tool, rag, tool-search, tool-suggest, tool-use; a path has a slash or ends in .yaml
      "
    `);
  });

  test('a phase that there is not', async () => {
    expect(
      await told(`phases: { early: {} }
phase_profiles: { erly: { a: 1 } }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:2:19 error ASZ205 there is no phase erly
    2 | phase_profiles: { erly: { a: 1 } }
      |                   ^
    phases: early
  "
`);
  });

  test('factors by phase without phases', async () => {
    expect(
      await told(`phase_profiles: { early: { a: 1 } }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:1:1 error ASZ205 phase_profiles needs phases
    1 | phase_profiles: { early: { a: 1 } }
      | ^
    declare phases: { early: { n_turns: 4 }, late: {} }
  "
`);
  });

  test('plugins that are not there', async () => {
    expect(
      await told(`plugins: [./no.js, no-such-package]
`),
    ).toMatchInlineSnapshot(`
      "
      p.yaml:1:11 error ASZ304 plugin ./no.js cannot be loaded: Cannot find module no.js'
        1 | plugins: [./no.js, no-such-package]
          |           ^
        it was looked for at no.js
      p.yaml:1:20 error ASZ304 plugin no-such-package is not found
        1 | plugins: [./no.js, no-such-package]
          |                    ^
        it is no pack that ships (agentcards, cupel, interview) and no installed package; a file starts with ./
      2 problems
      "
    `);
  });
});
