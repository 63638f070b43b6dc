import type { Effect } from '../../../engine/tools.ts';

/** A wrong declaration. */
export interface Plant {
  readonly what: string;
  readonly effects: readonly Effect[];
}

type Members = Effect & Readonly<Record<string, unknown>>;

const roles = ['of', 'key', 'to', 'upTo', 'section', 'type', 'at', 'script', 'after', 'count', 'over'] as const;
const facts = ['by', 'constant', 'selects', 'only'] as const;
const others: Readonly<Record<string, readonly unknown[]>> = {
  when: ['now', 'again', 'later', 'repeatedly', 'answered'],
  what: ['iteration', 'loop', 'script'],
  by: ['adding', 'subtracting'],
  constant: [true, false],
  selects: ['unit', 'item', 'player', 'element'],
  aspect: ['attribute', 'position', 'variable', 'owner'],
  kind: ['unit', 'item', 'projectile'],
};

/** Everything that can be wrong with the effects of a row: one left out, a role left out, two swapped, another word. */
export function plantsOf(effects: readonly Effect[]): readonly Plant[] {
  return effects.flatMap((each, i) => {
    const effect = each as Members;
    const instead = (what: string, ...now: readonly object[]): Plant => ({
      what: `${effect.does} ${what}`,
      effects: [...effects.slice(0, i), ...(now as Effect[]), ...effects.slice(i + 1)],
    });
    const without = (member: string): object =>
      Object.fromEntries(Object.entries(effect).filter(([name]) => name !== member));
    const played = roles.filter((role) => effect[role] !== undefined);
    return [
      instead('left out'),
      ...(effect.may === true ? [] : [instead('may', { ...effect, may: true })]),
      ...(effect.may === true ? [instead('always', without('may'))] : []),
      ...[...played.filter((role) => role !== 'script'), ...facts.filter((fact) => effect[fact] !== undefined)].map(
        (member) => instead(`without ${member}`, without(member)),
      ),
      ...played.flatMap((one, j) =>
        played
          .slice(j + 1)
          .filter((two) => effect[one] !== effect[two])
          .map((two) => instead(`${one} as ${two}`, { ...effect, [one]: effect[two], [two]: effect[one] })),
      ),
      ...Object.entries(others).flatMap(([member, values]) =>
        effect[member] === undefined
          ? []
          : values
              .filter((value) => value !== effect[member])
              .map((value) => instead(`${member} ${String(value)}`, { ...effect, [member]: value })),
      ),
    ];
  });
}
