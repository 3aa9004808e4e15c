import type { DuckDBConnection } from '@duckdb/node-api';
import { toError } from '../../diagnostics/index.js';
import type { Column } from '../dialects/dialect.js';
import { duckdb } from '../dialects/duckdb.js';
import { fail } from '../problems.js';
import { readTable, type Relation } from '../rows/relation.js';
import { cellsOf, decodeCells } from '../rows/table-rows.js';

const POSITION = '(row_number() OVER () - 1)';
const NUMBER_IN_FILE = 'file_row_number';

/** Lines of JSON: each field a document of its own, so that `"12"` is no number. DuckDB fails on a key that is there twice. */
export function linesRelation(files: string): Relation {
  return {
    column: (name) => ({ name, type: 'JSON', kind: 'json' }),
    read: (columns) => {
      const names = columns.size === 0 ? ['id'] : [...columns.keys()];
      const types = names.map((name) => `${duckdb.text(name)}: 'JSON'`).join(', ');
      const rows = `read_json(${files}, format = 'newline_delimited', records = true, columns = {${types}})`;
      return readTable(duckdb, rows, POSITION, columns);
    },
    positions: undefined,
    cells: `SELECT ${POSITION} AS k, CAST(json AS VARCHAR) AS cells FROM read_json_objects(${files}, format = 'newline_delimited')`,
    decode: (line) => {
      const value: unknown = JSON.parse(line);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
      throw new SyntaxError('a line is no object');
    },
  };
}

/** Columns of Parquet, each of one type. */
export async function parquetRelation(connection: DuckDBConnection, files: string, isOne: boolean): Promise<Relation> {
  const read = (options: string): string => `read_parquet(${files}, hive_partitioning = false${options})`;
  const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${read('')}`).catch((error: unknown) => {
    return fail('ASZ567', `DuckDB cannot read the files: ${toError(error).message}`);
  });
  await checkNames(connection, files);
  const columns = described.getRowObjects().map((row): Column => {
    const type = String(row['column_type']);
    return { name: String(row['column_name']), type, kind: duckdb.kindOf(type) };
  });
  // By its number in the one file, DuckDB finds a row without reading the others, and counts none.
  const isNumbered = isOne && !columns.some(({ name }) => name.toLowerCase() === NUMBER_IN_FILE);
  const rows = read(isNumbered ? `, ${NUMBER_IN_FILE} = true` : '');
  const position = isNumbered ? NUMBER_IN_FILE : POSITION;
  return {
    column: (name) => columns.find((column) => column.name === name),
    read: (wanted) => readTable(duckdb, rows, position, wanted),
    positions: undefined,
    cells: `SELECT ${position} AS k, ${cellsOf(duckdb, columns)} AS cells FROM ${rows}`,
    decode: (cells) => decodeCells(columns, cells),
  };
}

/**
 * Names that differ by case alone are one name to DuckDB, in a file and from file to file: it would read one column as
 * another.
 */
async function checkNames(connection: DuckDBConnection, files: string): Promise<void> {
  const names = `SELECT DISTINCT split_part(path_in_schema, ', ', 1) AS name FROM parquet_metadata(${files})`;
  const same = `SELECT string_agg(name, ' and ' ORDER BY name) AS names FROM (${names}) GROUP BY lower(name) HAVING count(*) > 1`;
  const [first] = (await connection.runAndReadAll(same)).getRowObjects();
  if (!first) return;
  const message = `DuckDB does not tell the columns ${String(first['names'])} apart`;
  fail('ASZ567', message, 'rank without this engine, or rename one of them');
}
