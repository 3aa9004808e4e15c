import { readFile } from 'node:fs/promises';

/** A map of the vectors' file: camelCase, as the service wrote it. */
export type Data = Readonly<Record<string, unknown>>;

export interface Named {
  readonly id: string;
}

export interface MoveData {
  readonly strategy: { readonly id: string; readonly typeCategory: string };
  readonly focus: Data;
}

export interface ScorerVector extends Named {
  readonly scorer: string;
  readonly tier: 1 | 2;
  readonly version: 'seed' | 'mid' | 'late';
  readonly params: Data;
  readonly context: Data;
  readonly candidate: MoveData;
  readonly expected: { readonly isVeto?: boolean; readonly rawScore?: number };
}

export interface EngineVector extends Named {
  readonly strategyId: string;
  readonly phase: string | null;
  readonly engineConfig: { readonly veto_on_first?: boolean };
  readonly tier1: readonly { readonly id: string; readonly veto?: boolean; readonly throws?: boolean }[];
  readonly tier2: readonly {
    readonly id: string;
    readonly raw?: number;
    readonly strategyWeights: Readonly<Record<string, number>> | null;
    readonly weight?: number;
    readonly throws?: boolean;
  }[];
  readonly phaseProfiles: string | PhaseTable;
  readonly expected: Data;
}

export interface SelectionVector extends Named {
  readonly strategies: readonly string[];
  readonly turnCount: number;
  readonly config: { readonly alternatives_count?: number; readonly alternatives_min_score?: number };
  readonly candidates: readonly {
    readonly strategyId: string;
    readonly focus: string;
    readonly score: number;
    readonly vetoedBy: string | null;
    readonly throws?: boolean;
  }[];
  readonly expected: Data;
}

export interface PipelineVector extends Named {
  readonly weights: Readonly<Record<string, number>>;
  readonly phaseProfile: Readonly<Record<string, number>>;
  readonly context: Data;
  readonly candidates: readonly MoveData[];
  readonly expected: readonly {
    readonly vetoedBy: string | null;
    readonly rawScores: Readonly<Record<string, number>>;
    readonly scorerSum: number | null;
    readonly finalScore: number;
  }[];
  readonly winner: number;
}

export type PhaseTable = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface Vectors {
  readonly configs: {
    readonly phaseProfiles: Readonly<Record<string, PhaseTable>>;
    readonly params: Readonly<Record<string, Readonly<Record<string, Data>>>>;
    readonly codeDefaults: Readonly<Record<string, Data>>;
  };
  readonly scorerVectors: readonly ScorerVector[];
  readonly similarityVectors: readonly (Named & {
    readonly a: string;
    readonly b: string;
    readonly expected: number;
  })[];
  readonly engineVectors: readonly EngineVector[];
  readonly selectionVectors: readonly SelectionVector[];
  readonly pipelineVectors: readonly PipelineVector[];
  readonly phaseVectors: readonly {
    readonly config: string;
    readonly exploratoryTurns: number;
    readonly focusedTurns: number;
    readonly turnCount: number;
    readonly phase: string;
  }[];
  readonly focusVectors: readonly (Named & {
    readonly version: 'seed' | 'late';
    readonly context: Data;
    readonly expected: Readonly<Record<string, readonly Data[]>>;
  })[];
  readonly chainDepthVectors: readonly (Named & {
    readonly nodes: readonly Data[];
    readonly edges: readonly Data[];
    readonly expected: Data;
  })[];
  readonly informationRateVectors: readonly (Named & {
    readonly concepts: readonly string[];
    readonly recentLabels: readonly string[];
    readonly previousLowInfoTurns: number;
    readonly expected: { readonly newInfoRate: number; readonly consecutiveLowInfoTurns: number };
  })[];
  readonly llmParseVectors: readonly unknown[];
  readonly llmTextVectors: readonly unknown[];
  readonly sentimentVectors: readonly unknown[];
}

/** Reads a file of vectors that was made for Assize: not checked. A missing group is empty. */
export async function readVectors(file: string): Promise<Vectors> {
  const groups = [
    'scorerVectors',
    'similarityVectors',
    'engineVectors',
    'selectionVectors',
    'pipelineVectors',
    'phaseVectors',
    'focusVectors',
    'chainDepthVectors',
    'informationRateVectors',
    'llmParseVectors',
    'llmTextVectors',
    'sentimentVectors',
  ];
  const empty = Object.fromEntries(groups.map((group) => [group, []]));
  return { ...empty, ...(JSON.parse(await readFile(file, 'utf8')) as Vectors) };
}
