import { catalogue } from '../../engine/index.ts';
import type { OpenWords } from './completion.ts';
import { reporterNames } from './reporters.ts';

/** Words that options and arguments take, and that their declarations do not list: they take others besides. */
export function openWords(): OpenWords {
  const { actions, functions, triggers } = catalogue();
  return {
    options: { '--reporter': reporterNames },
    arguments: { ops: [...new Set([...actions, ...functions, ...triggers].map(({ type }) => type))] },
  };
}
