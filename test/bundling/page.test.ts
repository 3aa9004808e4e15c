import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import * as zod from 'zod';
import * as browser from 'assize/browser';
import * as main from 'assize';
import { comparisonText, type Context, createPipeline, explanationText } from 'assize';
import { z } from 'assize/sdk';
import { packageRoot } from '../../src/base/package-root.js';
import { films } from '../demo/films.js';
import { isBuilt } from '../scale/threads/folder.js';
import { askRanking, type Said } from './ask-ranking.js';
import { byEsbuild, byRolldown, byRollup, byVite, byWebpack } from './bundlers.js';
import { CHROMIUM, inPage } from './chromium.js';
import { pageSize } from './page-size.js';
import { emptyFolder, makeProject } from './project.js';

const demo = join(packageRoot(), 'config', 'demo');
const textOf = (file: string): string => readFileSync(join(demo, file), 'utf8');

/** The most bytes that a page may load before its first pipeline, and in one file. */
const MOST_AT_START = 114_000;
const MOST_IN_ONE_FILE = 430_000;

interface Scene {
  readonly name: string;
  readonly yaml: string;
  readonly candidates: readonly object[];
  readonly context: Context;
}

/** The ranked items of the demo. */
const SCENES: readonly Scene[] = [
  {
    name: 'traces',
    yaml: textOf('traces.yaml'),
    candidates: JSON.parse(textOf('traces.json')) as readonly object[],
    context: {},
  },
  { name: 'films', yaml: textOf('movies.yaml'), candidates: films(), context: { now: '2011-01-01' } },
];

/** Ranks the scenes in a page, and returns the violations of its policy. */
const PROGRAM = `import { comparisonText, createPipeline, explanationText, scorer } from 'assize/browser';
import { askRanking } from ${JSON.stringify(join(packageRoot(), 'dist', 'test', 'bundling', 'ask-ranking.js'))};

const forbidden = [];
document.addEventListener('securitypolicyviolation', ({ blockedURI }) => forbidden.push(blockedURI));

async function rankAll() {
  const scenes = await (await fetch('/data.json')).json();
  const said = [];
  for (const { yaml, name, candidates, context } of scenes)
    said.push(await askRanking(await createPipeline({ yaml, name }), { comparisonText, explanationText }, candidates, context));
  return said;
}

const NOVELTY = 'tier2_scorers: [{ id: new, class: NoveltyScorer, ';
const failure = (error) => error.message;
async function fail() {
  const units = { Stars: scorer((repo) => repo.stars) };
  const given = await createPipeline({ tier2_scorers: [{ id: 'stars', class: 'Stars' }] }, { units });
  return [
    given.rankSync([{ stars: 3 }]).ranked[0].score,
    await createPipeline('./team.yaml').catch(failure),
    await createPipeline({ yaml: 'extends:\\n  - ./team.yaml\\nplugins: [./words.js]', name: 'form' }).catch(failure),
    await createPipeline({ yaml: NOVELTY + 'params: { text: t } }]', name: 'form' }).catch(failure),
    await createPipeline({ yaml: NOVELTY + 'memory: ./seen.bin, params: { text: t, embedder: lexical } }]', name: 'form' }).catch(failure),
    await createPipeline({}, { folder: '.' }).catch(failure),
  ];
}

async function stream() {
  const pipeline = await createPipeline({ tier2_scorers: [{ id: 'n', expr: 'candidate.n' }], select: { top: 2 } });
  async function* numbers() {
    for (let n = 0; n < 5000; n++) yield { n: (n * 7919) % 5000 };
  }
  const { selected, counts } = await pipeline.rankStream(numbers());
  return [...selected.map(({ score }) => score), counts.given];
}

async function evaluates() {
  try {
    return new Function('return true')();
  } catch (error) {
    return error.name;
  }
}

globalThis.answer = (async () => ({ said: await rankAll(), failures: await fail(), streamed: await stream(), forbidden: forbidden.slice(), evaluates: await evaluates() }))();
`;

interface Answer {
  readonly said: readonly Said[];
  readonly failures: readonly unknown[];
  readonly streamed: readonly number[];
  /** The violations of the policy. */
  readonly forbidden: readonly string[];
  readonly evaluates: unknown;
}

test('assize/browser exports the same as the main entry, except files, what opens them, and tracing', () => {
  const absent = Object.keys(main).filter((name) => !Object.hasOwn(browser, name));
  expect(absent.toSorted()).toEqual(['diffProfiles', 'followWork', 'rankFile']);
});

test('z of the SDK has all names of Zod, except namespaces that a page would have to load whole', () => {
  const absent = Object.keys(zod).filter((name) => !Object.hasOwn(z, name));
  expect(absent.toSorted()).toEqual(['core', 'default', 'locales', 'z']);
  expect(Object.keys(z).filter((name) => !Object.hasOwn(zod, name))).toEqual([]);
});

describe.skipIf(!isBuilt)('assize/browser in a bundle', () => {
  const project = emptyFolder();
  beforeAll(() => makeProject(project));

  const ways = [
    ['esbuild', byEsbuild],
    ['rolldown', byRolldown],
    ['Rollup', byRollup],
    ['Vite', byVite],
    ['webpack', byWebpack],
  ] as const;
  test.each(ways)('bundled by %s, has nothing of Node and no stub', async (_, bundle) => {
    const { code, imports, warnings } = await bundle(PROGRAM, { project, platform: 'browser' });
    expect({ imports, warnings }).toEqual({ imports: [], warnings: [] });
    expect(code.match(/['"]node:\w+['"]/g)).toBeNull();
  });

  test('has the size that the guide states, and at most its limits', async () => {
    const guide = readFileSync(join(packageRoot(), 'config/howto/bundle-for-browsers.md'), 'utf8');
    const [, table = ''] = /\n\| loaded, minified and gzipped \| kB \|\n\|[-|]+\|\n((?:\|.*\n)+)/.exec(guide) ?? [];
    const stated = table
      .trimEnd()
      .split('\n')
      .map((row) => Number(row.split('|')[2]));
    const { start, pipeline, yaml, all, oneFile } = await pageSize();
    const sizes = [start, start + pipeline, start + pipeline + yaml, all, oneFile];
    const off = sizes.map((bytes, k) => Math.abs(bytes / 1000 / stated[k]! - 1));
    expect(Math.max(...off)).toBeLessThan(0.1);
    expect(start).toBeLessThan(MOST_AT_START);
    expect(oneFile).toBeLessThan(MOST_IN_ONE_FILE);
  });

  describe.skipIf(CHROMIUM === undefined)(
    `in Chromium${CHROMIUM === undefined ? ', which does not exist: skipped' : ''}, under a policy without unsafe-eval`,
    () => {
      let answer: Answer;
      beforeAll(async () => {
        const { code } = await byEsbuild(PROGRAM, { project, platform: 'browser' });
        answer = await inPage(code, SCENES, (page) => page.evaluate<Answer>('globalThis.answer'));
      });

      test('code generation is forbidden: one attempt of ours and one of Zod detect that', () => {
        expect(answer.evaluates).toBe('EvalError');
        expect(new Set(answer.forbidden)).toEqual(new Set(['eval']));
        expect(answer.forbidden.length).toBeLessThanOrEqual(2);
      });

      test.each(SCENES.map((scene, index) => [scene.name, scene, index] as const))(
        'ranks the %s of the demo as Node does',
        async (_, { yaml, name, candidates, context }, index) => {
          const pipeline = await createPipeline({ yaml, name });
          const here = await askRanking(pipeline, { comparisonText, explanationText }, candidates, context);
          const { ranked, cells, ...there } = answer.said[index]!;
          expect(ranked.map(([id]) => id)).toEqual(here.ranked.map(([id]) => id));
          const furthest = (a: readonly number[], b: readonly number[]): number =>
            Math.max(...a.map((value, k) => (Object.is(value, b[k]) ? 0 : Math.abs(value - (b[k] ?? Number.NaN)))));
          const scores = ({ ranked: rows }: Pick<Said, 'ranked'>): readonly number[] => rows.map(([, score]) => score);
          expect(furthest(scores({ ranked }), scores(here))).toBeLessThanOrEqual(1e-12);
          expect(there).toEqual({
            selected: here.selected,
            refused: here.refused,
            explained: here.explained,
            compared: here.compared,
            reweighed: here.reweighed,
          });
          expect(cells).toHaveLength(here.cells.length);
        },
      );

      test('ranks a stream', () => {
        expect(answer.streamed).toEqual([4999, 4998, 5000]);
      });

      test('reports what is not available in a page', () => {
        expect(answer.failures).toMatchInlineSnapshot(`
          [
            3,
            "error ASZ110 cannot read ./team.yaml: browsers have no files in assize/browser
            fetch its text and pass it: createPipeline({ yaml, name })",
            "form:2:5 error ASZ110 cannot read ./team.yaml: browsers have no files in assize/browser
            2 |   - ./team.yaml
              |     ^
            fetch its text and pass it: createPipeline({ yaml, name })
          form:3:11 error ASZ110 plugin ./words.js is not in assize/browser
            3 | plugins: [./words.js]
              |           ^
            import its units and pass them: createPipeline(profile, { units }); plugins here: agentcards, agents, cupel, interview, rerank
          2 problems",
            "form:1:17 error ASZ110 the params of new are invalid: there is no embedder transformers in assize/browser
            1 | tier2_scorers: [{ id: new, class: NoveltyScorer, params: { text: t } }]
              |                 ^
            use the embedder lexical, or pass this one: createPipeline(profile, { services: [{ token: embedderToken('transformers'), value }] })",
            "form:1:17 error ASZ110 the unit of new cannot be created: there is no memory file ./seen.bin in assize/browser
            1 | tier2_scorers: [{ id: new, class: NoveltyScorer, memory: ./seen.bin, params: { text: t, embedder: lexical } }]
              |                 ^
            remove it; the memory then exists as long as the pipeline",
            "error ASZ533 createPipeline has no option folder
            there are: units, services, container, codegen, trust, progress",
          ]
        `);
      });
    },
  );
});
