import type { StudioModel } from '../model/studio-model.js';
import { isSelected } from '../model/snapshot.js';

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

/** Saves the ranking as a file of the browser. */
export function downloadRanking(model: StudioModel, titleOf: (position: number) => string): void {
  const address = URL.createObjectURL(new Blob([rankingCsv(model, titleOf)], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${model.data.title.replace(/^.*[\\/]/, '').replace(/\.ya?ml$/, '')}-ranking.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
