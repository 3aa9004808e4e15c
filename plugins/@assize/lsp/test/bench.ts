/**
 * Measures completion in a profile of 200 entries: `node dist/plugins/@assize/lsp/test/bench.js`, after a build. Each
 * request has a text of its own, so that nothing is known from the one before.
 */
import { createPipeline } from 'assize';
import { createProfileService } from '@assize/lsp/service';

const ENTRIES = 200;
const REQUESTS = 100;

const entries = Array.from({ length: ENTRIES }, (_, n) =>
  n % 2 === 0
    ? `  - { id: s${n}, expr: 'clamp(candidate.f${n} / ${n + 1}, 0, 1)', weight: ${(n % 5) + 1} }`
    : `  - id: s${n}\n    class: DecayScorer\n    params: { field: t${n}, curve: { type: exponential, half_life: ${n}d } }`,
);
const profile = `name: bench\ntier2_scorers:\n${entries.join('\n')}\n`;

/** Texts that are being written after the last entry, by what is completed. */
const WRITTEN: Readonly<Record<string, string>> = {
  'a key': '  - id: a\n    ',
  'a class': '  - id: a\n    class: De',
  'a param': '  - id: a\n    class: DecayScorer\n    params: { ',
  'a name in an expression': "  - id: a\n    expr: 'cla",
  'a field': "  - id: a\n    expr: 'candidate.",
  'an id': 'rerank: { top: 9, ask: [',
};

const service = createProfileService({ check: (one) => createPipeline(one) });

const quantile = (sorted: readonly number[], part: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN).toFixed(1);

for (const [name, written] of Object.entries(WRITTEN)) {
  const [times, cpu]: [number[], number[]] = [[], []];
  let found = 0;
  for (let request = -10; request < REQUESTS; request += 1) {
    const text = `# ${request}\n${profile}${written}`;
    const [start, used] = [performance.now(), process.cpuUsage()];
    found = (await service.complete(text, text.length, 'bench.yaml')).length;
    const { user, system } = process.cpuUsage(used);
    if (request < 0) continue; // the first ones compile the code
    times.push(performance.now() - start);
    cpu.push((user + system) / 1000);
  }
  const [clock, processor] = [times, cpu].map((list) => list.toSorted((a, b) => a - b)) as [number[], number[]];
  process.stdout.write(
    `${name}: ${found} completions, p50 ${quantile(clock, 0.5)} ms, p95 ${quantile(clock, 0.95)} ms; CPU p50 ${quantile(processor, 0.5)} ms, p95 ${quantile(processor, 0.95)} ms\n`,
  );
}
