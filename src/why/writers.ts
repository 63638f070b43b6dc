import type { Action } from '../../engine/index.ts';
import type { Aspect, Consequence, Program } from '../../engine/tools.ts';
import type { Lexicon, Node } from '../expression/index.ts';
import { type GameModel, mayCause, rulesCausing, rulesWithAmounts, type Use } from '../model/index.ts';

/** The actions that may change what an expression reads, and what is certain if there are none. */
interface Writers {
  readonly actions: readonly Action[];
  readonly none: string;
}

/** What changes the properties of entities. */
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

/** Finds the actions that change values. */
export class WriterSearch {
  private readonly model: GameModel;
  private readonly program: Program;
  private readonly lexicon: Lexicon;

  constructor(model: GameModel, program: Program, lexicon: Lexicon) {
    this.model = model;
    this.program = program;
    this.lexicon = lexicon;
  }

  /** `wanted`: the literal that it should become. */
  of(node: Node, wanted?: unknown): Writers {
    const { model, lexicon } = this;
    if (node.kind === 'count' && node.of === 'outputs') {
      const { text } = node.name;
      return { actions: this.actionsOf(model.uses('output', text)), none: `No action of the game posts ${text}.` };
    }
    if (node.kind === 'set') return this.ofGroup(node);
    if (node.kind !== 'path') return { actions: [], none: '' };
    const member = node.members.at(-1)?.text;
    if (member === undefined) {
      const { text } = node.head;
      return lexicon.isGlobal(text) ? this.ofVariable(text, wanted) : { actions: [], none: '' };
    }
    const keys = [...lexicon.attribute(member)];
    if (keys.length > 0) {
      const types = model.changes('type').filter(({ of }) => of === 'unit');
      const whole = model.changes('attribute').filter(({ isWhole, isOff }) => isWhole && !isOff);
      const uses = [...keys.flatMap((key) => model.changes('attribute', key)), ...types, ...whole];
      return {
        actions: this.actionsOf(uses),
        none: this.unless(['attribute'], `No script changes the attribute ${member}.`, keys),
      };
    }
    if (lexicon.isVariable(member)) {
      const uses = [...model.changes('entityVariable', member), ...model.changes('playerVariable', member)];
      return {
        actions: this.actionsOf(uses),
        none: this.unless(['variable'], `No script sets the variable ${member} of anything.`),
      };
    }
    return this.ofProperty(member, wanted);
  }

  private ofProperty(member: string, wanted: unknown): Writers {
    const { model, lexicon } = this;
    if (member === 'unit') {
      const made = [...model.uses('unit'), ...model.uses('entity')].filter(({ role }) => role === 'creates');
      return { actions: this.actionsOf(made), none: 'No script creates units.' };
    }
    if (member === 'type') {
      const types = wanted === undefined ? undefined : lexicon.typesNamed(String(wanted));
      const uses = model.changes('type').filter(({ value }) => types === undefined || types.has(String(value)));
      const to = types === undefined ? '' : ` to ${String(wanted)}`;
      return {
        actions: this.actionsOf(uses),
        none: this.unless(['type'], `No script changes the type of anything${to}.`),
      };
    }
    const changed = aspects[member] ?? [];
    const uses = changed.flatMap((aspect) => model.changes(aspect)).filter(({ scope }) => scope !== 'game');
    return {
      actions: this.actionsOf(uses),
      none: member === 'hidden' ? 'No script shows or hides entities.' : '',
    };
  }

  private ofVariable(name: string, wanted: unknown): Writers {
    const all = this.model.changes('variable', name);
    const isLiteral = ({ by, value, isGiven }: Use): boolean =>
      by === undefined && value !== undefined && isGiven !== false;
    const isWanted = (use: Use): boolean => !isLiteral(use) || String(use.value) === String(wanted);
    if (all.length === 0 || wanted === undefined)
      return { actions: this.actionsOf(all), none: `No script sets ${name}.` };
    const none = `No script sets ${name} to ${JSON.stringify(wanted)}.`;
    return { actions: this.actionsOf(all.filter(isWanted)), none: this.model.setsAnyVariable ? '' : none };
  }

  private ofGroup({ of, type, holder }: Extract<Node, { kind: 'set' }>): Writers {
    const { model, lexicon } = this;
    if (of === 'items' && holder !== undefined) {
      const moves = [...model.changes('items'), ...model.changes('carrier'), ...model.uses('input', 'buyItem')];
      return {
        actions: this.actionsOf(moves),
        none: this.unless(['items'], 'No script drops, gives or picks up items.'),
      };
    }
    if (type === undefined || of === 'players') return { actions: [], none: '' };
    const key = lexicon.type(of.slice(0, -1) as 'unit' | 'item' | 'projectile', type.text);
    const kinds = (['unit', 'item', 'projectile', 'entity'] as const).flatMap((kind) => model.uses(kind, key));
    const makes = kinds.filter(({ role }) => role === 'creates');
    const given = model.changes('type').filter(({ value }) => value === key);
    const none = this.unless(['creates unit', 'creates item'], `No action names the type ${key}.`);
    return { actions: this.actionsOf([...makes, ...given]), none };
  }

  /** The actions of some uses: in document order those that can run, then the others. */
  actionsOf(uses: readonly Use[]): readonly Action[] {
    const actions = new Set(uses.flatMap((use) => this.model.action(use.place, use) ?? []));
    const order = ({ location }: Action): number => (location < 0 ? Number.POSITIVE_INFINITY : location);
    return [...actions].sort((a, b) => order(a) - order(b) || 0);
  }

  /**
   * A sentence that says that no script does something, and which rules can; empty if some action may do it by what
   * follows from its effects. `attributes`: those that it is about.
   */
  private unless(consequences: readonly Consequence[], none: string, attributes?: Iterable<string>): string {
    const { dialect } = this.program;
    const actions = this.program.locations as readonly Action[];
    if (actions.some((action) => consequences.some((each) => mayCause(action, each, dialect)))) return '';
    const causing = consequences.flatMap((each) => rulesCausing(each, dialect)).map(({ name }) => name);
    const changing = [...(attributes ?? [])].flatMap((each) => this.model.rulesChanging(each));
    const isAble = (name: string): boolean => attributes === undefined || !rulesWithAmounts.has(name);
    const able = new Set([...changing, ...causing.filter(isAble)]);
    return able.size === 0 ? none : `${none} Rules that can: ${[...able].join('; ')}.`;
  }
}
