import type { Case } from '../../src/scenario/cases.ts';

const dialects = ['standard', 'moddio'] as const;

/** A case in each dialect, unless its scenario or its file names its own. */
export function inBothDialects(each: Case): readonly Case[] {
  if (each.plan.dialect !== undefined) return [each];
  return dialects.map((dialect) => ({ ...each, dialect, title: `${each.title} (${dialect})` }));
}
