import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A film of the data set, with further fields for ranking. */
export interface Film {
  readonly id: string;
  /** An ISO date. */
  readonly released: string;
  readonly [field: string]: unknown;
}

interface Row {
  readonly Title: string | number | null;
  /** Such as `Jun 12 1998`. */
  readonly 'Release Date': string;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** The data set is from 2010, and announces two films for 2011. */
const LAST_YEAR = 2011;

/** The films of the npm package vega-datasets: 3,201 real ones, with missing fields. */
export function films(): readonly Film[] {
  const entry = createRequire(import.meta.url).resolve('vega-datasets');
  const file = join(dirname(entry), '..', 'data', 'movies.json');
  const rows = JSON.parse(readFileSync(file, 'utf8')) as readonly Row[];
  const seen = new Map<string, number>();
  for (const { Title: title } of rows) seen.set(String(title), (seen.get(String(title)) ?? 0) + 1);
  return rows.map((row) => {
    const title = String(row.Title ?? 'Untitled'); // some titles are numbers: 300, 1408
    const released = isoDate(row['Release Date']);
    const isUnique = seen.get(title) === 1;
    return { ...row, id: isUnique ? title : `${title} (${released.slice(0, 4)})`, released };
  });
}

/** `Jun 12 1998` → `1998-06-12`. Years had two digits once, so Ben-Hur's 25 became 2025. */
function isoDate(text: string): string {
  const [month = '', day = '', year = ''] = text.split(' ');
  const full = Number(year) > LAST_YEAR ? Number(year) - 100 : Number(year);
  return `${full}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`;
}
