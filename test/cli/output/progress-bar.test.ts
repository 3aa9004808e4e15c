import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProgressBar, progressLine } from '../../../src/cli/output/progress-bar.js';

const step = (done: number, total?: number, task = 'embedding') => ({ task, unit: 'texts' as const, done, total });

describe('a progress line', () => {
  it.each([
    [step(494, 1832), 'embedding  ██████▌                  26 %  494 of 1,832 texts'],
    [step(7), 'embedding  7 texts'],
    [step(0), 'embedding'],
    [
      { task: 'reading a.csv', unit: 'bytes' as const, done: 5e6, total: 2e7 },
      /^reading a\.csv .* 25 % {2}5\.0 of 20\.0 MB$/,
    ],
    [{ task: 'querying duckdb', unit: 'percent' as const, done: 26, total: 100 }, /^querying duckdb  [^%]* 26 %$/],
    [{ ...step(1), task: 'reading \u001b[31m' }, 'reading ␛[31m  1 texts'],
  ])('%#', (given, line) => {
    if (typeof line === 'string') expect(progressLine(given)).toBe(line);
    else expect(progressLine(given)).toMatch(line);
  });
});

describe('a progress bar', () => {
  let written = '';
  const bar = () => new ProgressBar({ columns: 80, write: (text) => void (written += text) });
  const wait = async (milliseconds: number): Promise<void> => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(1);
  };

  beforeEach(() => {
    written = '';
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is not shown for short tasks', async () => {
    const shown = bar();
    shown.update(step(1, 3));
    await wait(300);
    shown.update(step(3, 3));
    await wait(5000);
    expect(written).toBe('');
  });

  it('is shown for long tasks, follows them, and is cleared', async () => {
    const shown = bar();
    shown.update(step(1, 4));
    await wait(600);
    expect(written).toContain('25 %  1 of 4 texts');
    shown.update(step(3, 4));
    await wait(600);
    expect(written).toContain('75 %  3 of 4 texts');
    shown.update(step(4, 4));
    expect(written.endsWith('\u001b[2K')).toBe(true); // the line is cleared
    const end = written;
    await wait(5000);
    expect(written).toBe(end);
  });

  it('has no colours, regardless of NO_COLOR', async () => {
    const shown = bar();
    shown.update(step(1, 4));
    await wait(600);
    shown.stop();
    const colours = written.split('\u001b[').filter((after) => /^[\d;]*m/.test(after));
    expect(colours).toEqual([]);
  });

  it('switches to the next task', async () => {
    const shown = bar();
    shown.update(step(1, 4, 'loading'));
    await wait(600);
    shown.update(step(1, 4, 'embedding'));
    await wait(600);
    expect(written.indexOf('embedding')).toBeGreaterThan(written.lastIndexOf('loading'));
    shown.stop();
  });
});
