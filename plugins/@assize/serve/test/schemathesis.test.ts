import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { openServer } from './open-server.js';
import { profileFolder } from './profile-folder.js';

/**
 * The command of Schemathesis, `bin/schemathesis` of a Python environment. It is not a dependency. A run takes a minute;
 * ASSIZE_TEST_EXAMPLES sets the number of generated requests per operation.
 */
const schemathesis = process.env['ASSIZE_TEST_SCHEMATHESIS'];
if (schemathesis !== undefined && !existsSync(schemathesis)) throw new Error(`${schemathesis} does not exist`);
const examples = process.env['ASSIZE_TEST_EXAMPLES'] ?? '50';

const folder = profileFolder({
  'shop.yaml': `context: { country: { type: string, required: true } }
tier1_scorers: [{ id: not_sold_here, expr: '!(context.country in candidate.countries)' }]
tier2_scorers:
  - { id: rating, expr: candidate.rating / 5, weight: 2 }
  - { id: price, expr: '1 - min(candidate.price / 100, 1)' }
`,
  'team.yaml': `description: Which repository to show first.
tier1_scorers: [{ id: archived, expr: candidate.archived }]
tier2_scorers:
  - { id: stars, expr: candidate.stars / 1000, weight: 3 }
  - { id: fresh, expr: 1 - candidate.age / 100 }
`,
  'help.yaml': `serve: { text: body, query: search, relevance: max }
tier1_scorers: [{ id: retired, expr: candidate.?retired.orValue(false) }]
tier2_scorers:
  - { id: words, class: BM25Scorer, weight: 3, params: { fields: body, query: search } }
  - { id: short, expr: '1 - min(size(candidate.body) / 200, 1)' }
`,
  'diverse.yaml': `tier2_scorers: [{ id: early, expr: 1 / size(candidate.content) }]
select: { top: 3, diversify: { class: MmrSelector, params: { fields: kind } } }
`,
  'reranked.yaml': `tier2_scorers: [{ id: cheap, expr: 1 / size(candidate.content) }, { id: late, expr: '1' }]
rerank: { top: 2, ask: [late] }
`,
  'knowledge.yaml': 'extends: [knowledgepulse]\n',
  'context.yaml': `plugins: [cupel]
candidate: { pinned: candidate.?pinned.orValue(false) }
tier2_scorers: [{ id: recency, class: RecencyScorer }]
select:
  duplicates: candidate.content
  pack: { cost: candidate.?tokens.orValue(10), class: GreedyPack, budget: 50 }
  place: { class: Chronological }
`,
});

describe.skipIf(schemathesis === undefined)('Schemathesis (needs ASSIZE_TEST_SCHEMATHESIS)', () => {
  test('finds no failure in any phase, and each route succeeds', async () => {
    const server = await openServer(folder);
    const config = join(import.meta.dirname, 'schemathesis', 'schemathesis.toml');
    const hooks = join(import.meta.dirname, 'schemathesis', 'hooks.py');
    const args = ['--config-file', config, 'run', `${server.url}/openapi.json`, '--checks', 'all', '-n', examples];
    const { stdout } = await promisify(execFile)(schemathesis ?? '', [...args, '--seed', '1'], {
      maxBuffer: 2 ** 28,
      cwd: folder.path,
      env: { ...process.env, SCHEMATHESIS_HOOKS: hooks, PYTHONDONTWRITEBYTECODE: '1' },
    }).catch((error: { readonly stdout: string }) => error);
    expect(stdout).toContain('✅ Stateful');
    expect(stdout).toMatch(/ (\d+) generated, \1 passed\n/);
    const metrics = await (await server.get('/metrics')).text();
    for (const route of ['rank', 'score', 'pack', 'explain', 'compare', 'rerank', 'profiles']) {
      expect.soft(metrics).toContain(`assize_http_requests_total{route="/v1/${route}",status="200"}`);
    }
  });
});
