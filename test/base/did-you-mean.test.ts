import { expect, it } from 'vitest';
import { closestName } from '../../src/base/did-you-mean.js';

it.each([
  ['toolz', ['tools', 'size'], 'tools'],
  ['tolos', ['tools', 'size'], 'tools'],
  ['TOOLS', ['toolz', 'tools'], 'tools'],
  ['NoveltyScore', ['DiversityScorer', 'NoveltyScorer'], 'NoveltyScorer'],
  ['xyz', ['tools'], undefined],
  ['a', ['b'], undefined],
  ['ab', ['ba'], 'ba'],
  ['', ['ab'], undefined],
  ['tools', [], undefined],
])('for %s of %j suggests %s', (name, known, expected) => {
  expect(closestName(name, known)).toBe(expected);
});
