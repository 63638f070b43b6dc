import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isRecord } from '../../../engine/core/index.ts';
import type { LoadedGame } from '../../../engine/index.ts';
import { botIds } from '../../bots/index.ts';
import { bindExpression, GameSource, unknown } from '../../expression/index.ts';
import type { Schema } from '../../schema/index.ts';
import {
  checkAudience,
  checkOutputMember,
  checkPayloadMember,
  requireName,
  requirePayloadMember,
} from '../judging/event-members.ts';
import { pathParts } from '../playing/arrangement.ts';
import { entityExpression } from '../playing/running-case.ts';
import {
  isMistake,
  isOutputName,
  mistakeLines,
  namesIn,
  namesOfEntity,
  parseDuration,
  stepsOf,
} from '../playing/steps.ts';
import { ScenarioError } from '../telling/failure.ts';
import type { Case } from './cases.ts';
import { stepKindOf } from './scenario-reader.ts';
import { type NameKind, names, scenario, steps } from './schema.ts';

/** Unknown names in one step of a scenario. */
export interface WrongName {
  /** The index of the step; undefined for `given` and `plot`. */
  readonly step: number | undefined;
  /** The error message. */
  readonly lines: readonly string[];
}

/**
 * Finds unknown names without running the scenario: names of the game and the scenario, expressions, durations and
 * files. The schema declares what each string names. Names that depend on the course of the game are checked while it
 * runs.
 */
export function wrongNames(given: Case, game: LoadedGame): WrongName[] {
  return new NameCheck(given, game).run();
}

type Values = Readonly<Record<string, unknown>>;
type Check = (word: string, around: Values) => unknown;

class NameCheck {
  private readonly source: PlanSource;
  private readonly found: WrongName[] = [];
  private step: number | undefined;

  constructor(
    private readonly given: Case,
    game: LoadedGame,
  ) {
    const { plan, dialect } = given;
    const { players = [], entities = [], bots = 0, snapshot } = plan.given ?? {};
    const own = [
      ...players.map((player) => (typeof player === 'string' ? player : player.name)),
      ...entities.flatMap(namesOfEntity),
      ...namesIn(plan),
      ...botIds(bots),
    ];
    // The entities of a snapshot or a journal are known only when it is loaded.
    const isOpen = snapshot !== undefined || stepsOf(plan).some((step) => 'replay' in step);
    this.source = new PlanSource(game, dialect, own, isOpen);
  }

  run(): WrongName[] {
    const { plan, plot } = this.given;
    const { steps: _steps, when: _when, then: _then, ...rest } = plan;
    this.walk(scenario, { ...rest, plot }, {});
    for (const [index, step] of stepsOf(plan).entries()) {
      this.step = index;
      const kind = stepKindOf(step);
      if (kind !== undefined) this.walk(steps[kind], step, {});
    }
    return this.found;
  }

  /** Checks the names in a value, as declared by its schema. */
  private walk(schema: Schema, value: unknown, around: Values) {
    if (value === undefined) return;
    const { anyOf, items, properties = {}, additionalProperties: members } = schema;
    const kind = schema[names] as NameKind | undefined;
    if (members && isRecord(value)) {
      for (const [key, each] of Object.entries(value)) {
        if (kind === 'event members') this.attempt(() => this.eventMember(around, key, each));
        else if (kind !== undefined) this.attempt(() => this.checks[kind](key, around));
        this.walk(members, each, value);
      }
      return;
    }
    if (kind !== undefined && (typeof value === 'string' || typeof value === 'number'))
      this.attempt(() => this.checks[kind](String(value), around));
    const branch = kind === undefined ? anyOf?.find((each) => fits(each, value)) : undefined;
    if (branch !== undefined) this.walk(branch, value, around);
    if (Array.isArray(value) && items !== undefined) for (const each of value) this.walk(items, each, around);
    if (isRecord(value)) for (const [key, each] of Object.entries(properties)) this.walk(each, value[key], value);
  }

  private readonly checks: { readonly [K in NameKind]: Check } = {
    expression: (text) => bindExpression(text, this.source),
    player: (word) => this.player(word),
    audience: (word) => checkAudience(this.source, word),
    entity: (word) => this.need(word),
    place: (word) => this.need(word),
    'unit type': (word) => this.lexicon.type('unit', word),
    'item type': (word) => this.lexicon.type('item', word),
    'projectile type': (word) => this.lexicon.type('projectile', word),
    'player type': (word) => this.lexicon.type('player', word),
    role: (word) => this.role(word),
    state: (word, plan) => this.state(word, plan),
    dialogue: (word) => this.lexicon.dialogue(word),
    'dialogue option': (word, { dialogue }) =>
      this.lexicon.dialogueOption(this.lexicon.dialogue(String(dialogue)), word),
    key: (word) => this.lexicon.key(word),
    script: (word) => this.lexicon.scripts(word),
    trigger: (word) => this.lexicon.trigger(word),
    output: (word) => this.lexicon.output(word),
    'trigger or output': (word) => (isOutputName(word) ? this.lexicon.output(word) : this.lexicon.trigger(word)),
    'event members': () => undefined,
    'payload members': (word) => requirePayloadMember(word),
    members: (word) => this.lexicon.requireMember(word),
    paths: (word) => this.path(word),
    value: (text) => /^@[^@]/.test(text) && this.need(text),
    duration: (text) => parseDuration(text),
    'real time': (text) => {
      if ('ticks' in parseDuration(text))
        throw new ScenarioError(`"${text}" is not a duration in real time. Expected a duration such as "5 s".`);
    },
    file: (path) => {
      const file = resolve(dirname(this.given.file), path);
      if (!existsSync(file)) throw new ScenarioError(`File ${path} not found.`);
    },
  };

  private get lexicon() {
    return this.source.lexicon;
  }

  /** Checks a member of a payload or an output that a scenario expects of an event. */
  private eventMember({ event, output }: Values, member: string, wanted: unknown) {
    if (typeof event === 'string') checkPayloadMember(this.source, this.lexicon.trigger(event), member, wanted);
    else checkOutputMember(this.source, this.lexicon.output(String(output)), member, wanted);
  }

  /** Checks the state of an entity to create. */
  private state(word: string, plan: Values) {
    const kind = (['unit', 'item', 'projectile'] as const).find((each) => typeof plan[each] === 'string');
    if (kind !== undefined) this.lexicon.stateOf(kind, this.lexicon.type(kind, String(plan[kind])), word);
  }

  private path(path: string) {
    const { holder, word } = pathParts(this.lexicon, path);
    if (holder === undefined) {
      this.lexicon.global(word);
      return;
    }
    bindExpression(holder, this.source);
    this.lexicon.requireMember(word);
  }

  private role(id: string) {
    const ids = this.lexicon.definition.roles.flatMap(({ _id }) => _id ?? []);
    if (!ids.includes(id)) throw unknown(`The game has no role "${id}".`, id, ids);
  }

  private need(name: string) {
    const word = name.startsWith('@') ? name.slice(1) : name;
    const expression = entityExpression(this.source, word);
    if (expression === undefined) requireName(this.source, word);
    else bindExpression(expression, this.source);
  }

  private player(name: string) {
    if (this.source.isKnown(name)) return;
    throw unknown(`There is no player "${name}".`, name, this.source.names());
  }

  private attempt(check: () => unknown) {
    try {
      check();
    } catch (error) {
      if (!isMistake(error)) throw error;
      const lines = mistakeLines(error);
      // Two checks may report the same name, such as the check of an event and that of its details.
      const isKnown = this.found.some(({ step, lines: found }) => step === this.step && found.join() === lines.join());
      if (!isKnown) this.found.push({ step: this.step, lines });
    }
  }
}

/**
 * Whether a value has the type and the required keys of an alternative of a schema. The file has been validated before,
 * so nothing else needs to be checked.
 */
function fits({ type, anyOf, required = [] }: Schema, value: unknown): boolean {
  if (anyOf !== undefined) return anyOf.some((each) => fits(each, value));
  if (type === 'object') return isRecord(value) && required.every((key) => Object.hasOwn(value, key));
  if (type === 'array') return Array.isArray(value);
  return type === undefined || type === typeof value;
}

/** A game that is not running yet, with the names that a scenario will introduce. */
class PlanSource extends GameSource {
  constructor(
    game: LoadedGame,
    dialect: Case['dialect'],
    players: readonly string[],
    /** Whether a snapshot or journal introduces more names. */
    private readonly isOpen: boolean,
  ) {
    super(game, dialect, { players });
  }

  override isKnown(name: string): boolean {
    return this.isOpen || super.isKnown(name);
  }
}
