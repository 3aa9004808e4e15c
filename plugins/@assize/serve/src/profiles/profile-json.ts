/**
 * Profiles and their problems as callers receive them over HTTP and MCP. File names are relative to the served folder, so
 * that callers learn nothing about the machine.
 *
 * @module
 */
import { isAbsolute, relative } from 'node:path';
import type { Problem } from 'assize';
import { problemJson } from 'assize/internal';
import type { ServedPipeline, ServedProfile } from './served-profile.js';
import { type ServedProfiles, shortName } from './served-profiles.js';

/** `GET /v1/profiles`: the profiles that a tenant may use; without a tenant, all. */
export const profilesJson = (profiles: ServedProfiles, tenant?: string): object => ({
  profiles: profiles.list(tenant).map((one) => ({
    name: shortName(one, tenant),
    ...(one.pipeline && {
      description: one.pipeline.description,
      reads: fieldsOf(one.pipeline),
      context: one.pipeline.contextFields,
      packs: one.pipeline.packs,
      entries: one.pipeline.describe(),
      serve: one.pipeline.serve,
    }),
    ...stateJson(one, profiles.folder),
  })),
});

/** Each field of candidates once. A unit that may read any field lists none. */
const fieldsOf = ({ candidateReads }: ServedPipeline): readonly string[] => [
  ...new Set(candidateReads.flatMap(({ field }) => field ?? [])),
];

/** The active version of a profile, and why a newer one is not active. */
export const stateJson = (
  { pipeline, version, since, error, needsRestart }: ServedProfile,
  folder: string,
): object => ({
  answers: pipeline !== undefined,
  version,
  ...(pipeline && { since: new Date(since).toISOString() }),
  ...(needsRestart && { needs_restart: true }),
  ...(error && { problems: error.problems.map((problem) => problemJson(relativeProblem(problem, folder))) }),
});

/** The same problem, with its file name relative to the served folder. */
export const relativeProblem = (problem: Problem, folder: string): Problem =>
  problem.place && isAbsolute(problem.place.file)
    ? { ...problem, place: { ...problem.place, file: relative(folder, problem.place.file) } }
    : problem;
