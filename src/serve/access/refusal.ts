/** Why a request is not answered, whatever it asks for. */
export interface Refusal {
  /** 401: no token, or another; 403: the page of another origin; 421: another host's name. */
  readonly status: 401 | 403 | 421;
  readonly message: string;
  readonly hint: string;
}
