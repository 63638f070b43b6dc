/** The lists of a play, apart from what they show, which the worker of the playground makes. */
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
