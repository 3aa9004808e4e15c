import type { Score } from '../../contract/index.js';
import type { CandidateAt } from '../candidates.js';
import {
  bindColumnsText,
  bindText,
  candidateText,
  finishText,
  generateLoop,
  groupLoops,
  groupsOf,
  joinTexts,
  loopOrPlain,
  makeScoreLoop,
  type ScoreInput,
  type ScoreShape,
  scoreText,
  TILE,
  unresolvedText,
} from './score-loop.js';

/** Why a candidate was refused: never the same as a low score, and a crash is never the same as a veto. */
const REFUSALS = ['veto', 'absent', 'error', 'unscored'] as const;

/** One of `REFUSALS`. */
export type Refusal = (typeof REFUSALS)[number];

/** A verdict is one number: 0 lets the candidate go on; else the number of what refused it, and the kind of refusal. */
export const verdictOf = (refuser: number, refusal: Refusal): number => refuser * 4 + REFUSALS.indexOf(refusal) + 1;

export const refuserOf = (verdict: number): number => (verdict - 1) >> 2;

export const refusalOf = (verdict: number): Refusal => REFUSALS[(verdict - 1) & 3] ?? 'error';

/** In the place of a verdict: the candidate is not refused, and yet in no row, because some scorer has not seen it. */
export const NOT_ASKED = 0xffff;

/** Whether a verdict refuses. */
export const refuses = (verdict: number): boolean => verdict !== 0 && verdict !== NOT_ASKED;

/** The input of the loop for one run: the vetoes, and where the results go. */
export interface VetoInput {
  readonly candidates: readonly unknown[];
  /** Reads candidates that are kept by column. */
  readonly at?: CandidateAt | undefined;
  readonly vetoes: readonly Score<unknown, boolean>[];
  /** By veto: whether abstaining is passing. */
  readonly passAbsent: readonly boolean[];
  /** What is added to a veto's position for its verdict. */
  readonly first: number;
  /** The positions of the candidates that go on. */
  readonly kept: Int32Array;
  /** By position: 0, or the verdict that refused the candidate. */
  readonly verdicts: Uint16Array;
  /**
   * Evaluates a candidate veto by veto, on which one threw or gave something else than true or false.
   *
   * @param given what it gave
   * @throws Error where the candidate is no object
   */
  readonly evaluate: (index: number, given?: unknown) => number;
}

/** Calls every veto on the candidates `from` to `to`; `count` were kept before. Gives how many are kept now. */
export type VetoLoop = (input: VetoInput, from: number, to: number, count: number) => number;

const TRUE = verdictOf(0, 'veto');

/** Takes the vetoes out of their list. */
const bindVetoes = (vetoes: number): string => joinTexts(0, vetoes, (v) => `const v${v}=V[${v}],p${v}=P[${v}];`);

/** Calls every veto on candidate `c` at `i`; `resolved` is the text for one that was evaluated veto by veto and goes on. */
const vetoText = (vetoes: number, resolved: string): string =>
  joinTexts(
    0,
    vetoes,
    (v) =>
      `r=v${v}(c,i,undefined); if (r!==false&&!(p${v}&&r===undefined)) { if (r===true) { X[i]=(k.first+${v})*4+${TRUE}; continue; } q=k.evaluate(i,r); if (q!==0) X[i]=q; else { ${resolved} } continue; }`,
    ' ',
  );

const vetoLoopText = (vetoes: number): string =>
  `const V=k.vetoes,P=k.passAbsent,K=k.kept,X=k.verdicts;${bindVetoes(vetoes)} let i=b,r,q;
for(;;) try { for(;i<e;i++) { const c=C[i]; ${vetoText(vetoes, 'K[m++]=i;')} K[m++]=i; } return m; }
catch (x) { q=k.evaluate(i); if (q!==0) X[i]=q; else K[m++]=i; i++; }`;

/** The same without code generation: same verdicts, some four times slower. */
function plainLoop(k: VetoInput, from: number, to: number, count: number): number {
  let kept = count;
  for (let i = from; i < to; i++) {
    let verdict = 0;
    try {
      verdict = firstVerdict(k, i);
    } catch {
      verdict = k.evaluate(i);
    }
    if (verdict !== 0) k.verdicts[i] = verdict;
    else k.kept[kept++] = i;
  }
  return kept;
}

function firstVerdict(k: VetoInput, i: number): number {
  for (const [v, veto] of k.vetoes.entries()) {
    const answer = veto(k.candidates[i], i, undefined);
    if (answer === false || (k.passAbsent[v] && answer === undefined)) continue;
    return answer === true ? verdictOf(k.first + v, 'veto') : k.evaluate(i, answer);
  }
  return 0;
}

/** One loop made for a profile's vetoes. */
export function makeVetoLoop(vetoes: number, codegen = true): VetoLoop {
  return loopOrPlain(
    codegen,
    () => generateLoop(['k', 'b', 'e', 'm'], vetoLoopText(vetoes)) as unknown as VetoLoop,
    () => plainLoop,
  );
}

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
