import type { Measured } from '../measured.js';
import type { Result } from '../result.js';
import { enginesChart } from './engines-chart.js';
import { growthChart } from './growth-chart.js';
import type { Chart } from './points.js';

/** The charts of the measurements. */
export function charts(measured: readonly Measured[]): readonly Chart[] {
  const of = (name: string): readonly Result[] => measured.find(({ section }) => section.name === name)?.results ?? [];
  return [
    enginesChart(of('engines')),
    growthChart(of('growth'), {
      file: 'growth.svg',
      title: 'The same profile, by the number of candidates: time a run',
      alt: 'Time a run from 1,000 to 1,000,000 candidates: two parallel lines',
      sizes: 'candidates',
      times: (size) => size,
    }),
    growthChart(
      of('vectors').filter(({ per }) => per === 'query'),
      {
        file: 'vectors.svg',
        title: 'The most similar of so many vectors of 384 numbers: time a query',
        alt: 'Time a query from 1,000 to 100,000 vectors',
        sizes: 'vectors',
        times: () => 1,
      },
    ),
  ];
}
