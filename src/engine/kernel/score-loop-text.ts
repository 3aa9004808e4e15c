import { joinTexts } from './generate-loop.js';
import type { ScoreShape } from './score-loop.js';

/** V8 inlines some 920 bytecodes of callees into one function: beyond, each call costs as much as a whole scorer. */
const INLINING_BUDGET = 1000; // sizes are estimates, and on the high side

/** The expression that adds the scores `a` to `b` to `start`, in order: as the settling of odd rows does. */
function totalText({ arithmetic }: ScoreShape, a: number, b: number, start: string[]): string {
  const terms = (term: (k: number) => string) => [...start, ...Array.from({ length: b - a }, (_, k) => term(a + k))];
  switch (arithmetic) {
    case 'sum':
      return terms((k) => `w[${k}]*x${k}`).join('+');
    case 'geometric':
      return terms((k) => `w[${k}]*Math.log(x${k})`).join('+');
    case 'product':
      return terms((k) => `x${k}`).join('*');
    case 'min':
    case 'max':
      return `Math.${arithmetic}(${terms((k) => `x${k}`).join(',')})`;
    default:
      return 'x0'; // the formula is one function
  }
}

/**
 * Whether a score is a number. Otherwise null would count as 0 and '5' as 5; V8 drops the test where it knows. Only
 * of the least or the greatest an infinity would go unnoticed.
 */
const isNumber = ({ arithmetic }: ScoreShape, k: number): string =>
  arithmetic === 'min' || arithmetic === 'max' ? `typeof x${k}==='number'&&x${k}-x${k}===0` : `typeof x${k}==='number'`;

/** Scores row `j` of candidate `c` by the scorers `a` to `b`: NaN where one gives no number, as a literal, not the global. */
export function scoreText(shape: ScoreShape, a: number, b: number): string {
  if (b === 0) return 'T[j]=0;'; // a filter: nothing is scored
  const weigh = shape.cases ? 'w=s.weightsOf(c,j);' : '';
  const asked = joinTexts(a, b, (k) => `const x${k}=f${k}(c,j,undefined);`);
  const sound = joinTexts(a, b, (k) => isNumber(shape, k), '&&');
  return `${weigh}${asked} T[j]=${sound}?${totalText(shape, a, b, a > 0 ? ['T[j]'] : [])}:0/0;`;
}

/**
 * The scorers in groups, each from one position to another: as many as V8 inlines into the loop that calls them.
 *
 * @param spent what the first loop calls besides
 */
export function groupsOf(
  { arithmetic, sizes }: ScoreShape,
  spent = 0,
): readonly (readonly [from: number, to: number])[] {
  if (arithmetic === 'formula') return [[0, sizes.length]];
  const groups: (readonly [number, number])[] = [];
  let from = 0;
  let used = spent;
  for (const [k, size] of sizes.entries()) {
    if (k > from && used + size > INLINING_BUDGET) {
      groups.push([from, k]);
      from = k;
      used = 0;
    }
    used += size;
  }
  return [...groups, [from, sizes.length]];
}

/** Takes the scorers `a` to `b` out of their list. */
export const bindText = (a: number, b: number): string => joinTexts(a, b, (k) => `const f${k}=F[${k}];`);

/** The loop over the rows `b` to `e` that asks the scorers of one group. */
export const groupText = (shape: ScoreShape, [from, to]: readonly [number, number]): string =>
  `const s=k,K=s.kept,F=s.scorers,T=s.totals;let w=s.weights;${bindText(from, to)} let j=b;
for(;;) try { for(;j<e;j++) { const c=C[K[j]]; ${scoreText(shape, from, to)} } break; }
catch (x) { T[j]=NaN; j++; }
${shape.arithmetic === 'geometric' && to === shape.sizes.length ? rootText('b', 'e') : ''}`;

/** What makes a geometric mean of the sums of the rows `first` to `end`. */
export const rootText = (first: string, end: string): string => `for(let j=${first};j<${end};j++) T[j]=Math.exp(T[j]);`;
