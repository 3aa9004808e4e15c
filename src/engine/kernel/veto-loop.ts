import type { Score } from '../../contract/index.js';
import type { CandidateAt } from '../candidates/reader.js';
import { generateLoop, joinTexts, loopOrPlain } from './generate-loop.js';
import { verdictOf } from './verdict.js';

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
export const bindVetoes = (vetoes: number): string => joinTexts(0, vetoes, (v) => `const v${v}=V[${v}],p${v}=P[${v}];`);

/** Calls every veto on candidate `c` at `i`; `resolved` is the text for one that was evaluated veto by veto and goes on. */
export const vetoText = (vetoes: number, resolved: string): string =>
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
    const refuses = veto(k.candidates[i], i, undefined);
    if (refuses === false || (k.passAbsent[v] && refuses === undefined)) continue;
    return refuses === true ? verdictOf(k.first + v, 'veto') : k.evaluate(i, refuses);
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
