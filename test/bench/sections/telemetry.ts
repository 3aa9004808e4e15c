import { createPipeline, type ProfileInput } from 'assize';
import { createPipeline as createInPage } from 'assize/browser';
import { followWork, instrument } from '@assize/serve/telemetry';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { measure, type Subject } from '../measure.js';
import { random } from '../random.js';
import type { Goal } from '../result.js';
import type { Section } from '../section.js';

/** A run without subscribers takes no longer than one that cannot be traced. */
const AS_WITHOUT: Goal = { atMost: 1.05 };

/** The number of runs per pass: tracing starts and stops once per pass. */
const RUNS = 200;

const PROFILE: ProfileInput = {
  tier1_scorers: [{ id: 'archived', expr: 'candidate.archived' }],
  tier2_scorers: [
    { id: 'popular', expr: 'min(candidate.stars / 1000, 1)', weight: 3 },
    { id: 'short', expr: '1 - candidate.length / 100' },
  ],
  select: { top: 10 },
};

const next = random(7);
const candidatesOf = (size: number) =>
  Array.from({ length: size }, () => ({ archived: next() < 0.1, stars: next() * 2000, length: next() * 100 }));

export const telemetry: Section = {
  name: 'telemetry',
  title: 'Traced runs',
  about: `A veto and two scorers, all compiled, by \`rankSync\`: without channels (\`assize/browser\`), with channels that have no
subscriber, with a function that receives the durations, and with spans of OpenTelemetry.`,
  packages: ['@opentelemetry/sdk-trace-base'],
  async *run(effort) {
    const without = await createInPage(PROFILE);
    const off = await createPipeline(PROFILE);
    const runs = effort.of(RUNS);
    for (const size of [1, 100, 1000]) {
      const candidates = candidatesOf(size);
      const rank = (pipeline: typeof off) => {
        let scores = 0;
        for (let k = 0; k < runs; k++) scores += pipeline.rankSync(candidates).matrix.totals.length;
        return scores;
      };
      const followed = () => {
        let took = 0;
        const end = (_: unknown, milliseconds: number): void => void (took += milliseconds);
        const stops = [followWork('run', { end }), followWork('stage', { end })];
        const result = rank(off);
        for (const stop of stops) stop();
        if (took <= 0) throw new Error('nothing was followed');
        return result;
      };
      const traced = async () => {
        const exporter = new InMemorySpanExporter();
        const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
        const stop = await instrument({ tracerProvider });
        const result = rank(off);
        stop();
        const spans = exporter.getFinishedSpans().length;
        if (spans !== 3 * runs) throw new Error(`${spans} spans of ${runs} runs`);
        return result;
      };
      const subjects: readonly Subject[] = [
        { name: 'without channels', per: runs, pass: () => rank(without) },
        { name: 'no subscriber', per: runs, pass: () => rank(off) },
        { name: 'a function', per: runs, pass: followed },
        { name: 'OpenTelemetry', per: runs, pass: traced },
      ];
      const results = new Set<number>();
      // oxlint-disable-next-line no-await-in-loop -- one after another
      for (const { pass } of subjects) results.add((await pass()) as number);
      if (results.size !== 1) throw new Error('a followed run has another result');
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const times = await measure(subjects, effort);
      const work = size === 1 ? '1 candidate' : `${size} candidates`;
      yield times.result(work, 'without channels', 'run');
      yield { ...times.result(work, 'no subscriber', 'run', 'without channels'), goal: AS_WITHOUT };
      yield times.result(work, 'a function', 'run', 'no subscriber');
      yield times.result(work, 'OpenTelemetry', 'run', 'no subscriber');
    }
  },
};
