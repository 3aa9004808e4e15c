import { problemJson } from '../../diagnostics/index.js';
import type { Caller } from '../access/index.js';
import type { ServerParts } from '../http/server-parts.js';
import { type ServedProfile, shortName } from '../profiles/index.js';

/** `GET /v1/profiles`: what the caller may use, and what it is. */
export const profilesJson = ({ profiles }: ServerParts, { tenant }: Caller): object => ({
  profiles: profiles.list(tenant).map((one) => ({
    name: shortName(one, tenant),
    ...(one.pipeline && {
      description: one.pipeline.description,
      entries: one.pipeline.describe(),
      serve: one.pipeline.serve,
    }),
    ...stateJson(one),
  })),
});

/**
 * `GET /readyz`: whether it can answer, and which profiles are not what is in their files.
 *
 * @param details whether the reader may see names and problems; others see numbers
 */
export function readiness({ profiles, isStopping }: ServerParts, details: boolean): { ready: boolean; json: object } {
  const all = profiles.list();
  const answering = all.filter(({ pipeline }) => pipeline !== undefined).length;
  const broken = all.filter(({ error, needsRestart }) => error !== undefined || needsRestart);
  const ready = !isStopping && (answering > 0 || all.length === 0);
  const json = {
    status: isStopping ? 'stopping' : !ready ? 'not ready' : broken.length > 0 ? 'degraded' : 'ready',
    profiles: all.length,
    answering,
    broken: details ? broken.map((one) => ({ name: one.name, ...stateJson(one) })) : broken.length,
  };
  return { ready, json };
}

/** Which version answers, and why a newer one does not. */
const stateJson = ({ pipeline, version, since, error, needsRestart }: ServedProfile): object => ({
  answers: pipeline !== undefined,
  version,
  ...(pipeline && { since: new Date(since).toISOString() }),
  ...(needsRestart && { needsRestart }),
  ...(error && { problems: error.problems.map(problemJson) }),
});
