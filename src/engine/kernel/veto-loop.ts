import type { Columns } from '../../data/index.js';
import type { Score } from '../../sdk/index.js';
import type { CandidateAt } from '../candidates.js';
import { type Group, joinTexts, type LoopEntry, loopOrPlain, LoopText, sizeOf } from './loop-text.js';
import { rulesText } from './rule-loop.js';
import {
  bindText,
  finishText,
  groupLoops,
  makeScoreLoop,
  scoreGroups,
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

/** A verdict is one number: 0 keeps the candidate; any other encodes what refused it and the kind of refusal. */
export const verdictOf = (refuser: number, refusal: Refusal): number => refuser * 4 + REFUSALS.indexOf(refusal) + 1;

export const refuserOf = (verdict: number): number => (verdict - 1) >> 2;

export const refusalOf = (verdict: number): Refusal => REFUSALS[(verdict - 1) & 3] ?? 'error';

/** A verdict for a candidate that is not refused but has no row, because a deferred scorer did not evaluate it. */
export const VERDICT_NOT_EVALUATED = 0xffff;

/** Whether a verdict refuses. */
export const refuses = (verdict: number): boolean => verdict !== 0 && verdict !== VERDICT_NOT_EVALUATED;

/** The input of the loop for one run: the vetoes, and the buffers for the results. */
export interface VetoInput {
  readonly candidates: readonly unknown[];
  /** Reads candidates that are stored by column. */
  readonly at?: CandidateAt | undefined;
  /** The columns, if candidates are stored by column. */
  readonly table?: Columns | undefined;
  readonly vetoes: readonly Score<unknown, boolean>[];
  /** By veto: whether the candidate passes if the veto abstains. */
  readonly passAbsent: readonly boolean[];
  /** The refuser number of the first veto. */
  readonly first: number;
  /** The positions of the kept candidates. */
  readonly kept: Int32Array;
  /** By position: 0, or the verdict that refused the candidate. */
  readonly verdicts: Uint16Array;
  /**
   * Evaluates a candidate veto by veto, after a veto threw or returned neither true nor false.
   *
   * @param given the value that the veto returned
   * @throws Error if the candidate is not an object
   */
  readonly evaluate: (index: number, given?: unknown) => number;
}

/** Calls every veto on the candidates `from` to `to`; `count` were kept before. Returns how many are kept now. */
export type VetoLoop = (input: VetoInput, from: number, to: number, count: number) => number;

const TRUE = verdictOf(0, 'veto');
const ABSENT = verdictOf(0, 'absent');

/** The text that binds each veto to a variable. */
const bindVetoes = (vetoes: number): string => joinTexts(0, vetoes, (v) => `const v${v}=V[${v}],p${v}=P[${v}];`);

/** The text that tests one veto on the candidate at `i`; `resolved` runs for one that was evaluated veto by veto and kept. */
function vetoText({ row, candidate, names }: LoopText, { formula }: LoopEntry, v: number, resolved: string): string {
  const refuse = `X[i]=(k.first+${v})*4+${TRUE}; continue;`;
  const call = `r=v${v}(${candidate},i,undefined); if (r!==false&&!(p${v}&&r===undefined)) { if (r===true) { ${refuse} } q=k.evaluate(i,r); if (q!==0) X[i]=q; else { ${resolved} } continue; }`;
  if (!formula) return call;
  const pass = names.fresh();
  const unsure = names.fresh();
  const test = row.test(formula, refuse, `break ${pass};`, `break ${unsure};`);
  if (test === undefined) return call;
  const isAbsent = row.absent(formula);
  const absent = isAbsent
    ? `if(${isAbsent}) { if (p${v}) break ${pass}; X[i]=(k.first+${v})*4+${ABSENT}; continue; }`
    : '';
  return `${row.take()}${pass}:{ ${unsure}:{ ${test} } ${absent} ${call} }`;
}

/** The text that tests every veto. */
const vetoTexts = (loop: LoopText, vetoes: readonly LoopEntry[], resolved: string): string =>
  vetoes.map((entry, v) => vetoText(loop, entry, v, resolved)).join(' ');

function generateVetoLoop(vetoes: readonly LoopEntry[], table: Columns | undefined): VetoLoop {
  const loop = new LoopText('i', 'i', table);
  const body = `const V=k.vetoes,P=k.passAbsent,K=k.kept,X=k.verdicts;${bindVetoes(vetoes.length)} let i=b,r,q;
for(;;) try { for(;i<e;i++) { ${loop.start} ${vetoTexts(loop, vetoes, 'K[m++]=i;')} K[m++]=i; } return m; }
catch (x) { q=k.evaluate(i); if (q!==0) X[i]=q; else K[m++]=i; i++; }`;
  return loop.make(['k', 'b', 'e', 'm'], body) as VetoLoop;
}

/** The loop without code generation: same verdicts, about four times slower. */
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

/**
 * Makes the loop for some vetoes of a profile.
 *
 * @param table columns of the kinds that the loop reads, if candidates are stored by column
 */
export function makeVetoLoop(vetoes: readonly LoopEntry[], codegen = true, table?: Columns): VetoLoop {
  return loopOrPlain(
    codegen,
    () => generateVetoLoop(vetoes, table),
    () => plainLoop,
  );
}

/**
 * Vetoes and scores the candidates `from` to `to`, whose rows start at `row`; returns the next row.
 *
 * @throws Error if a candidate is not an object
 */
export interface FusedLoop {
  (vetoes: VetoInput, scorers: ScoreInput, from: number, to: number, row: number): number;
  /** Whether it has applied the rules to each row that it leaves with a total. */
  readonly appliesRules?: boolean;
  /** Whether it has called `best.enter` for each row that could be among the best, and for each without a finite total. */
  readonly findsBest?: boolean;
}

/** A fused loop that runs only one group of scorers. */
function fusedGroupLoop(vetoes: readonly LoopEntry[], shape: ScoreShape, group: Group): FusedLoop {
  const loop = new LoopText('i', 'm', shape.table);
  // A row of columns is always an object. V8 inlines Array.isArray as one test of a type that it has already loaded.
  const check = shape.table ? '' : "if (typeof c!=='object'||c===null||Array.isArray(c)) k.evaluate(i);";
  // A candidate that was evaluated veto by veto is also resolved scorer by scorer: the loop only adds its row.
  const [, to] = group;
  const isWhole = to > 0 && to === shape.entries.length && shape.arithmetic?.finish === undefined;
  const unresolvedRow = `K[m]=i; ${unresolvedText(shape, group, 'm')} ${isWhole ? 'B.enter(m);' : ''} m++;`;
  const refusals = vetoTexts(loop, vetoes, unresolvedRow);
  const score = scoreText(shape, loop, group);
  const scores = new Map(shape.entries.flatMap(({ id }, k) => (id === undefined ? [] : [[`scores.${id}`, `x${k}`]])));
  const mayApply = shape.rules !== undefined && shape.rules.length > 0 && isWhole && shape.arithmetic !== undefined;
  const rules = mayApply ? rulesText(loop, shape.rules, scores) : undefined;
  const body = `const V=k.vetoes,P=k.passAbsent,K=k.kept,X=k.verdicts,f=m,B=s.best;${bindVetoes(vetoes.length)}${bindText(shape, loop, group)} let i=b,r,q,j=0,o=B.floor;
for(;;) try { for(;i<e;i++) { ${loop.start} ${check} ${refusals} K[m]=i; j=m; ${score}${rules ?? ''}T[j]=t;${isWhole ? 'if(!(t<=o&&t-t===0))o=B.enter(j);' : ''} m++; } break; }
catch (x) { q=k.evaluate(i); if (q!==0) X[i]=q; else { s.caught(x,i,m); ${unresolvedRow} } i++; }
${to === shape.entries.length && to > 0 ? finishText(shape, 'f', 'm') : ''} return m;`;
  const facts = { appliesRules: rules !== undefined, findsBest: isWhole };
  return Object.assign(loop.make(['k', 's', 'b', 'e', 'm'], body) as FusedLoop, facts);
}

function generateFusedLoop(entries: readonly LoopEntry[], shape: ScoreShape): FusedLoop {
  const spent = entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
  const [own = [0, 0], ...others] = scoreGroups(shape, spent);
  const first = fusedGroupLoop(entries, shape, own);
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
 * Makes one loop that vetoes and scores in one pass, for a profile in which no entry must be prepared. Two passes take
 * 50% longer, because the candidates are no longer in the CPU cache in the second one.
 */
export function makeFusedLoop(entries: readonly LoopEntry[], shape: ScoreShape, codegen = true): FusedLoop {
  return loopOrPlain(
    codegen,
    () => generateFusedLoop(entries, shape),
    () => {
      const veto = makeVetoLoop(entries, false);
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
