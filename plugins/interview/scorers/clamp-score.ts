/** Clamps a score that params may move anywhere to 0.5 to 1.8, the limits of the reference. */
export const clampScore = (score: number): number => Math.min(1.8, Math.max(0.5, score));
