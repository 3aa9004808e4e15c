import { generateLoop, loopOrPlain } from './generate-loop.js';
import { groupLoops, makeScoreLoop, type ScoreInput, TILE } from './score-loop.js';
import {
  bindColumnsText,
  bindText,
  candidateText,
  finishText,
  groupsOf,
  type ScoreShape,
  scoreText,
  unresolvedText,
} from './score-loop-text.js';
import { bindVetoes, makeVetoLoop, type VetoInput, vetoText } from './veto-loop.js';

/**
 * Vetoes and scores the candidates `from` to `to`, whose rows start at `row`; gives the next row.
 *
 * @throws Error where one is no object
 */
export type FusedLoop = (vetoes: VetoInput, scorers: ScoreInput, from: number, to: number, row: number) => number;

/** The text of a fused loop that scores by the first group alone. */
function fusedLoopText(vetoes: number, shape: ScoreShape, [from, to]: readonly [number, number]): string {
  // A row of columns is never a list. V8 inlines Array.isArray to one test of the type it has loaded already.
  const notObject = `typeof c!=='object'||c===null${shape.byColumn ? '' : '||Array.isArray(c)'}`;
  // A candidate that was evaluated veto by veto is resolved scorer by scorer as well: the loop only adds its row.
  const unresolvedRow = `K[m]=i; ${unresolvedText(shape, from, to, 'm')} m++;`;
  return `const V=k.vetoes,P=k.passAbsent,K=k.kept,X=k.verdicts,F=s.scorers,T=s.totals,f=m;let w=s.weights;
${bindVetoes(vetoes)}${bindText(from, to)}${bindColumnsText(shape, from, to)} let i=b,r,q,j=0;
for(;;) try { for(;i<e;i++) { const c=${candidateText(shape, 'i')}; if (${notObject}) k.evaluate(i); ${vetoText(vetoes, unresolvedRow)} K[m]=i; j=m; ${scoreText(shape, from, to)} m++; } break; }
catch (x) { q=k.evaluate(i); if (q!==0) X[i]=q; else { s.caught(x,i,m); ${unresolvedRow} } i++; }
${to === shape.sizes.length && to > 0 ? finishText(shape, 'f', 'm') : ''} return m;`;
}

function generateFusedLoop(vetoSizes: readonly number[], shape: ScoreShape): FusedLoop {
  const spent = vetoSizes.reduce((sum, size) => sum + size, 0);
  const [own = [0, 0], ...others] = groupsOf(shape, spent);
  const first = generateLoop(
    ['k', 's', 'b', 'e', 'm'],
    fusedLoopText(vetoSizes.length, shape, own),
  ) as unknown as FusedLoop;
  if (others.length === 0) return first;
  const rest = groupLoops(shape, others);
  return (vetoes, scorers, from, to, row) => {
    let rows = row;
    for (let b = from; b < to; b += TILE) {
      const next = first(vetoes, scorers, b, Math.min(to, b + TILE), rows);
      for (let g = 0; g < rest.length; g++) rest[g]!(scorers, rows, next);
      rows = next;
    }
    return rows;
  };
}

/**
 * One loop that vetoes and scores in one pass, for a profile in which nothing must be prepared: two passes
 * cost half as much again, because the second finds the candidates out of the cache.
 *
 * @param vetoSizes by veto: about how many bytecodes it is
 */
export function makeFusedLoop(vetoSizes: readonly number[], shape: ScoreShape, codegen = true): FusedLoop {
  return loopOrPlain(
    codegen,
    () => generateFusedLoop(vetoSizes, shape),
    () => {
      const veto = makeVetoLoop(vetoSizes.length, false);
      const score = makeScoreLoop(shape, false);
      return (vetoes, scorers, from, to, row) => {
        const { candidates } = vetoes;
        for (let i = from; i < to; i++) {
          const one = candidates[i];
          if (typeof one !== 'object' || one === null || Array.isArray(one)) vetoes.evaluate(i);
        }
        const rows = veto(vetoes, from, to, row);
        score(scorers, row, rows);
        return rows;
      };
    },
  );
}
