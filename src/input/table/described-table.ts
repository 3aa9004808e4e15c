import { AssizeError } from '../../diagnostics/index.js';
import { type Table, tableError } from './table.js';

/**
 * Opens a table whose errors say what cannot be read as what.
 *
 * @param format its name in texts
 * @throws AssizeError (ASZ120), as all that is read of it does
 */
export async function describedTable(name: string, format: string, open: () => Promise<Table>): Promise<Table> {
  const described = async <R>(work: () => Promise<R>): Promise<R> => {
    try {
      return await work();
    } catch (error) {
      throw error instanceof AssizeError ? error : tableError(name, format, describeDamage(error));
    }
  };
  const table = await described(open);
  return {
    groups: table.groups,
    async *batches(fields, range) {
      const batches = table.batches(fields, range)[Symbol.asyncIterator]();
      try {
        for (;;) {
          // oxlint-disable-next-line no-await-in-loop -- one after another
          const next = await described(() => batches.next());
          if (next.done) return;
          yield next.value;
        }
      } finally {
        await batches.return?.();
      }
    },
    rows: (positions) => described(() => table.rows(positions)),
    close: () => table.close?.(),
  };
}

/** What a library stumbles over, and does not describe, is damaged. */
const describeDamage = (error: unknown): unknown =>
  error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError
    ? new Error('it is damaged', { cause: error })
    : error;
