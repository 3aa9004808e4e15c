/**
 * How long a test waits for an assertion, in milliseconds. A test that passes waits only as long as needed; the limit
 * exceeds the pauses of slow machines.
 */
export const PATIENCE_MS = 120_000;
