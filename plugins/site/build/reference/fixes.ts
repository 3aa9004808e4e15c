/** How to fix the cause of a code. */
export const FIXES: Readonly<Record<string, string>> = {};
