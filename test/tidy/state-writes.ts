import { codeOnly, lineAt, type Sources } from './source.ts';

/**
 * Places where a file changes the state of a game itself: it assigns to a member, or calls a method that changes a collection. It reads words,
 * not types. State is reached from `world`, from a name bound to something reached from it, or from a parameter of one of
 * the types of state. Objects and lists that scripts hold as values are not state in this sense.
 */
export function stateWrites(sources: Sources): string[] {
  const faults: string[] = [];
  for (const [path, text] of sources) {
    const code = codeOnly(text);
    const names = [...stateNames(code)].join('|');
    const target = String.raw`(?<![\w$.])(?:[\w$]+\.)*?(?:${names})\b${accessors}`;
    const assigned = new RegExp(String.raw`${target}\s*(?:=(?![=>])|[-+*/%&|^]=|\*\*=|\|\|=|&&=|\?\?=|\+\+|--)`, 'g');
    const deleted = new RegExp(String.raw`\bdelete\s+${target}`, 'g');
    const changed = new RegExp(String.raw`${target}[!?]?\.(?:${changers.join('|')})\(`, 'g');
    for (const pattern of [assigned, deleted, changed]) {
      for (const { 0: found, index } of code.matchAll(pattern)) {
        faults.push(`${path}:${lineAt(text, index)} writes ${found.trim()}: rules do that`);
      }
    }
  }
  return faults;
}

/** At least one member: a name alone is only bound. One level of brackets or calls inside an index. */
const accessors = String.raw`(?:[!?]?\.[\w$]+|!?(?:\?\.)?\[(?:[^\[\]]|\[[^\[\]]*\])*\])+!?`;

const changers = [
  'push',
  'pop',
  'shift',
  'unshift',
  'splice',
  'fill',
  'sort',
  'reverse',
  'copyWithin',
  'set',
  'add',
  'delete',
  'clear',
];

const types =
  'World|Components|InventoryState|ProjectileState|PlayerState|AccountState|OwnedUnitsState|RegionState|DebrisState|Mind|VariableSet';

/** Names of a program that stand for state. */
function stateNames(code: string): Set<string> {
  const names = new Set(['world']);
  for (const [, name] of code.matchAll(new RegExp(String.raw`\b(\w+)\??: (?:${types})\b`, 'g'))) names.add(name!);
  // A name may be bound to one that is bound further down in the text, in a function above: until no more are found.
  for (let size = 0; size !== names.size; ) {
    size = names.size;
    const from = String.raw`(?:[\w$]+\.)*?(?:${[...names].join('|')})\b(?:${accessors})?\s*[;,]`;
    for (const [, members, name] of code.matchAll(
      new RegExp(String.raw`\bconst (?:\{([^}]*)\}|(\w+)) = ${from}`, 'g'),
    )) {
      if (name !== undefined) names.add(name);
      for (const member of members?.split(',') ?? []) {
        const bound = member.split(/[:=]/)[member.includes(':') ? 1 : 0]!.trim();
        if (bound !== '') names.add(bound);
      }
    }
  }
  return names;
}
