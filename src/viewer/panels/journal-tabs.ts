/**
 * The ids and labels of the lists. Their content is in another module, which the playground loads in its worker only.
 */
export const journalTabs = {
  failure: 'Failure',
  all: 'All',
  entity: 'Entity',
  value: 'Value',
  scripts: 'Scripts',
  triggers: 'Triggers',
  outputs: 'Outputs',
  faults: 'Faults',
} as const;
export type JournalTab = keyof typeof journalTabs;
