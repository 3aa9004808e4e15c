import { PGlite } from '@electric-sql/pglite';
import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { PostgresClient } from 'assize/sql';
import { hasPostgres, startPostgres } from './postgres.js';

/**
 * PGlite, and a server of PostgreSQL if this machine has one, by name. They start before the tests of a file, and end
 * after them.
 */
export function postgresDatabases(): ReadonlyMap<string, PostgresClient> {
  const databases = new Map<string, PostgresClient>();
  const ends: (() => unknown)[] = [];
  beforeAll(async () => {
    const pglite = await PGlite.create();
    ends.push(() => pglite.close());
    databases.set('PGlite', pglite);
    if (!hasPostgres()) return;
    const server = await startPostgres();
    ends.unshift(() => server.stop());
    const client = new Client({ connectionString: server.url });
    await client.connect();
    ends.unshift(() => client.end());
    databases.set('PostgreSQL', client);
  });
  afterAll(async () => {
    for (const end of ends) await end(); // oxlint-disable-line no-await-in-loop -- the client before its server
  });
  return databases;
}
