/** A valid answer of a model with every signal. */
export const GOOD = {
  uncertainty_signal: {
    uncertainty_type: 'knowledge_gap',
    confidence: 0.8,
    severity: 0.4,
    examples: ['I am not sure'],
    reasoning: 'They lack a fact.',
  },
  reasoning_signal: {
    reasoning_quality: 'causal',
    confidence: 0.9,
    depth_score: 0.6,
    has_examples: true,
    has_abstractions: false,
    examples: [],
    reasoning: 'Because they say why.',
  },
  emotional_signal: {
    intensity: 'moderate_positive',
    confidence: 0.7,
    trajectory: 'rising',
    markers: ['love'],
    reasoning: 'They like it.',
  },
  contradiction_signal: {
    has_contradiction: false,
    contradiction_type: null,
    earlier_statement: '',
    current_statement: '',
    confidence: 0.9,
    reasoning: '',
  },
  knowledge_ceiling_signal: {
    is_terminal: true,
    response_type: 'terminal',
    has_curiosity: false,
    redirection_available: false,
    confidence: 0.8,
    reasoning: 'They want no more of it.',
  },
  concept_depth_signal: null,
};

/** A conversation of two turns. */
export const HISTORY = [
  { speaker: 'system', text: 'What do you know about oat milk?' },
  { speaker: 'user', text: 'I love it, but I am not sure what is in it, and I do not care.' },
];
