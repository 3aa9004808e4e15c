/** The part of the reference's file that the checks read. */
export interface Vectors {
  readonly karate: Karate;
  readonly smallDirected: Directed;
  readonly spectral: {
    readonly cases: readonly SpectralCase[];
    readonly boost: {
      readonly context: readonly string[];
      readonly onCase: string;
      readonly expected: Numbers;
      readonly withPageRankTerm: { readonly weight: number; readonly expected: Numbers };
    };
  };
  readonly formulas: Readonly<Record<string, unknown>>;
}

type Numbers = Readonly<Record<string, number>>;

export interface Karate {
  readonly nodeCount: number;
  readonly edges: readonly (readonly [number, number])[];
  readonly edgeWeights: readonly number[];
  readonly pagerankUnweighted: Numbers;
  readonly pagerankWeighted: Numbers;
  readonly adamicAdar: readonly {
    readonly pair: readonly [number, number];
    readonly adamicAdar: number;
    readonly normalizedHalfCapped: number;
    readonly graphScoreWithContextOfOne: number;
  }[];
  readonly graphScores: { readonly context: readonly number[]; readonly scores: Numbers };
  readonly density: Readonly<
    Record<
      | 'undirected_2m_over_n(n-1)'
      | 'directedFormulaOfSeed_m_over_n(n-1)'
      | 'alphaFromUndirectedDensity'
      | 'alphaFromSeedFormula',
      number
    >
  >;
}

export interface Directed {
  readonly nodes: readonly string[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly weight: number }[];
  readonly pagerankWeighted: Numbers;
  readonly pagerankUnweighted: Numbers;
  readonly adamicAdar: {
    readonly pairs: readonly {
      readonly pair: readonly [string, string];
      readonly adamicAdarDistinctNeighborDegree: number;
      readonly adamicAdarTotalEdgeDegree: number;
      readonly graphScoreDistinct: number;
      readonly graphScoreTotalEdge: number;
    }[];
  };
  readonly density: { readonly value: number; readonly adaptiveAlpha: number };
  readonly paths: readonly {
    readonly from: string;
    readonly to: string;
    readonly hops: number | null;
    readonly pathConfidence: number | null;
    readonly cheapestPathCostInverseWeight: readonly string[] | null;
  }[];
  readonly hybrid: {
    readonly context: readonly string[];
    readonly items: readonly {
      readonly id: string;
      readonly semantic: number;
      readonly finalScore: number;
      readonly literalZeroForAbsent: number;
    }[];
  };
}

export interface SpectralCase {
  readonly label: string;
  readonly tools: readonly string[];
  readonly capabilities: readonly string[];
  readonly links: readonly { readonly tool: string; readonly capability: string; readonly weight: number }[];
  readonly laplacianEigenvalues: readonly number[];
  readonly eigengapK: { readonly projectRuleStartsAtSecondGap: number };
  readonly hypergraphPageRank: Numbers;
  readonly expectedPartition: {
    readonly A: readonly string[];
    readonly undetermined?: readonly string[];
  };
}
