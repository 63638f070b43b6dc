import type { SharedListener } from '../../src/cluster/journal.ts';

/** The listener of a journal of which nothing is expected, such as one that is only read. */
export const silentListener: SharedListener = {
  failing: () => {},
  working: () => {},
  lost: () => {},
  taken: () => {},
  found: async () => {},
  mayTake: () => false,
  admits: () => false,
  newer: () => {},
  rooms: () => [],
};
