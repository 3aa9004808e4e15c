/** A shop: long texts, missing images and values, and items that are out of stock. */
export const SHOP = `tier1_scorers:
  - { id: out_of_stock, expr: candidate.stock == 0 }
tier2_scorers:
  - { id: rating, label: Rating, expr: candidate.rating / 5, weight: 3 }
  - { id: newness, label: Newer, expr: candidate.fresh, weight: 2 }
  - { id: margin, expr: candidate.margin, weight: 1 }
  - { id: discount, label: Discount, expr: candidate.discount, weight: 1 }
adjustments:
  - { id: own_brand, when: candidate.brand == "Nordhem", add: 0.05 }
select: { top: 12 }
`;

const [MATERIALS, THINGS] = [
  ['Linen', 'Oak', 'Wool', 'Brass', 'Cotton', 'Glass', 'Steel'],
  ['lamp', 'chair', 'throw', 'vase', 'cushion', 'desk'],
];
const BRANDS = ['Nordhem', 'Atelier Lund', 'Casa Viva', 'Fjord & Co'];

/** An item of the shop. */
export interface Product {
  readonly id: string;
  readonly name: string;
  readonly brand: string;
  readonly price: number;
  readonly image: string | undefined;
  readonly stock: number;
  readonly rating: number;
  readonly fresh: number;
  readonly margin: number;
  readonly discount: number | undefined;
}

/** A fraction that depends on an item alone. */
const fraction = (k: number, by: number): number => ((k * by) % 997) / 997;

/** The address of the image of an item. */
type ImageOf = (k: number) => string | undefined;

/** The items of a shop. */
export const products = (count = 120, imageOf: ImageOf = () => undefined): readonly Product[] =>
  Array.from({ length: count }, (_, k) => ({
    id: `sku-${k}`,
    name: `${MATERIALS[k % 7]} ${THINGS[k % 6]} no. ${k}${k % 11 === 3 ? `, ${'a very long description, '.repeat(4)}and more` : ''}`,
    brand: BRANDS[k % 4]!,
    price: 20 + ((k * 37) % 200),
    image: imageOf(k),
    stock: k % 8 === 5 ? 0 : 1 + ((k * 13) % 50),
    rating: 2.5 + 2.5 * fraction(k, 353),
    fresh: fraction(k, 71),
    margin: fraction(k, 193),
    discount: k % 3 === 0 ? undefined : fraction(k, 29),
  }));
