import { z } from '../../sdk.js';
import { MOST_POINTS } from '../data/curve-data.js';
import { REPLIES } from '../data/found-weights.js';
import { NotNowError, type WeightFinder } from './find-weights.js';
import type { StudioSession } from './studio-session.js';

/** A request of the page, behind the guard. */
export interface PageRequest {
  readonly session: StudioSession;
  readonly finder: WeightFinder;
  readonly search: URLSearchParams;
  /** @throws SyntaxError where it is no JSON */
  readonly body: () => Promise<unknown>;
  /** Writes a step of long work: then the answer comes in lines, its last one the result. */
  readonly tell: (step: object) => void;
  /** Aborted when the page waits no more. */
  readonly gone: AbortSignal;
}

const query = z.int().nonnegative().default(0);
/** An id or a key, as profiles write them. It cannot be a name that objects inherit. */
const name = z
  .string()
  .regex(/^\w[\w.-]*$/)
  .refine((text) => !(text in {}), 'is a name that every object has');
const entry = z.strictObject({ id: name });
const entryList = z.enum(['signals', 'tier1_scorers', 'measures', 'tier2_scorers', 'adjustments', 'strategies']);
/** The points of a curve. */
const points = z.array(z.tuple([z.number(), z.number()])).max(MOST_POINTS);
const editOf = <P extends z.core.$ZodTuple, V extends z.ZodType>(path: P, value: V) => z.strictObject({ path, value });
/**
 * The values that the page edits. Everything else in a profile is refused: a page that another program controls must not
 * add a plugin, a class or an address.
 */
const edit = z.union(
  [
    editOf(z.tuple([z.literal('tier2_scorers'), entry, z.literal('weight')]), z.number()),
    editOf(z.tuple([z.literal('weights'), z.literal('cases'), z.string(), name]), z.number()),
    editOf(z.tuple([entryList, entry, z.literal('params'), name]), z.union([z.number(), points])),
    editOf(z.tuple([entryList, entry, z.literal('enabled')]), z.boolean()),
    editOf(z.tuple([z.literal('select'), z.literal('top')]), z.int().nonnegative()),
    editOf(z.tuple([z.literal('select'), z.literal('min_score')]), z.number()),
  ],
  { error: 'expected a weight, a numeric param, a curve, enabled, select.top or select.min_score' },
);
const diffBody = z.strictObject({ edits: z.array(edit).max(10_000) });
const saveBody = diffBody.extend({ version: z.string() });
const changeBody = z.strictObject({
  without: z.array(z.string()),
  with: z.array(z.string()),
  params: z.record(z.string(), z.record(z.string(), z.union([z.number(), points]))),
  query,
});
const askBody = z.strictObject({ query });
const answerBody = z.strictObject({ question: z.string(), reply: z.enum(REPLIES) });

/** What the page can ask for, by method and path. */
export const ROUTES: Readonly<Record<string, (request: PageRequest) => Promise<object>>> = {
  'GET /api/data': ({ session }) => session.data(),
  'GET /api/queries': ({ session }) => session.allQueries(),
  'GET /api/explain': ({ session, search }) =>
    session.explain(Number(search.get('index')), Number(search.get('query') ?? 0)),
  'GET /api/changed': ({ session, search, gone }) => session.changed(search.get('version') ?? '', gone),
  'POST /api/change': async ({ session, body }) => {
    const { query: number, ...change } = changeBody.parse(await body());
    return session.change(change, number);
  },
  'POST /api/diff': async ({ session, body }) => session.diff(diffBody.parse(await body()).edits),
  'POST /api/save': async ({ session, body }) => {
    const { edits, version } = saveBody.parse(await body());
    return session.save(edits, version);
  },
  'POST /api/tune': ({ finder, tell, gone }) => finder.tune(tell, gone),
  'POST /api/end-tuning': async ({ finder }) => {
    if (!finder.endTuning()) throw new NotNowError('no weights are being found');
    return {};
  },
  'POST /api/ask': async ({ finder, body, tell, gone }) => finder.ask(askBody.parse(await body()).query, tell, gone),
  'POST /api/answer': async ({ finder, body }) => {
    const { question, reply } = answerBody.parse(await body());
    if (!finder.answer(question, reply)) throw new NotNowError('this question was answered already');
    return {};
  },
};
