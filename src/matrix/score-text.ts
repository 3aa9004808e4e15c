import { list } from './generate.js';
import type { ScoreShape } from './score-loop.js';

/** V8 inlines some 920 bytecodes of callees into one loop: beyond, each call costs as much as a whole scorer. */
const GROUP = 8;

/** The expression that adds the scores `a` to `b` to `start`, in order: as the settling of odd rows does. */
function total({ arithmetic }: ScoreShape, a: number, b: number, start: string[]): string {
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

/** Scores row `j` of candidate `c` by the scorers `a` to `b`: NaN where one gives no number. */
export function scoreText(shape: ScoreShape, a: number, b: number): string {
  if (b === 0) return 'T[j]=0;'; // a filter: nothing is scored
  const weigh = shape.cases ? 'w=s.weightsOf(c,j);' : '';
  const asked = list(a, b, (k) => `const x${k}=f${k}(c,j,undefined);`);
  const sound = list(a, b, (k) => isNumber(shape, k), '&&');
  return `${weigh}${asked} T[j]=${sound}?${total(shape, a, b, a > 0 ? ['T[j]'] : [])}:NaN;`;
}

/** How many of a shape's functions its first loop calls. */
export const firstGroup = ({ arithmetic, scorers }: ScoreShape): number =>
  arithmetic === 'formula' ? Math.min(1, scorers) : Math.min(scorers, GROUP);

/** Takes the scorers `a` to `b` out of their list. */
export const bindText = (a: number, b: number): string => list(a, b, (k) => `const f${k}=F[${k}];`);

/** A loop over the rows `first` to `end` for the scorers `a` to `b`. */
export const groupText = (shape: ScoreShape, a: number, b: number, first: string, end: string): string =>
  `{${bindText(a, b)} let j=${first};
for(;;) try { for(;j<${end};j++) { const c=C[K[j]]; ${scoreText(shape, a, b)} } break; }
catch (x) { T[j]=NaN; j++; }}`;

/** The loops for the scorers after the first group, and what is left to do with the totals. */
export function restText(shape: ScoreShape, first: string, end: string): string {
  const rest: string[] = [];
  if (shape.arithmetic !== 'formula') {
    for (let a = GROUP; a < shape.scorers; a += GROUP)
      rest.push(groupText(shape, a, Math.min(shape.scorers, a + GROUP), first, end));
  }
  if (shape.arithmetic === 'geometric') rest.push(`for(let j=${first};j<${end};j++) T[j]=Math.exp(T[j]);`);
  return rest.join('\n');
}
