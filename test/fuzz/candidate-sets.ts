import { createPipeline, type Pipeline, type ProfileInput } from 'assize';
import { CALLS, crashOf, PROFILES, revoked, throwing, VALUES } from '../broken/unusual-values.js';
import type { Random } from './random.js';
import { randomCandidate, randomValue } from './values.js';

const pipelines = new Map<string, Promise<Pipeline<object>>>();

/** The pipeline of a profile, created once: state from one set can affect the next. */
function pipelineOf(name: string): Promise<Pipeline<object>> {
  const made = pipelines.get(name) ?? createPipeline<object>(PROFILES[name] as ProfileInput);
  pipelines.set(name, made);
  return made;
}

const IDS = ['a', 'b', 'a', 1, '', '__proto__'];
const NAMES = Object.keys(PROFILES);
const MAKERS = Object.entries(VALUES);
/** The sets that take milliseconds to create are rare. */
const QUICK = MAKERS.filter(([name]) => !name.includes('100,000'));

function fieldValue(random: Random): unknown {
  if (random.chance(0.01)) return random.pick(MAKERS)[1]();
  if (random.chance(0.3)) return random.pick(QUICK)[1]();
  return random.chance(0.3) ? random.pick(['x', 'y', 1, true]) : randomValue(random, 3, true);
}

function oddCandidate(random: Random): object {
  if (random.chance(0.02)) return random.pick([revoked, throwing])();
  const candidate = randomCandidate(random, 2);
  const fields = {
    id: random.pick(IDS),
    s: random.chance(0.7) ? random.next() : fieldValue(random),
    k: fieldValue(random),
    other: fieldValue(random),
  };
  for (const [key, value] of Object.entries(fields)) {
    if (random.chance(0.9)) Object.defineProperty(candidate, key, { value, enumerable: true, configurable: true });
  }
  return candidate;
}

/** Makes every call with a set of candidates with unusual values, and throws if one fails without a code. */
export async function tryCandidateSet(random: Random): Promise<void> {
  const name = random.pick(NAMES);
  const pipeline = await pipelineOf(name);
  const candidates = random.list(12, () => oddCandidate(random));
  for (const [call, work] of Object.entries(CALLS)) {
    const crash = await crashOf(() => work(pipeline, candidates)); // oxlint-disable-line no-await-in-loop -- one after another
    if (crash !== undefined) throw new Error(`${name}, ${call}: ${crash}`);
  }
}
