import { generate, generated } from './generate.js';
import { makeScoreLoop, type ScoreInput, type ScoreShape } from './score-loop.js';
import { bindText, firstGroup, restText, scoreText } from './score-text.js';
import { bindVetoes, makeVetoLoop, type VetoInput, vetoText } from './veto-loop.js';

/**
 * Judges and scores every candidate; gives the number of rows.
 *
 * @throws Error where one is no object
 */
export type RowLoop = (vetoes: VetoInput, scorers: ScoreInput) => number;

/** A candidate that was judged veto by veto is settled scorer by scorer as well: the loop only notes its row. */
const odd = 'K[m]=i; T[m]=NaN; m++;';

const text = (vetoes: number, shape: ScoreShape): string =>
  `const s=b,V=k.vetoes,P=k.passAbsent,K=k.kept,X=k.verdicts,F=s.scorers,T=s.totals;let w=s.weights;
${bindVetoes(vetoes)}${bindText(0, firstGroup(shape))} let i=0,r,q,j=0;e=C.length;m=0;
for(;;) try { for(;i<e;i++) { const c=C[i]; if (typeof c!=='object'||c===null) k.judge(i); ${vetoText(vetoes, odd)} K[m]=i; j=m; ${scoreText(shape, 0, firstGroup(shape))} m++; } break; }
catch (x) { q=k.judge(i); if (q!==0) X[i]=q; else { ${odd} } i++; }
${restText(shape, '0', 'm')} return m;`;

/**
 * One loop that asks the vetoes and scores in one pass, for a profile in which nothing must be prepared: two passes
 * cost half as much again, because the second finds the candidates out of the cache.
 */
export function makeRowLoop(vetoes: number, shape: ScoreShape, codegen = true): RowLoop {
  return generated(
    codegen,
    () => generate(text(vetoes, shape)) as unknown as RowLoop,
    () => {
      const judge = makeVetoLoop(vetoes, false);
      const score = makeScoreLoop(shape, false);
      return (asked, scored) => {
        const { candidates } = asked;
        const wrong = candidates.findIndex((one) => typeof one !== 'object' || one === null);
        if (wrong >= 0) asked.judge(wrong);
        const rows = judge(asked, 0, asked.candidates.length, 0);
        score(scored, 0, rows);
        return rows;
      };
    },
  );
}
