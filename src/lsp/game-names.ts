import { cached, type Dictionary, isObject, parsePointer } from '../../engine/core/index.ts';
import { type Definition, type Dialect, type DialectName, dialectNamed, type ScriptNode } from '../../engine/index.ts';
import { declarationsOf, definitionReferences, type Reference, scriptsOf } from '../../engine/tools.ts';
import type { GameModel, NameUse } from '../model/index.ts';
import { valueAt } from './json-text.ts';
import { scriptAt } from './script-at.ts';

/** The kinds for which the engine knows the declarations. */
const kinds: readonly Reference[] = [
  'script',
  'ability',
  'unitAbility',
  'attribute',
  'variable',
  'entityVariable',
  'playerVariable',
  'unitType',
  'itemType',
  'projectileType',
  'playerType',
  'shop',
  'dialogue',
  'state',
  'sound',
  'music',
  'particle',
  'animation',
];

const otherKinds = ['body', 'buff', 'faction', 'folder'] as const;

/** A kind of thing that a definition declares and refers to by key. */
type Kind = Reference | (typeof otherKinds)[number];

/**
 * The kinds that a noun in an issue can mean, most likely first, for nouns that do not just name their kind. Both
 * `script` and `ability` can mean scripts and abilities, because definitions also use one where the other is expected.
 */
const kindsOfNoun: Dictionary<readonly Kind[]> = {
  'animation type': ['animation'],
  'body type': ['body'],
  particle: ['particle', 'projectileType'],
  player: ['playerType'],
  script: ['script', 'ability', 'unitAbility'],
  ability: ['ability', 'unitAbility', 'script'],
  'unit type or player type': ['unitType', 'playerType'],
};

/** The noun that messages use for a kind, such as `unit type`. */
export function nounOf(kind: Kind): string {
  return kind === 'unitAbility' ? 'ability' : kind.replace(/[A-Z]/, (letter) => ` ${letter.toLowerCase()}`);
}

/** An occurrence of a key in a definition. */
export interface Occurrence {
  readonly kind: Kind;
  readonly key: string;
  readonly pointer: string;
  /** Whether the key is the name of the member at `pointer`. Otherwise it is the value of this member. */
  readonly isMember: boolean;
  readonly role: 'declaration' | 'repeated key' | 'use';
  /** Whether this use is in an action that changes the thing. */
  readonly isWritten?: boolean;
  /** For declarations: the declared thing, as the engine has read it. */
  readonly thing?: Thing;
}

interface Thing {
  readonly key: string;
  readonly pointer: string;
  readonly name?: string;
}

/**
 * All positions in a definition where something is declared or referred to by key. Keys that scripts compute are not
 * included.
 */
export class GameNames {
  /** The occurrences outside of scripts, by pointer. */
  private readonly members: Map<string, Occurrence>;
  private readonly values: Map<string, Occurrence>;
  /** The occurrences outside of scripts, by kind and key. */
  private readonly byName: Map<string, Occurrence[]>;

  /** `earlier` contains the names of a version with the same data outside of its scripts. */
  constructor(
    private readonly model: GameModel,
    private readonly document: unknown,
    dialect: DialectName,
    earlier?: GameNames,
  ) {
    const { definition } = model;
    this.members = earlier?.members ?? new Map();
    this.values = earlier?.values ?? new Map();
    this.byName = earlier?.byName ?? new Map();
    if (earlier !== undefined) return;
    for (const kind of kinds)
      for (const thing of thingsOf(kind, definition, dialectNamed(dialect))) this.declare(kind, thing);
    for (const { noun, key, targets, pointer } of definitionReferences(definition, document)) {
      const possible = kindsOfNoun[noun] ?? [...kinds, ...otherKinds].filter((each) => nounOf(each) === noun);
      const kind = possible.find((each) => this.outsideScripts(each, key).length > 0) ?? possible[0];
      if (kind === undefined) continue;
      for (const target of targets) {
        const thing = target instanceof Map ? (target.get(key) as unknown) : undefined;
        if (isThing(thing) && !this.outsideScripts(kind, key).some((each) => each.thing?.pointer === thing.pointer))
          this.declare(kind, thing);
      }
      const isValue = valueAt(document, parsePointer(pointer)) === key;
      if (isValue || parsePointer(pointer).at(-1) === key)
        this.add({ kind, key, pointer, isMember: !isValue, role: 'use' });
    }
  }

  at(pointer: string, isMember: boolean): Occurrence | undefined {
    const found = this.occurrencesIn(isMember).get(pointer);
    if (found !== undefined || isMember) return found;
    const script = scriptAt(this.model.definition, pointer);
    const use = script && this.model.names(script.place).find(({ path }) => script.pointer + path === pointer);
    return use && occurrenceIn(script!, use);
  }

  /** All occurrences of a key of one kind, declarations first. */
  of(kind: Kind, key: string): readonly Occurrence[] {
    const inScripts = this.inScripts.filter((use) => use.kind === kind && use.key === key);
    return [...this.outsideScripts(kind, key), ...inScripts];
  }

  get all(): readonly Occurrence[] {
    return [...this.members.values(), ...this.values.values(), ...this.inScripts];
  }

  get declarations(): readonly Occurrence[] {
    return [...this.members.values()].filter(({ role }) => role === 'declaration');
  }

  private get inScripts() {
    return scriptsOf(this.model.definition).scripts.flatMap((script) =>
      this.model.names(script.place).map((use) => occurrenceIn(script, use)),
    );
  }

  private outsideScripts(kind: Kind, key: string) {
    return this.byName.get(`${kind} ${key}`) ?? [];
  }

  /** The declarations with this key, or, if there are none, the declarations of things with this name. */
  named(word: string): readonly Occurrence[] {
    const all = this.declarations;
    const byKey = all.filter(({ key }) => key === word);
    return byKey.length > 0 ? byKey : all.filter(({ thing }) => thing?.name === word);
  }

  private declare(kind: Kind, thing: Thing) {
    const { key, pointer } = thing;
    if (parsePointer(pointer).at(-1) === key)
      this.add({ kind, key, pointer, isMember: true, role: 'declaration', thing });
    const own = `${pointer}/key`;
    if (valueAt(this.document, parsePointer(own)) === key)
      this.add({ kind, key, pointer: own, isMember: false, role: 'repeated key', thing });
  }

  private add(occurrence: Occurrence) {
    const { kind, key, pointer, isMember } = occurrence;
    const places = this.occurrencesIn(isMember);
    if (places.has(pointer)) return;
    places.set(pointer, occurrence);
    cached(this.byName, `${kind} ${key}`, () => []).push(occurrence);
  }

  private occurrencesIn(isMember: boolean) {
    return isMember ? this.members : this.values;
  }
}

function occurrenceIn({ pointer }: ScriptNode, { kind, key, path, isWritten }: NameUse): Occurrence {
  return { kind, key, pointer: pointer + path, isMember: false, role: 'use', isWritten };
}

/** Everything of a kind that a definition declares. */
function* thingsOf(kind: Reference, definition: Definition, dialect: Dialect): Generator<Thing> {
  for (const table of declarationsOf(kind, definition, dialect))
    if (table instanceof Map) for (const thing of table.values() as Iterable<unknown>) if (isThing(thing)) yield thing;
}

function isThing(value: unknown): value is Thing {
  return isObject(value) && typeof (value as Partial<Thing>).pointer === 'string';
}
