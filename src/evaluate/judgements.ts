/** Grades by query, by the id of a candidate. 0 is judged and not relevant; below 0 is looked at and not judged. */
export type Judgements = ReadonlyMap<string, ReadonlyMap<string, number>>;
