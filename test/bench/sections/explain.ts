import { createPipeline, type Ranking } from 'assize';
import { EXPLAIN } from '../bounds.js';
import { profile } from '../engines/assize.js';
import { type Item, items, NOW } from '../engines/work.js';
import { measure, type Subject } from '../measure.js';
import type { Section } from '../section.js';
import { spread } from '../statistics.js';

const MILLISECOND = 1e6;

const explainTop = (ranking: Ranking<Item>): unknown => ranking.selected.map(({ index }) => ranking.explain({ index }));

export const explain: Section = {
  name: 'explain',
  title: 'What explaining costs',
  about: `One run over 1,000 candidates of the profile above, then explanations from its ranking, down to each field that was read.`,
  async *run(effort) {
    const list = items(effort.of(1000));
    const pipeline = await createPipeline<Item>(profile);
    const ranked = (): Promise<Ranking<Item>> => pipeline.rank(list, { now: NOW });
    const off = 'nothing explained';
    const top = 'the top 10 explained';
    const subjects: readonly Subject[] = [
      { name: off, per: 1, pass: async () => (await ranked()).selected },
      { name: top, per: 1, pass: async () => explainTop(await ranked()) },
      {
        name: 'all 1,000 explained',
        per: 1,
        pass: async () => {
          const ranking = await ranked();
          return list.map((_, index) => ranking.explain({ index }));
        },
      },
    ];
    const times = await measure(subjects, effort);
    const work = 'A run over 1,000 candidates';
    for (const { name } of subjects) yield times.result(work, name, 'run', ...(name === off ? [] : [off]));
    const more = times.byRound([off, top]).map(([without = 0, explained = 0]) => explained - without);
    const goal = { atMost: MILLISECOND, bound: EXPLAIN };
    yield { work, subject: `${top}: more than nothing`, amount: spread(more), unit: 'ns', per: 'run', goal };
  },
};
