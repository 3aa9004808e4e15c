import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../../../src/base/package-root.js';
import { judge } from '../src/measures/measures.js';
import { MEASURES, measureRun, parseMeasure, readQrels, readRun } from '@assize/evaluate';
import { measureLike, readPrinted } from './trec-eval.js';

const FIXTURES = join(packageRoot(), 'test', 'fixtures', 'trec-eval');
const read = (file: string) => readFileSync(join(FIXTURES, file), 'utf8');
const qrels = readQrels(read('qrels.test'), 'qrels.test');

describe.each([
  ['every query that was ranked', 'results.test', 'out.test.aq', false],
  ['every query that was judged', 'results.trunc', 'out.test.aqc', true],
])('trec_eval on its own test, for %s', (_name, results, printed, allJudged) => {
  const run = readRun(read(results), results);
  const values = readPrinted(read(printed)).flatMap((one) => {
    const measure = measureLike(one.name);
    return measure ? [{ ...one, measure }] : [];
  });
  const asked = [...new Map(values.map(({ measure }) => [measure.name, measure])).values()];
  const measured = measureRun(run, qrels, asked, allJudged);

  test('has the printed values', () => {
    expect(values.length).toBeGreaterThan(150);
    for (const { name, query, value, measure } of values) {
      const at = measured.queries.indexOf(query);
      const ours = query === 'all' ? measured.means[measure.name] : measured.values[measure.name]![at];
      expect(`${name} ${query} ${ours?.toFixed(4)}`).toBe(`${name} ${query} ${value}`);
    }
  });
});

test('a gain of 2^g − 1 separates high grades', () => {
  // ir_measures' test of gdeval: 0.6201 for this list.
  const grades = new Map([
    ['D0', 0],
    ['D1', 1],
    ['D2', 1],
    ['D3', 2],
    ['D4', 0],
  ]);
  const ranking = judge(['D0', 'D1', 'D2', 'D3', 'D4'], grades);
  const dcg = 1 / Math.log2(3) + 1 / Math.log2(4) + 3 / Math.log2(5);
  const best = 3 + 1 / Math.log2(3) + 1 / Math.log2(4);
  expect(parseMeasure('nDCGexp@20').of(ranking)).toBeCloseTo(dcg / best, 12);
  expect(parseMeasure('nDCG@20').of(ranking)).toBeCloseTo((dcg - 1 / Math.log2(5)) / (best - 1), 12);
});

const grade = fc.integer({ min: -1, max: 4 });
const rankings = fc.record({
  ranked: fc.array(fc.option(grade, { nil: undefined }), { maxLength: 12 }),
  missed: fc.array(grade, { maxLength: 6 }),
});

test.each(Object.keys(MEASURES))('%s is between 0 and 1, at any cut', (name) => {
  fc.assert(
    fc.property(rankings, fc.option(fc.integer({ min: 1, max: 15 }), { nil: undefined }), ({ ranked, missed }, cut) => {
      const judgements = [...ranked.filter((one) => one !== undefined), ...missed];
      const value = parseMeasure(cut === undefined ? name : `${name}@${cut}`).of({ grades: ranked, judgements });
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1 + 1e-9);
    }),
  );
});

test.each(Object.keys(MEASURES))('%s is never lower for the best order', (name) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 10 }), (grades) => {
      const { of } = parseMeasure(`${name}@5`);
      const best = of({ grades: grades.toSorted((a, b) => b - a), judgements: grades });
      expect(best).toBeGreaterThanOrEqual(of({ grades, judgements: grades }) - 1e-9);
    }),
  );
});

test('the options of a measure are part of its name if they are not the default', () => {
  const names = ['RBP', 'rbp(p=0.8)@10', 'RBP( p = 0.95 )@10', 'err(max_rel=3)', 'Judged@10'];
  expect(names.map((name) => parseMeasure(name).name)).toEqual([
    'RBP',
    'RBP@10',
    'RBP(p=0.95)@10',
    'ERR(max_rel=3)',
    'Judged@10',
  ]);
});

test('a reader of the highest grade stops', () => {
  const of = (name: string, grades: readonly number[]) => parseMeasure(name).of({ grades, judgements: grades });
  expect(of('ERR', [4, 4])).toBeCloseTo(15 / 16 + (1 / 16) * (15 / 16) * (1 / 2), 12);
  expect(of('ERR(max_rel=1)', [0, 1])).toBeCloseTo(1 / 4, 12);
  expect(of('ERR', [9])).toBe(15 / 16); // higher grades count as the highest
});

test.each([
  ['ncdg@10', 'there is no measure ncdg', 'nDCG'],
  ['P@0', 'the cut of P@0 is 0; expected a whole number of at least 1', 'P@10'],
  ['P@ten', 'the cut of P@ten is ten', 'P@10'],
  ['RBP(p=1)', 'the option p of RBP is 1; expected a number above 0 and below 1', 'RBP(p=0.8)'],
  ['RBP(p=)', 'the option p of RBP is ; expected a number', 'RBP(p=0.8)'],
  ['RBP(q=1)', 'RBP has no option q', 'RBP(p=0.8)'],
  ['ERR(max_rel=0.5)@5', 'the option max_rel of ERR is 0.5', 'ERR(max_rel=4)'],
  ['AP(rel=2)', 'AP has no option rel', 'AP@10'],
  ['RBP()', 'RBP has no option', 'RBP(p=0.8)'],
  ['P@1@2', 'the cut of P@1@2 is 1@2', 'P@10'],
])('%s is not a measure', (text, message, hint) => {
  expect(() => parseMeasure(text)).toThrow(message);
  expect(() => parseMeasure(text)).toThrow(hint);
});

test('recognises a file of another kind by its first lines', () => {
  const wrong = Array.from({ length: 50 }, () => 'q1 0 d1').join('\n');
  expect(() => readQrels(wrong, 'my.qrels')).toThrow(/my\.qrels:1:1 error ASZ103 expected four columns/);
  expect(() => readQrels('1 0 a 1\n1 0 a 2\n', 'twice.qrels')).toThrow(
    'twice.qrels:2:1 error ASZ103 a is judged twice for query 1',
  );
  expect(() => readRun('1 Q0 a 1 high tag\n', 'my.run')).toThrow('the score is high; expected a number');
});
