import { useMemo, useReducer } from 'preact/hooks';
import type { StudioModel } from '../model/studio-model.js';
import type { CardJudge } from '../shelf/card.js';
import type { ShelfOrder } from '../shelf/shelf-order.js';
import { tooFewGrades } from './enough-grades.js';
import type { Judging } from './judging.js';
import { useJudgeKeys } from './use-judge-keys.js';
import { useScale } from './use-scale.js';

interface JudgeInput {
  readonly model: StudioModel;
  readonly judging: Judging | undefined;
  readonly query: number;
  readonly shelf: ShelfOrder;
  /** The chosen item, also before the page renders it. */
  readonly activeNow: { readonly current: number | undefined };
  readonly choose: (position: number) => void;
  /** Shows the cards, and gives them the focus. */
  readonly showItems: () => void;
}

/** The mode in which keys and clicks grade items of the current query. */
export function useJudge({ model, judging, query, shelf: { order }, activeNow, choose, showItems }: JudgeInput) {
  const [, redraw] = useReducer<number, void>((turn) => turn + 1, 0);
  const isOn = judging?.isOn ?? false;
  const { grades } = model.data;
  const [readScale, chooseScale] = useScale(model.data.title, judging, grades);
  const scale = isOn ? readScale() : undefined;
  const graded = useMemo(
    () => (isOn && grades ? order.reduce((sum, one) => sum + (typeof grades[one] === 'number' ? 1 : 0), 0) : 0),
    [isOn, grades, order],
  );
  const turn = (on: boolean): void => {
    if (!judging) return;
    judging.isOn = on;
    if (on && activeNow.current === undefined && order[0] !== undefined) choose(order[0]);
    showItems();
    redraw();
  };
  const toggle = judging && (() => turn(!judging.isOn));
  const move = (from: number | undefined, places: number): void => {
    const at = from === undefined ? -1 : order.indexOf(from);
    const next = order[Math.max(0, Math.min(order.length - 1, at + places))];
    if (next !== undefined) choose(next);
  };
  const gradeItem = (position: number, grade: number | null): void => {
    judging?.grade(query, position, grade);
    if (grade === null) choose(position);
    else move(position, 1);
  };
  const grade = (given: number | null): void => {
    if (activeNow.current !== undefined) gradeItem(activeNow.current, given);
  };
  useJudgeKeys({
    toggle,
    isOn: () => judging?.isOn ?? false,
    scale: readScale,
    grade,
    move: (places) => move(activeNow.current, places),
  });
  const cards: CardJudge | undefined = isOn ? { scale, grade: gradeItem, choose } : undefined;
  return {
    isOn,
    toggle,
    cards,
    gradeOf: (position: number): number | null => grades?.[position] ?? null,
    bar: {
      scale,
      chooseScale,
      graded,
      total: order.length,
      tooFew: isOn ? tooFewGrades(model) : undefined,
      grade,
      end: () => turn(false),
    },
  };
}
