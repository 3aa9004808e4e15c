import { changesFile } from '../model/changes-file.js';
import type { StudioServer } from '../model/server-api.js';
import { isSelected } from '../model/snapshot.js';
import type { StudioModel } from '../model/studio-model.js';
import { download } from '../parts/files.js';

/** A cell of CSV. A spreadsheet would run a text that starts like a formula. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The ranking as CSV: rank, id, title, score, and whether an item is shown. */
function rankingCsv(model: StudioModel, titleOf: (position: number) => string): string {
  const { ranking, shown } = model;
  const rows = Array.from(shown.order, (position, k) => {
    const { id = '', score = 0 } = ranking.rankedAt(k + 1) ?? {};
    return [k + 1, id, titleOf(position), score, isSelected(shown, position) ? 'yes' : 'no'].map(cell).join(',');
  });
  return ['rank,id,title,score,shown', ...rows, ''].join('\r\n');
}

/** The name of the profile, for files about it. */
const baseName = ({ data }: StudioModel): string => data.title.replace(/^.*[\\/]/, '').replace(/\.ya?ml$/, '');

/** Saves the ranking as a file of the browser, and returns its name. */
export function downloadRanking(model: StudioModel, titleOf: (position: number) => string): string {
  const name = `${baseName(model)}-ranking.csv`;
  download(name, new Blob([rankingCsv(model, titleOf)], { type: 'text/csv' }));
  return name;
}

/** Saves the page with the unsaved changes as one file, which opens without a server, and returns its name. */
export async function downloadPage(model: StudioModel, server: StudioServer): Promise<string> {
  const { settings, asked } = model.exported;
  const name = `${baseName(model)}-studio.html`;
  download(name, await server.exportPage({ settings }, asked));
  return name;
}

/** Saves the unsaved changes as a file that a studio of the profile opens. */
export const downloadChanges = (model: StudioModel): void =>
  download(`${baseName(model)}-changes.json`, changesFile(model));
