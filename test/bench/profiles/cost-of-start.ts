import { createPipeline, type Pipeline, type ProfileInput } from 'assize';
import { parse } from 'yaml';
import { measure, type Subject } from '../measure.js';
import type { Result } from '../result.js';
import type { Effort } from '../section.js';
import { NOW } from './bench-profile.js';
import { scorersProfile } from './scorers.js';

const SCORERS = 20;
const CANDIDATES = 100;
const WORK = `A profile of ${SCORERS} scorers, used once`;

/** What a new pipeline costs, and its first run. */
export async function* costOfStart(effort: Effort): AsyncGenerator<Result> {
  const profile = scorersProfile(SCORERS);
  const { objects, columns } = profile.open(effort.of(CANDIDATES));
  const input = parse(profile.yaml) as ProfileInput;
  const open = (): Promise<Pipeline> => createPipeline(input);
  const firstRun = async (rows: readonly object[]): Promise<unknown> => (await open()).rank(rows, { now: NOW });
  const warm = await open();
  const subjects: readonly Subject[] = [
    { name: 'new pipeline', per: 1, pass: open },
    { name: `new pipeline, ${CANDIDATES} objects`, per: 1, pass: () => firstRun(objects) },
    { name: `new pipeline, ${CANDIDATES} rows of columns`, per: 1, pass: () => firstRun(columns) },
    { name: `same pipeline, ${CANDIDATES} objects`, per: 1, pass: () => warm.rank(objects, { now: NOW }) },
  ];
  const times = await measure(subjects, effort);
  for (const { name } of subjects) yield times.result(WORK, name, 'call');
}
