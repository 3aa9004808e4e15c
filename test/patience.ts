/**
 * How long a test waits for what it asserts, in milliseconds. It waits no longer than that takes, so that only what never comes costs this time; and no
 * machine is so slow, or stands still for so long, that it is not enough.
 */
export const PATIENCE_MS = 240_000;
