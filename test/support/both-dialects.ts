import type { Case } from '../../src/scenario/reading/cases.ts';

const dialects = ['standard', 'moddio'] as const;

/** The case in both dialects, unless its scenario or its file specifies one. */
export function inBothDialects(each: Case): readonly Case[] {
  if (each.plan.dialect !== undefined) return [each];
  return dialects.map((dialect) => ({ ...each, dialect, title: `${each.title} (${dialect})` }));
}
