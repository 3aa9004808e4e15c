import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assize, inFolder } from '../../../../../test/cli/run-here.js';
import { seededRandom } from '../../src/significance/distributions.js';

const random = seededRandom(12);
const films = Array.from({ length: 40 }, (_, k) => ({ id: `f${k}`, good: random(), noise: random() }));
const pairs = Array.from({ length: 120 }, (_, k) => {
  const a = films[Math.floor(random() * 40)]!;
  const b = films[(films.indexOf(a) + 1 + Math.floor(random() * 39)) % 40]!;
  const right = random() < 0.9;
  const winner = a.good > b.good === right ? 'a' : 'b';
  return { a: a.id, b: b.id, winner: k % 20 === 0 ? 'same' : winner, person: `p${k % 12}` };
});

inFolder({
  'films.jsonl': films.map((one) => JSON.stringify(one)).join('\n'),
  'pairs.jsonl': pairs.map((one) => JSON.stringify(one)).join('\n'),
  'pairs.csv': [
    'a,b,winner',
    ...pairs.map(({ a, b, winner }) => `${a},${b},${winner === 'a' ? a : winner === 'b' ? b : 'tie'}`),
  ].join('\n'),
  'wrong.jsonl': '{"a":"f1","b":"f2","winner":"f3"}\n{"a":"f1"}\n',
  'unknown.jsonl': '{"a":"f1","b":"gone","winner":"a"}\n',
  'good.yaml': 'tier2_scorers: [{ id: good, expr: candidate.good }]\n',
  'noise.yaml': 'tier2_scorers: [{ id: noise, expr: candidate.noise }]\n',
  'both.yaml': 'tier2_scorers: [{ id: good, expr: candidate.good }, { id: noise, expr: candidate.noise, weight: 3 }]\n',
});

describe('pairwise judgements from a file', () => {
  it('are measured by agreement, with an interval over people', async () => {
    const { code, out } = await assize([
      'evaluate',
      'noise.yaml',
      'good.yaml',
      '--pairs',
      'pairs.jsonl',
      'films.jsonl',
      '-f',
      'json',
    ]);
    expect(code).toBe(0);
    const report = JSON.parse(out) as {
      data: Record<string, number>;
      measures: string[];
      profiles: { values: { mean: number; interval: [number, number] }[] }[];
      differences: { verdict: string }[];
    };
    expect(report).toMatchObject({ measures: ['Agreement'], data: { queries: 114, groups: 12 } });
    const decided = pairs.filter(({ winner }) => winner !== 'same');
    const good = new Map(films.map((one) => [one.id, one.good]));
    const right = decided.filter(
      ({ a, b, winner }) => (good.get(a) ?? 0) > (good.get(b) ?? 0) === (winner === 'a'),
    ).length;
    const [, value] = report.profiles.map(({ values }) => values[0]!);
    expect(value!.mean).toBeCloseTo(right / decided.length, 12);
    expect(value!.interval[0]).toBeLessThan(value!.mean);
    expect(value!.interval[1]).toBeGreaterThan(value!.mean);
    expect(report.differences[0]!.verdict).toBe('better');
  });

  it('can be CSV, with the id of the winner', async () => {
    const [json, csv] = [
      await assize(['evaluate', 'good.yaml', '--pairs', 'pairs.jsonl', 'films.jsonl', '-f', 'json']),
      await assize(['evaluate', 'good.yaml', '--pairs', 'pairs.csv', 'films.jsonl', '-f', 'json']),
    ];
    const mean = ({ out }: typeof json) =>
      (JSON.parse(out) as { profiles: { values: { mean: number }[] }[] }).profiles[0]!.values[0]!.mean;
    expect(mean(csv)).toBe(mean(json));
  });

  it('tune weights', async () => {
    const { code, out } = await assize(['tune', 'both.yaml', '--pairs', 'pairs.jsonl', 'films.jsonl', '-f', 'json']);
    expect(code).toBe(0);
    const { measure, scorers } = JSON.parse(out) as { measure: string; scorers: { id: string; weight: number }[] };
    expect(measure).toBe('Agreement');
    expect(scorers[0]!.weight).toBeGreaterThan(2);
  });

  it('are rejected with the place of each invalid one', async () => {
    const { code, err } = await assize(['evaluate', 'good.yaml', '--pairs', 'wrong.jsonl', 'films.jsonl']);
    expect(code).toBe(1);
    expect(err).toContain(
      'wrong.jsonl:1:1 error ASZ103 the winner is the string "f3"; expected a, b, same, or one of the two ids',
    );
    const unknown = await assize(['evaluate', 'good.yaml', '--pairs', 'unknown.jsonl', 'films.jsonl']);
    expect(unknown.err).toContain('unknown.jsonl:1:1 error ASZ103 no candidate has the id gone');
    const both = await assize(['evaluate', 'good.yaml', '--pairs', 'pairs.jsonl', '--label', 'good', 'films.jsonl']);
    expect(both.err).toContain('ASZ533 pairs are judgements, and label is also given');
  });

  it('are written by assize ask, read again, and measured', async () => {
    const first = await assize(['ask', 'both.yaml', 'films.jsonl', '--answers', 'mine.jsonl', '--person', 'me'], {
      stdin: 'a\nb\nq\n',
    });
    expect(first.code).toBe(3);
    const lines = readFileSync('mine.jsonl', 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { winner: 'a', person: 'me' },
      { winner: 'b', person: 'me' },
    ]);
    const second = await assize(['ask', 'both.yaml', 'films.jsonl', '--answers', 'mine.jsonl', '-f', 'json'], {
      stdin: 'a\nq\n',
    });
    expect((JSON.parse(second.out) as { answers: object[] }).answers).toHaveLength(3);
    expect(readFileSync('mine.jsonl', 'utf8').trim().split('\n')).toHaveLength(3);
    expect(existsSync('mine.jsonl')).toBe(true);
    const { code } = await assize(['evaluate', 'good.yaml', '--pairs', 'mine.jsonl', 'films.jsonl']);
    expect(code).toBe(0);
  });
});
