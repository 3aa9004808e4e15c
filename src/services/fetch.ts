/** The part of `fetch` that libraries use here. */
export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;
