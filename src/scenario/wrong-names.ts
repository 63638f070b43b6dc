import type { LoadedGame, TriggerType } from '../../engine/index.ts';
import { triggers } from '../../engine/internal.ts';
import { botIds } from '../bots/bot.ts';
import { ExpressionError } from '../expression/expression-error.ts';
import { type TypeKind, UnknownName, unknown } from '../expression/lexicon.ts';
import { ask } from '../expression/question.ts';
import { GameSource } from '../expression/source.ts';
import type { Case } from './cases.ts';
import { mistakeLines, namesIn, namesOfEntity, stepsOf } from './perform.ts';
import { kindOf } from './read.ts';
import type { EntityPlan, PlayerPlan, Step, StepKind, StepOf } from './schema.ts';

/** A name in a scenario that its game does not have. */
export interface WrongName {
  /** Position of the step; undefined for what is given at the beginning, or drawn. */
  readonly step: number | undefined;
  /** What is wrong, a line each. */
  readonly lines: readonly string[];
}

/**
 * Finds the names that mean nothing in the game, without playing it: types, keys, triggers, outputs, scripts, variables, players and entities, and
 * whatever expressions name. What depends on how the play goes is found when it is played.
 */
export function wrongNames(given: Case, game: LoadedGame): WrongName[] {
  return new NameCheck(given, game).run();
}

type Checks = { readonly [K in StepKind]?: (step: StepOf<K>) => void };
type Pattern = {
  readonly on?: string | undefined;
  readonly where?: Readonly<Record<string, unknown>> | undefined;
};
type Values = Readonly<Record<string, unknown>>;

class NameCheck {
  private readonly given: Case;
  private readonly source: PlanSource;
  private readonly found: WrongName[] = [];
  private step: number | undefined;

  constructor(given: Case, game: LoadedGame) {
    this.given = given;
    const { plan, dialect } = given;
    const { players = [], entities = [], bots = 0, snapshot } = plan.given ?? {};
    const names = [
      ...players.map((player) => (typeof player === 'string' ? player : player.name)),
      ...entities.flatMap(namesOfEntity),
      ...namesIn(plan),
      ...botIds(bots),
    ];
    // Who is in a snapshot or a journal is known when it is read.
    const isOpen = snapshot !== undefined || stepsOf(plan).some((step) => 'replay' in step);
    this.source = new PlanSource(game, dialect, names, isOpen);
  }

  run(): WrongName[] {
    const { plan, plot } = this.given;
    const { players = [], entities = [], variables = {} } = plan.given ?? {};
    for (const player of players) this.all(this.playerChecks(player));
    for (const entity of entities) this.all(this.entityChecks(entity));
    this.all(this.setChecks(variables));
    this.all(plot.map((text) => () => this.ask(text)));
    for (const [index, step] of stepsOf(plan).entries()) {
      this.step = index;
      const kind = kindOf(step);
      if (kind === undefined) continue;
      (this.steps[kind] as ((step: Step) => void) | undefined)?.(step);
      if ('by' in step) this.attempt(() => this.player(step.by));
    }
    return this.found;
  }

  private readonly steps: Checks = {
    until: ({ until }) => this.all([() => this.ask(until)]),
    join: ({ join, ...plan }) => this.all(this.playerChecks({ name: join, ...plan })),
    leave: ({ leave }) => this.attempt(() => this.player(leave)),
    press: ({ press }) => this.attempt(() => this.lexicon.key(press)),
    release: ({ release }) => this.attempt(() => this.lexicon.key(release)),
    point: ({ point }) => this.attempt(() => this.place(point)),
    buy: ({ buy }) => this.attempt(() => this.lexicon.type('item', buy)),
    buyUnit: ({ buyUnit }) => this.attempt(() => this.lexicon.type('unit', buyUnit)),
    trade: ({ trade }) => this.attempt(() => this.need(trade)),
    run: ({ run, as, with: triggering = {} }) => {
      this.attempt(() => this.lexicon.scripts(run));
      for (const name of [...(as === undefined ? [] : [as]), ...Object.values(triggering)])
        this.attempt(() => this.need(name));
    },
    set: ({ set }) => this.all(this.setChecks(set)),
    spawn: ({ spawn }) => this.all(this.entityChecks(spawn)),
    destroy: ({ destroy }) => this.attempt(() => this.need(destroy)),
    move: ({ move, to }) => this.all([() => this.need(move), () => this.place(to)]),
    give: ({ give, to }) => this.all([() => this.lexicon.type('item', give), () => this.need(to)]),
    expect: ({ expect }) => this.askAll(expect),
    eventually: ({ eventually }) => this.askAll(eventually),
    always: ({ always }) => this.askAll(always),
    never: ({ never }) => this.askAll(never),
    value: ({ value }) => this.askAll(value),
    event: ({ event, ...pattern }) => this.trigger(event, pattern),
    output: ({ output, on }) => this.output(output, { on }),
    ran: ({ ran }) => this.attempt(() => this.lexicon.scripts(ran)),
    order: ({ order }) => {
      for (const each of order) {
        if (typeof each !== 'string') {
          if ('event' in each) this.trigger(each.event, each);
          else this.output(each.output, { on: each.on });
        } else if (each.includes('.') || each === 'chat') this.output(each, {});
        else this.trigger(each, {});
      }
    },
  };

  private get lexicon() {
    return this.source.lexicon;
  }

  private playerChecks(plan: PlayerPlan): (() => void)[] {
    if (typeof plan === 'string') return [];
    const { type, attributes, variables, unit } = plan;
    return [
      ...this.typeChecks('player', type),
      ...this.memberChecks({ ...attributes, ...variables }),
      ...this.typeChecks('unit', unit?.type),
      () => this.place(unit?.at),
      ...this.memberChecks({ ...unit?.attributes, ...unit?.variables }),
      ...(unit?.items ?? []).flatMap((item) => this.typeChecks('item', item)),
    ];
  }

  private entityChecks({
    unit,
    item,
    projectile,
    at,
    owner,
    heldBy,
    attributes,
    variables,
  }: EntityPlan): (() => void)[] {
    return [
      ...this.typeChecks('unit', unit),
      ...this.typeChecks('item', item),
      ...this.typeChecks('projectile', projectile),
      () => this.place(at),
      ...[owner, heldBy].flatMap((name) => (name === undefined ? [] : [() => this.need(name)])),
      ...this.memberChecks({ ...attributes, ...variables }),
    ];
  }

  private typeChecks(kind: TypeKind, word: string | undefined): (() => void)[] {
    return word === undefined ? [] : [() => this.lexicon.type(kind, word)];
  }

  private memberChecks(values: Values): (() => void)[] {
    return Object.entries(values).flatMap(([word, value]) => [
      () => this.lexicon.needMember(word),
      () => this.value(value),
    ]);
  }

  private setChecks(values: Values): (() => void)[] {
    return Object.entries(values).flatMap(([path, value]) => {
      const dot = path.lastIndexOf('.');
      const member = (): unknown => {
        if (this.lexicon.isGlobal(path) || dot < 0) return this.lexicon.global(path);
        this.ask(path.slice(0, dot));
        return this.lexicon.needMember(path.slice(dot + 1));
      };
      return [member, () => this.value(value)];
    });
  }

  private trigger(word: string, { on, where = {} }: Pattern): void {
    this.attempt(() => {
      const type: TriggerType = this.lexicon.trigger(word);
      const row: { readonly required: readonly string[]; readonly optional: readonly string[] } = triggers[type];
      const members = [...row.required, ...row.optional];
      for (const member of Object.keys(where)) {
        if (members.includes(member)) continue;
        const told = members.length === 0 ? 'nothing' : members.join(', ');
        throw unknown(`${type} does not tell of "${member}"; it tells of ${told}.`, member, members);
      }
    });
    if (on !== undefined) this.attempt(() => this.known(on));
  }

  private output(word: string, { on }: Pattern): void {
    this.attempt(() => this.lexicon.output(word));
    if (on !== undefined) this.attempt(() => this.known(on));
  }

  private place(place: unknown): void {
    if (typeof place === 'string' && !this.lexicon.isGlobal(place)) this.need(place);
  }

  /** `@alice` in a value. */
  private value(value: unknown): void {
    if (typeof value === 'string' && /^@[^@]/.test(value)) this.need(value);
  }

  private need(name: string): void {
    const word = name.startsWith('@') ? name.slice(1) : name;
    if (word.includes('.') && !this.source.isKnown(word)) this.ask(word);
    else this.known(word);
  }

  private known(given: string): void {
    const word = given.startsWith('@') ? given.slice(1) : given;
    const [name = ''] = word.split('.');
    const { variables } = this.lexicon.definition;
    if (this.source.isKnown(word) || this.source.isKnown(name) || variables.has(name)) return;
    throw unknown(`Nobody and nothing here is called "${name}".`, name, [...this.source.names(), ...variables.keys()]);
  }

  private player(name: string): void {
    if (this.source.isKnown(name)) return;
    throw unknown(`No player is called "${name}".`, name, this.source.names());
  }

  private ask(text: string): void {
    ask(text, this.source);
  }

  private askAll(texts: string | readonly string[]): void {
    for (const text of typeof texts === 'string' ? [texts] : texts) this.attempt(() => this.ask(text));
  }

  private all(checks: readonly (() => unknown)[]): void {
    for (const check of checks) this.attempt(check);
  }

  private attempt(check: () => unknown): void {
    try {
      check();
    } catch (error) {
      if (!(error instanceof UnknownName || error instanceof ExpressionError)) throw error;
      this.found.push({ step: this.step, lines: mistakeLines(error) });
    }
  }
}

/** A game that is not played yet, with the names that a scenario is going to give. */
class PlanSource extends GameSource {
  private readonly given: readonly string[];
  /** More names come from a snapshot. */
  private readonly isOpen: boolean;

  constructor(game: LoadedGame, dialect: Case['dialect'], names: readonly string[], isOpen: boolean) {
    super(game, dialect, {
      playing: () => {
        throw new Error('Nothing is played yet.');
      },
      players: names,
    });
    this.given = names;
    this.isOpen = isOpen;
  }

  override isKnown(name: string): boolean {
    return this.isOpen || super.isKnown(name);
  }

  override names(): readonly string[] {
    return this.given;
  }
}
