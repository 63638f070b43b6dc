import type { Action } from '../../engine/index.ts';
import type { Aspect, Consequence, Program } from '../../engine/tools.ts';
import type { Lexicon, Node } from '../expression/index.ts';
import { type GameModel, mayCause, rulesCausing, rulesWithAmounts, type Use } from '../model/index.ts';

/** The things that may change a value. */
interface Writing {
  readonly uses: readonly Use[];
  /** The sentence to show if no action changes the value. */
  readonly none: string;
  /** The consequences of actions and rules that change the value, too. */
  readonly by?: readonly Consequence[];
  /** The keys of the attributes in question. */
  readonly attributes?: readonly string[];
}

/** For each property of an entity, the aspects whose change can change the property. */
const aspects: Readonly<Record<string, readonly Aspect[]>> = {
  state: ['state'],
  owner: ['owner'],
  holding: ['items', 'slot', 'carrier'],
  quantity: ['quantity'],
  hidden: ['visibility'],
  coins: ['account'],
  name: ['name'],
  x: ['position', 'velocity', 'direction'],
  y: ['position', 'velocity', 'direction'],
  angle: ['angle', 'direction'],
  moving: ['direction', 'ai'],
};

const unknown: Writing = { uses: [], none: '' };

/** Finds the actions that change values. */
export class WriterSearch {
  constructor(
    private readonly model: GameModel,
    private readonly program: Program,
    private readonly lexicon: Lexicon,
  ) {}

  /**
   * The actions that may change what an expression reads, in document order; those that cannot run come last. If there
   * are none, `none` is a sentence that says so, or empty if there may be other causes.
   * `wanted`: the literal that the value should equal; `direction`: whether it
   * should become larger (1) or smaller (-1).
   */
  of(node: Node, wanted?: unknown, direction = 0): { readonly actions: readonly Action[]; readonly none: string } {
    const writing = this.writing(node, wanted, direction);
    const actions = new Set(writing.uses.flatMap((use) => this.model.action(use.place, use) ?? []));
    const order = ({ location }: Action) => (location < 0 ? Number.MAX_SAFE_INTEGER : location);
    return {
      actions: [...actions].sort((a, b) => order(a) - order(b)),
      none: actions.size > 0 ? '' : this.unlessCaused(writing),
    };
  }

  /** Whether all actions that may change what an expression reads are known. */
  follows(node: Node): boolean {
    const isFiltered = node.kind === 'set' && (node.region ?? node.where ?? node.owner) !== undefined;
    return node.kind !== 'count' && !isFiltered && this.writing(node, undefined, 0) !== unknown;
  }

  private writing(node: Node, wanted: unknown, direction: number): Writing {
    const { model, lexicon } = this;
    if (node.kind === 'count' && node.of === 'outputs') {
      const { text } = node.name;
      return { uses: model.uses('output', text), none: `No action of the game posts ${text}.` };
    }
    if (node.kind === 'posted')
      return { uses: node.output === undefined ? [] : model.uses('output', node.output.text), none: '' };
    if (node.kind === 'set') return this.ofGroup(node, direction);
    const path = node.kind === 'total' ? node.of : node;
    if (path.kind !== 'path') return unknown;
    // In a total, the path begins at the members of a group.
    const member = (path.members.at(-1) ?? (path === node ? undefined : path.head))?.text;
    if (member === undefined)
      return lexicon.isGlobal(path.head.text)
        ? this.ofVariable(path.head.text, wanted)
        : { uses: model.uses('entity').filter(({ role }) => role === 'destroys'), none: '' };
    const attributes = [...lexicon.attribute(member)];
    if (attributes.length > 0) {
      const types = model.changes('type').filter(({ of }) => of === 'unit');
      const whole = model.changes('attribute').filter(({ isWhole, isOff }) => isWhole && !isOff);
      return {
        uses: [...attributes.flatMap((key) => model.changes('attribute', key)), ...types, ...whole],
        none: `No script changes the attribute ${member}.`,
        by: ['attribute'],
        attributes,
      };
    }
    if (lexicon.isVariable(member))
      return {
        uses: [...model.changes('entityVariable', member), ...model.changes('playerVariable', member)].filter((use) =>
          canGive(use, wanted),
        ),
        none: `No script sets the variable ${member} of any entity or player.`,
        by: ['variable'],
      };
    if (member === 'unit') {
      const made = [...model.uses('unit'), ...model.uses('entity')].filter(({ role }) => role === 'creates');
      return { uses: made, none: 'No script creates units.' };
    }
    if (member === 'type') {
      const types = wanted === undefined ? undefined : lexicon.typesNamed(String(wanted));
      const to = types === undefined ? '' : ` to ${String(wanted)}`;
      return {
        uses: model.changes('type').filter(({ value }) => types === undefined || types.has(String(value))),
        none: `No script changes the type of any entity or player${to}.`,
        by: ['type'],
      };
    }
    const changed = (aspects[member] ?? []).flatMap((aspect) => model.changes(aspect));
    return {
      uses: changed.filter(({ scope }) => scope !== 'game'),
      none: member === 'hidden' ? 'No script shows or hides entities.' : '',
    };
  }

  private ofVariable(name: string, wanted: unknown): Writing {
    const all = this.model.changes('variable', name);
    if (all.length === 0 || wanted === undefined) return { uses: all, none: `No script sets ${name}.` };
    const none = this.model.setsAnyVariable ? '' : `No script sets ${name} to ${JSON.stringify(wanted)}.`;
    return { uses: all.filter((use) => canGive(use, wanted)), none };
  }

  private ofGroup({ of, type, holder }: Extract<Node, { kind: 'set' }>, direction: number): Writing {
    const { model, lexicon } = this;
    if (of === 'items' && holder !== undefined)
      return {
        uses: [...model.changes('items'), ...model.changes('carrier'), ...model.uses('input', 'buyItem')],
        none: 'No script gives items to units, or makes units drop or pick up items.',
        by: ['items'],
      };
    if (of === 'players') return { uses: model.changes('type').filter((use) => use.of === 'player'), none: '' };
    const kind = of.slice(0, -1) as 'unit' | 'item' | 'projectile';
    const key = type && lexicon.type(kind, type.text);
    const uses = [kind, 'entity' as const].flatMap((each) => model.uses(each));
    const types = type === undefined ? [] : model.changes('type');
    const isNamed = ({ key: named }: Use) => key === undefined || named === undefined || named === key;
    const made = uses.filter((use) => use.role === 'creates' && isNamed(use));
    const given = types.filter(({ value }) => value === undefined || value === key);
    const removed = [...uses.filter(({ role }) => role === 'destroys'), ...types.filter(({ value }) => value !== key)];
    return {
      uses: [...(direction < 0 ? [] : [...made, ...given]), ...(direction > 0 ? [] : removed)],
      none: key === undefined ? '' : `No action ${direction < 0 ? 'removes' : 'creates'} ${of} of type ${key}.`,
      by: ['creates unit', 'creates item'],
    };
  }

  /**
   * The sentence of a writing, followed by the rules that can change the value. Empty if an action may change it
   * indirectly, because then the sentence is not certain.
   */
  private unlessCaused({ none, by = [], attributes }: Writing) {
    const { dialect } = this.program;
    const actions = this.program.locations as readonly Action[];
    if (actions.some((action) => by.some((each) => mayCause(action, each, dialect)))) return '';
    const causing = by.flatMap((each) => rulesCausing(each, dialect)).map(({ name }) => name);
    const changing = (attributes ?? []).flatMap((each) => this.model.rulesChanging(each));
    const isAble = (name: string) => attributes === undefined || !rulesWithAmounts.has(name);
    const able = new Set([...changing, ...causing.filter(isAble)]);
    return able.size === 0 ? none : `${none} Only these rules of the engine can: ${[...able].join('; ')}.`;
  }
}

/** Whether a use may give a thing the wanted value; always true if no value is wanted. */
function canGive({ by, value, isGiven }: Use, wanted: unknown) {
  return (
    wanted === undefined ||
    by !== undefined ||
    value === undefined ||
    isGiven === false ||
    String(value) === String(wanted)
  );
}
