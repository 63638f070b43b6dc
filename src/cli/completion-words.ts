import { catalogue } from '../../engine/index.ts';
import type { OpenWords } from './completion.ts';
import { reporterNames } from './reporters.ts';

/** Suggestions for options and arguments whose declarations list no choices, because they accept other words, too. */
export function openWords(): OpenWords {
  const { actions, functions, triggers } = catalogue();
  return {
    options: { '--reporter': reporterNames },
    arguments: { ops: [...new Set([...actions, ...functions, ...triggers].map(({ type }) => type))] },
  };
}
