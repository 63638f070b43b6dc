/** The administrators' token of all machines. */
export const adminToken = 'the token of the simulated operator';

/** A request in the form that the routes receive. */
export interface Asked {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly payload?: object | string | undefined;
}

export interface Answered {
  readonly status: number;
  readonly body: Uint8Array;
}
