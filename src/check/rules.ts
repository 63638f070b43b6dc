import type { Dictionary } from '../../engine/core/index.ts';
import type { Rule } from './rule.ts';
import * as named from './rules/index.ts';

/** All rules, by code, in the order in which their issues are listed. */
export const rules: Dictionary<Rule> = Object.fromEntries(
  Object.entries(named).map(([name, rule]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    rule,
  ]),
);
