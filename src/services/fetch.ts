/** The `fetch` of a library, as far as it is used here. */
export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;
