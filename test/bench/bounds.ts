/*
 * What bounds a goal where it is missed, as profiles and ablations showed: the report says it beside the goal, and only
 * there. The numbers are of Node 20.20 (V8 11.3) on two cores of an AMD EPYC.
 */

/** V8 inlines 920 bytecodes of callees into one function. */
export const INLINING = `V8 inlines at most 920 bytecodes of callees into one function, so each group of scorers has a loop
  of its own, cut by the size of its closures: one loop for all took 21 ns a scorer at 64, and groups take 3 to 5. Where a
  group ends depends on an estimate of that size, and a profile of few scorers pays for one group that is not full.`;

export const PREPARED = `The best of many runs over one set of 1,000 is 85 ns a candidate beside 39. Inlining does not bound
  it: with twenty times V8's budget it is 85 too. By a CPU profile 17 % is the decay's power, which is calculated by hand as
  well; 15 % the garbage collector; 10 % the column of the inner scorer; 8 % the list of the kept candidates, which a unit
  that prepares is given; 9 % the two loops. The column, the list and the run's buffer are made anew in each run.`;

export const RUN = `The best of many runs over one set of 1,000 is 55 ns a candidate beside 39, over one of 64,000 it is 61
  beside 46. Inlining does not bound it: with twenty times V8's budget for it
  (\`--max-inlined-bytecode-size-cumulative=18400\`) it is 55 too, and once it is warm nothing deoptimises (\`--trace-deopt\`).
  What is left is 4 to 5 µs before and after a run, for its state, its buffer and the ten rows, and for each candidate the
  tests that a field is there and a score is a number, the totals, and the positions of what was kept.`;

export const EXPLAIN = `Of a ranking of 1,000, the first explanation takes 210 µs, each further one 70 µs (least: 120 and
  40). The first one takes the id of every candidate, to know whether it is the only one, and lists what was left out. What an
  explanation itself costs is the frozen tree of plain data that it is, and the collecting of it.`;

export const CALL = `The best of many rounds is 3.5 µs beside 0.34 µs: the formula on these short traces is faster than one
  promise and the frozen row that a call gives. Compiling once, taking measures at once, and no steps where nothing waits
  brought it there from 150 µs.`;

export const WORKERS = `One thread takes 3.9 s for some 270 MB, two take 2.1 s, and 4.0 s of processor time together. The second joins
  once it has loaded the library and its pipeline, which takes about 0.25 s in which the first works alone: that leaves 1.9
  of 2 at best, and less where the two cores share what is below them.`;
