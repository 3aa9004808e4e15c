/*
 * The reasons why a goal is missed, as profiles and ablations showed. The report shows them next to the goal, only if
 * it is missed. The numbers are of Node 20.20 (V8 11.3) on two cores of an AMD EPYC.
 */

/** V8 inlines 920 bytecodes of callees into one function. */
export const INLINING = `V8 inlines at most 920 bytecodes of callees into one function, so each group of scorers has its own
  loop: one loop for all took 21 ns a scorer at 64, and groups take 3 to 5. A small profile pays for a group that is not full.`;

export const PREPARED = `The best of many runs over one set of 1,000 is 74 ns a candidate beside 38. By a profile of samples 35 %
  of that is the decay's power, which is calculated by hand as well, and 13 % the two loops; 4 % is the column of the inner
  scorer, 2 % the list of the kept candidates, which a unit that prepares is given. The first half dozen rounds of a process
  take up to twice as long, because V8 has not optimised all of it yet: the loop by hand is one function, and it has.`;

export const RUN = `The best of many runs over one set of 1,000 is 55 ns a candidate beside 39, over one of 64,000 it is 61
  beside 46. Inlining does not bound it: with twenty times V8's budget for it
  (\`--max-inlined-bytecode-size-cumulative=18400\`) it is 55 too, and once it is warm nothing deoptimises (\`--trace-deopt\`).
  What is left is 4 to 5 µs before and after a run, for its state, its buffer and the ten rows, and for each candidate the
  tests that a field is present and a score is a number, the totals, and the positions of the kept candidates.`;

export const EXPLAIN = `Of a ranking of 1,000, the least that the first explanation takes is 90 µs, each further one 27 µs. The
  first one takes the id of every candidate, to know whether it is the only one. What an explanation itself costs is the
  frozen tree of plain data that it is, and the collecting of it.`;

export const CALL = `The best of many rounds is 3.1 µs, by hand 0.38 µs. Measures take 0.7 µs,
  novelty 1, the other scorers 0.6; a third of all is reading the lists and texts of the trace.`;

export const WORKERS = `One thread takes 1.5 s, two take 1.1 s. The second joins once it has loaded the library and its pipeline, which
  takes about 0.25 s in which the first works alone: that leaves 1.7 of 2 at best, and less where the two cores share what is
  below them. The faster one thread is, the more this start weighs.`;

export const MATRIX = `Reading fills 180 MB beside a heap of 530 MB. Where V8 does not mark that heap meanwhile, it takes 1.3 × the scoring, a
  third of it for pages that the system hands out; where it does, 2 ×. All columns stand in one buffer for that reason: with
  one each, V8 marked in almost every round, and reading took 4.8 ×.`;

export const QUEUE = `The waiting process creates the job, waits for the last part, and ranks the best ten itself with ten calls of
  5 ms. This takes 0.1 s of a run; with 1,000 candidates the ratio is 1.90.`;

export const FIRST_CHANGES = `Of 13 pages of 10,000 rows nine stayed below 40 ms (31 to 39), and four took 41 to 61: the first or second
  change of a page that has just loaded, while Chromium draws for the first time and V8 collects garbage of loading.`;
