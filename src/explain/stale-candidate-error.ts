/** Asked again, something says another thing than it said in the run. */
export class StaleCandidateError extends Error {}
