import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';

export const INK = '#1f2328';
export const MUTED = '#59636e';
const PAPER = '#ffffff';

/** A chart of Plot as a file. It may be shown on a dark page, so it has its own background. */
export function onPaper(options: Plot.PlotOptions, title: string): string {
  const { document } = parseHTML('<html></html>');
  const style = { color: INK, fontFamily: 'system-ui, sans-serif', fontSize: '12px' };
  const svg = Plot.plot({ marginTop: 76, marginBottom: 44, ...options, document, style });
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const made = (name: string, attributes: Readonly<Record<string, string>>) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const paper = made('rect', { width: '100%', height: '100%', fill: PAPER, rx: '8' });
  const heading = made('text', { x: '20', y: '32', fill: INK, 'font-size': '16', 'font-weight': '600' });
  heading.setAttribute('text-anchor', 'start');
  heading.textContent = title;
  svg.querySelector('style')?.after(paper, heading);
  return `${svg.outerHTML}\n`;
}
