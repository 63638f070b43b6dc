import type { RecordKind, WatchedStore } from '../../store/index.ts';
import { askObject, type Bindings } from './platform.ts';

/** How often rooms check for new bans while they are played, ms. Each check is a request to one object. */
const watchMs = 5000;

/** A record as it is sent and stored. */
interface Kept {
  readonly base64: string;
  /** When the record expires, ms since 1970; null for a record that never expires. */
  readonly untilMs: number | null;
}

/** The bans and reports of all rooms, in one object for each kind. */
export function objectRecords({ STORE }: Bindings): WatchedStore {
  const ask = (kind: RecordKind, what: string, body: object): Promise<unknown> =>
    askObject(STORE, `records ${kind}`, what, body);
  const bytesOf = ({ base64, untilMs }: Kept): Uint8Array | undefined =>
    untilMs === null || untilMs > Date.now() ? new Uint8Array(Buffer.from(base64, 'base64')) : undefined;
  return {
    watchMs,
    put: async (kind, id, bytes, untilMs) => {
      // JSON has no `Infinity`: it becomes null.
      await ask(kind, 'put', { id, record: { base64: Buffer.from(bytes).toString('base64'), untilMs } });
    },
    get: async (kind, id) => {
      const kept = (await ask(kind, 'get', { id })) as Kept | undefined;
      return kept && bytesOf(kept);
    },
    remove: async (kind, id) => (await ask(kind, 'remove', { id })) === true,
    async *list(kind) {
      for (const [id, kept] of (await ask(kind, 'list', {})) as readonly (readonly [string, Kept])[]) {
        const bytes = bytesOf(kept);
        if (bytes === undefined) await ask(kind, 'remove', { id });
        else yield [id, bytes];
      }
    },
    version: async (kind) => (await ask(kind, 'version', {})) as number,
    close: () => {},
  };
}
