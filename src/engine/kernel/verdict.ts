/** Why a candidate was refused: never the same as a low score, and a crash is never the same as a veto. */
export const REFUSALS = ['veto', 'absent', 'error', 'unscored'] as const;

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
