/*
 * What bounds a goal where it is missed, as profiles and ablations showed: the report says it beside the goal, and only
 * there. The numbers are of Node 20.20 (V8 11.3) on two cores of an AMD EPYC.
 */

/** V8 inlines 920 bytecodes of callees into one function. */
export const INLINING = `V8 inlines at most 920 bytecodes of callees into one function, and the loops of all groups of
  scorers are one function. A formula like \`min(candidate.a * 3 / 64, 1)\` is some 180 bytecodes, so the sixth is a call,
  and a closure that is called loses its constants too. Measured: 1–2 ns a scorer up to five, 12 ns at 8, 21 ns at 64; with
  \`--max-inlined-bytecode-size-cumulative=18400\` 1.0 ns at 8 and 1.5 ns at 16. A function for each group, cut by the size
  of its closures, would have that by default.`;

export const PREPARED = `At 1,000 candidates, by a CPU profile: 17 % is the decay's closure, a call since the closures of
  the scaled scorer use up what V8 inlines into one function (920 bytecodes); 15 % the garbage collector; 10 % the column of
  the inner scorer; 8 % the list of the kept candidates, which a unit that prepares is given; 9 % the two loops.`;

export const RUN = `The loop itself costs 1.3 to 1.35 times the one by hand, measured on 64,000 candidates a run; the rest
  is what a run costs before and after it, 4 to 5 µs: its state, one buffer, the ten rows. Each closure is inlined, and
  nothing deoptimises once it is warm (\`--trace-turbo-inlining\`, \`--trace-deopt\`); tests that a score is a number, and of
  absent fields, remain.`;

export const EXPLAIN = `Of a ranking of 1,000, the first explanation takes 350 µs, each further one 54 µs. By a CPU profile
  the first one sorts all rows to know its rank (11 %), takes the id of every candidate to know whether it is the only one
  (8 %) and lists what was left out (3 %); 15 % is the garbage collector. What an explanation itself costs is the frozen
  tree of plain data that it is (10 %).`;

export const CALL = `The best of many rounds is 3.5 µs beside 0.34 µs: the formula on these short traces is faster than one
  promise and the frozen row that a call gives. Compiling once, taking measures at once, and no steps where nothing waits
  brought it there from 150 µs.`;
