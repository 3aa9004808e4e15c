import { isModuleNotFound, toAssizeError } from '../../../diagnostics/index.js';
import { describedTable } from '../described-table.js';
import type { RandomAccess, Table } from '../table.js';

/** A file begins and ends with it; a stream begins with the other. */
const MAGIC = 'ARROW1';
const CONTINUATION = 0xffffffff;

/** Reads Arrow IPC, a file or a stream: all of its bytes. */
export async function openArrow(bytes: RandomAccess, name: string): Promise<Table> {
  const { ArrowTable } = await loadArrow(name);
  return describedTable(name, 'Arrow', async () => {
    const data = new Uint8Array(await bytes.slice(0));
    checkMagic(data);
    return new ArrowTable(data);
  });
}

async function loadArrow(name: string): Promise<typeof import('./arrow-table.js')> {
  try {
    return await import('./arrow-table.js');
  } catch (error) {
    if (!(error instanceof Error && isModuleNotFound(error))) throw error;
    const message = `${name} is Arrow, and to read it needs a package that is not installed: npm install apache-arrow`;
    throw toAssizeError([{ code: 'ASZ121', message }], { cause: error });
  }
}

function checkMagic(data: Uint8Array): void {
  const text = (from: number, to: number): string => Buffer.from(data.subarray(from, to)).toString('latin1');
  if (data.length >= 8 && new DataView(data.buffer, data.byteOffset).getUint32(0, true) === CONTINUATION) return;
  if (text(0, MAGIC.length) !== MAGIC) throw new Error(`it does not begin with ${MAGIC}`);
  if (text(data.length - MAGIC.length, data.length) !== MAGIC) throw new Error('it is cut off');
}
