import { isObject, messageOf, suggest } from '../../engine/core/index.ts';
import type { Node } from '../../engine/index.ts';
import type { Rules } from './check-game.ts';
import { exampleFault } from './example.ts';
import { ProjectError, runModule } from './project-module.ts';
import type { Rule } from './rule.ts';

/** Called with the module or rule that is about to run, before it runs. */
type Follower = (at: string) => void;

/**
 * The rules of modules, by code; each module exports its own as `rules`. Runs the modules, and the examples of the
 * rules. Throws `ProjectError` if a module or rule cannot be used; a rule that fails later throws it, too. Code that
 * never returns is not interrupted.
 */
export async function ownRules(files: readonly string[], follow: Follower = () => {}): Promise<Rules> {
  const all: Record<string, Rule> = {};
  const origins = new Map<string, string>();
  for (const file of files) {
    follow(file);
    for (const [code, rule] of Object.entries(await rulesIn(file))) {
      const at = `${file}: rules["${code}"]`;
      const first = origins.get(code);
      const fault = first === undefined ? faultOf(code, rule) : `has the code of a rule of ${first}`;
      if (fault !== undefined) throw new ProjectError(`${at} ${fault}.`);
      origins.set(code, file);
      all[code] = guarded(rule as Rule, at, follow);
    }
  }
  for (const [code, file] of origins) {
    const at = `${file}: rules["${code}"]`;
    const fault = attempt(at, () => exampleFault(code, all[code]!, all));
    if (fault !== undefined) throw new ProjectError(`${at}: ${fault}.`);
  }
  return all;
}

async function rulesIn(file: string): Promise<object> {
  const { rules } = await runModule(file);
  // Excludes arrays and maps.
  if (Object.prototype.toString.call(rules) === '[object Object]') return rules as object;
  throw new ProjectError(`${file} does not export \`rules\`, an object of rules by code.`);
}

/** Describes what is wrong with the form of a rule; undefined if nothing is. */
function faultOf(code: string, rule: unknown): string | undefined {
  if (!/^[\w-]+\/[\w-]+$/.test(code)) return 'must have a code with one "/", such as "shop/no-gold"';
  if (!isObject(rule)) return 'is not an object';
  const given = rule as { readonly [K in keyof Rule]?: unknown };
  if (given.severity !== undefined && !['error', 'warning', 'info'].includes(given.severity as string))
    return 'must have the `severity` error, warning or info';
  for (const key of ['about', 'because', 'wrong', 'right'] as const)
    if (typeof given[key] !== 'string') return `needs a string \`${key}\``;
  return typeof given.check === 'function' || typeof given.visit === 'function'
    ? undefined
    : 'needs a function `check` or `visit`';
}

/** The kinds of nodes that rules can visit. */
const kinds = Object.keys({
  action: 0,
  block: 0,
  calculation: 0,
  call: 0,
  condition: 0,
  data: 0,
  literal: 0,
  nothing: 0,
  raw: 0,
  script: 0,
} satisfies Record<Node['kind'], 0>);

/** Wraps a rule so that its errors say which module and rule they come from. */
function guarded(rule: Rule, at: string, follow: Follower): Rule {
  const tried = <T>(work: () => T): T => {
    follow(at);
    return attempt(at, work);
  };
  return {
    ...rule,
    check: (context) => tried(() => rule.check?.(context)),
    visit: (context) => {
      const visitors = Object.entries(tried(() => rule.visit?.(context)) ?? {});
      const other = visitors.map(([kind]) => kind).find((kind) => !kinds.includes(kind));
      if (other !== undefined) {
        const meant = suggest(other, kinds);
        const hint = meant === undefined ? `The kinds are ${kinds.join(', ')}.` : `Did you mean "${meant}"?`;
        throw new ProjectError(`${at}: \`visit\` has a function for the unknown kind of node "${other}". ${hint}`);
      }
      return Object.fromEntries(visitors.map(([kind, visit]) => [kind, (node: never) => tried(() => visit(node))]));
    },
  };
}

function attempt<T>(at: string, work: () => T): T {
  try {
    const result = work();
    if (!(result instanceof Promise)) return result;
    result.catch(() => {});
    throw new Error('it returned a promise, but rules must report before they return');
  } catch (error) {
    throw error instanceof ProjectError ? error : new ProjectError(`${at} failed: ${messageOf(error)}`);
  }
}
