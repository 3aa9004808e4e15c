import { createPipeline, type ProfileInput } from 'assize';

/** A profile with a veto and two weighted scorers, and its candidates: the lamp before the vase, the desk refused. */
export const shop = {
  name: 'shop',
  tier1_scorers: [{ id: 'sold_out', expr: 'candidate.stock == 0' }],
  tier2_scorers: [
    { id: 'rating', expr: 'candidate.rating / 5', weight: 3 },
    { id: 'cheap', expr: '1 - candidate.price / 100' },
  ],
} satisfies ProfileInput;

export const goods = [
  { id: 'lamp', stock: 3, rating: 4, price: 80 },
  { id: 'desk', stock: 0, rating: 5, price: 10 },
  { id: 'vase', stock: 1, rating: 2, price: 5 },
];

export const openShop = (given: ProfileInput = shop) => createPipeline<(typeof goods)[number]>(given);

export const idsOf = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map(({ id }) => id);
