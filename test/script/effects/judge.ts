import type { DialectName } from '../../../engine/definition/dialect.ts';
import { type Effect, vocabulary } from '../../../engine/tools.ts';
import type { Json } from '../actions/action-game.ts';
import { actionsOf, scriptsOfGame } from '../actions/harness.ts';
import { effectsIn, signsOf, withImplied } from './declared.ts';
import { decidesToo, happensAlways, isElsewhere } from './exceptions.ts';
import type { Seen, Trial } from './trial.ts';
import type { Arrival, Difference } from './world-changes.ts';

/** Compares the effects that an action declares with what it did in its cases. */

const dialects: readonly DialectName[] = ['standard', 'moddio'];

type Of<D extends Effect['does']> = Extract<Effect, { readonly does: D }>;
type Changing = Of<'changes'>;

/** Everything that is wrong with the declared effects of an action; nothing if they are proven. */
export function faultsOf(type: string, effects: readonly Effect[], trials: readonly Trial[]): readonly string[] {
  const faults = new Set<string>();
  for (const trial of trials) {
    const own = effectsIn(effects, trial.dialect);
    const permitted = allowed(trial, own);
    for (const word of trial.words) if (!permitted.has(word)) faults.add(`${word} is not declared`);
    for (const operand of writtenBeside(trial))
      if (!own.some((effect) => effect.does === 'changes' && effect.key === operand))
        faults.add(`the variable ${operand} is changed, which is not declared`);
    if (!trial.isDone) continue;
    for (const effect of own)
      if (effect.may !== true && !shows(effect, trial)) faults.add(`${nameOf(effect)} did not happen`);
  }
  for (const effect of effects) {
    const ours = trials.filter(({ dialect }) => effect.only === undefined || effect.only === dialect);
    const happened = ours.filter((trial) => shows(effect, trial));
    for (const dialect of effect.only === undefined ? dialects : [effect.only])
      if (!happened.some((trial) => trial.dialect === dialect) && !(isElsewhere[type] ?? []).includes(nameOf(effect)))
        faults.add(`${nameOf(effect)} never happens in ${dialect}`);
    const isShown = signsOf(effect).length > 0 || effect.does === 'starts';
    if (effect.may === true && (effect.does === 'leaves' || effect.does === 'enables'))
      faults.add(`${nameOf(effect)} always happens`);
    const isAlways = isShown && ours.filter(({ isDone }) => isDone).every((trial) => shows(effect, trial));
    if (effect.may === true && isAlways && !(happensAlways[type] ?? []).includes(nameOf(effect)))
      faults.add(`${nameOf(effect)} always happens`);
    for (const fault of faultsOfRoles(type, effect, happened)) faults.add(fault);
  }
  for (const fault of faultsOfLists(effects, trials)) faults.add(fault);
  const scripts = trials.some(({ runs }) => runs.length > 0);
  if (scripts && !effects.some(({ does }) => does === 'starts' || does === 'runs'))
    faults.add('a script starts, which is not declared');
  const enabled = new Set(trials.flatMap(({ inputs }) => [...inputs]));
  const declared = new Set(effects.flatMap((effect) => (effect.does === 'enables' ? effect.input : [])));
  for (const input of enabled) if (!declared.has(input as never)) faults.add(`enables ${input}, which is not declared`);
  for (const input of declared) if (!enabled.has(input)) faults.add(`does not enable ${input}`);
  return [...faults];
}

export function nameOf(effect: Effect): string {
  const { does, may: _may, only: _only, ...rest } = effect as Effect & Record<string, unknown>;
  const what = rest['aspect'] ?? rest['kind'] ?? rest['output'] ?? rest['block'] ?? rest['input'] ?? rest['script'];
  return `${does} ${String(what ?? rest['what'] ?? '')}`.trim();
}

/** All that may change, with what follows by itself; for an action that runs others, also what these change. */
function allowed({ type, row, dialect }: Trial, own: readonly Effect[]): ReadonlySet<string> {
  const effects = [...own];
  if (own.some(runsOthers))
    for (const each of actionTypes([actionsOf(type, row), scriptsOfGame, row.data]))
      if (each !== type) effects.push(...effectsIn(vocabulary.actions.get(each)?.effects ?? [], dialect));
  return withImplied(effects.flatMap(signsOf));
}

/** The types of all actions in a JSON value. */
function actionTypes(json: unknown, into = new Set<string>()): Set<string> {
  if (typeof json !== 'object' || json === null) return into;
  const { type } = json as { readonly type?: unknown };
  if (typeof type === 'string') into.add(type);
  for (const member of Object.values(json)) actionTypes(member, into);
  return into;
}

/** The operands that name a variable that changes, although no other action of the case writes it. */
function writtenBeside(trial: Trial): readonly string[] {
  const { type, row, comparisons, given } = trial;
  const actions = JSON.stringify(actionsOf(type, row));
  const started = Object.entries(scriptsOfGame).filter(([key]) => actions.includes(`"${key}"`));
  const text = actions + JSON.stringify(started);
  const changed = new Set(comparisons.flatMap(({ differences }) => differences.map(({ path }) => path)));
  const { params } = vocabulary.actions.get(type)!;
  return [...given].flatMap(([operand, { value }]) => {
    const isChanged = params[operand]!.refersTo === 'variable' && changed.has(`variables/${value}`);
    const isWritten = [`"variable":"${value}"`, `"setVariable","variableName":"${value}"`].some((each) =>
      text.includes(each),
    );
    return isChanged && !isWritten ? operand : [];
  });
}

/** Whether it decides what other actions do. */
function runsOthers(effect: Effect): boolean {
  return (
    ['runs', 'starts', 'leaves'].includes(effect.does) || (effect.does === 'changes' && effect.aspect === 'payload')
  );
}

function shows(effect: Effect, { words, runs, blocks, comparisons }: Trial): boolean {
  // What rules destroy later is theirs.
  if (effect.does === 'destroys') return comparisons[0].destroyed.length > 0;
  if (effect.does === 'starts') return runs.length > 0;
  if (effect.does === 'runs') {
    const run = blocks.runs.get(effect.block);
    return run !== undefined && run.now + run.later.length + run.answered > 0;
  }
  const signs = signsOf(effect);
  return signs.length === 0 || signs.some((sign) => words.has(sign));
}

const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.startsWith('@') ? value.slice(1) : undefined;

/** What shows for or against one role of an effect. */
class Evidence {
  private readonly proven = new Set<string>();
  private readonly wanted = new Map<string, string>();
  readonly faults = new Set<string>();
  private readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  /** `holds`: undefined if the case cannot tell. */
  add(role: string, operand: string, holds: boolean | undefined): void {
    this.wanted.set(role, operand);
    if (holds === true) this.proven.add(role);
    if (holds === false) this.faults.add(`${this.name}: ${operand} does not play the role ${role}`);
  }

  all(): readonly string[] {
    const unproven = [...this.wanted].filter(([role]) => !this.proven.has(role));
    return [...this.faults, ...unproven.map(([role, operand]) => `${this.name}: nothing proves ${role}: ${operand}`)];
  }
}

function faultsOfRoles(type: string, effect: Effect, trials: readonly Trial[]): readonly string[] {
  const evidence = new Evidence(nameOf(effect));
  for (const trial of trials) {
    if (!trial.isDone) continue;
    if (effect.does === 'changes') judgeChange(type, effect, trial, evidence);
    else if (effect.does === 'creates') judgeCreation(type, effect, trial, evidence);
    else if (effect.does === 'destroys') judgeDestruction(effect, trial, evidence);
    else if (effect.does === 'tells') judgeOutput(effect, trial, evidence);
    else if (effect.does === 'starts') judgeStart(effect, trial, evidence);
  }
  return evidence.all();
}

function differencesOf({ comparisons }: Seen, { aspect, of }: Changing): readonly Difference[] {
  const isOfGame = aspect === 'members' || (aspect === 'variable' && of === undefined);
  const sign = isOfGame ? 'variable of game' : aspect;
  return comparisons.flatMap(({ differences }) => differences.filter((each) => each.aspect === sign));
}

const segments = (all: readonly Difference[]): ReadonlySet<string> =>
  new Set(
    all.flatMap(({ path, after = '' }) =>
      /\/(attribute|key)$/.test(path) && after.startsWith('"') ? after.slice(1, -1) : path.split('/'),
    ),
  );
const idsOf = (all: readonly Difference[]): ReadonlySet<string> => new Set(all.map(({ id }) => id));
const result = (all: readonly Difference[]): string =>
  JSON.stringify(all.map(({ id, path, after }) => `${id}/${path} ${after}`).sort());

/** The role that an operand turns out to play in a change, when it gets another value. */
function roleIn(effect: Changing, trial: Trial, operand: string): 'of' | 'key' | 'to' | undefined {
  const other = trial.varied.get(operand);
  if (other === undefined || effect.aspect === 'chance') return undefined;
  // What it does to others is not what is asked here.
  const whose = effect.of === undefined || operand === effect.of ? undefined : idOf(trial.given.get(effect.of)?.value);
  const own = (seen: Seen): readonly Difference[] =>
    differencesOf(seen, effect).filter(({ id }) => whose === undefined || id === whose);
  const [before, after] = [own(trial), own(other)];
  if (after.length === 0 || result(before) === result(after)) return undefined;
  const [value, now] = [trial.given.get(operand)!.value, other.given.get(operand)!.value];
  const [id, newId] = [idOf(value), idOf(now)];
  if (id !== undefined && newId !== undefined) {
    const [ids, newIds] = [idsOf(before), idsOf(after)];
    if (ids.has(id) && newIds.has(newId) && !newIds.has(id)) return 'of';
  }
  const [keys, newKeys] = [segments(before), segments(after)];
  if (keys.has(String(value)) && newKeys.has(String(now)) && !newKeys.has(String(value))) return 'key';
  return 'to';
}

const changeRoles = ['of', 'key', 'to', 'upTo'] as const;

function judgeChange(type: string, effect: Changing, trial: Trial, evidence: Evidence): void {
  if (effect.aspect === 'payload') return;
  const all = differencesOf(trial, effect);
  if (all.length === 0) return;
  for (const role of changeRoles) {
    const operand = effect[role];
    if (operand !== undefined) evidence.add(role, operand, holdsIn(effect, role, operand, trial, all));
  }
  const parts = segments(all);
  for (const [operand, { json, value }] of trial.given) {
    if (changeRoles.some((role) => effect[role] === operand) || decidesToo[type]?.includes(operand)) continue;
    const isHeld = effect.aspect === 'members' && parts.has(String((json as Json | null)?.['variableName']));
    const isNamed = typeof value === 'string' && parts.has(value);
    const isMember = idOf(value) !== undefined && all.some(({ before, after }) => before === value || after === value);
    const role = isHeld ? 'of' : isNamed ? 'key' : isMember ? 'to' : roleIn(effect, trial, operand);
    if (role !== undefined)
      evidence.faults.add(`${nameOf(effect)}: ${operand} decides (${role}), and no role names it`);
  }
  if (effect.of === undefined && effect.aspect !== 'members') {
    const ids = idsOf(all);
    for (const [operand, { value }] of trial.given)
      if (ids.has(idOf(value) ?? '-')) evidence.faults.add(`${nameOf(effect)}: it is that of ${operand}`);
  }
  judgeValue(effect, trial, all, evidence);
}

function holdsIn(
  effect: Changing,
  role: (typeof changeRoles)[number],
  operand: string,
  trial: Trial,
  all: readonly Difference[],
): boolean | undefined {
  const given = trial.given.get(operand);
  if (given === undefined) return undefined;
  const { value } = given;
  const played = roleIn(effect, trial, operand);
  const wanted = role === 'upTo' ? 'to' : role;
  if (played !== undefined && played !== wanted) return false;
  if (role === 'of') {
    const id = idOf(value);
    // An object is given as the variable that holds it.
    if (effect.aspect === 'members') return segments(all).has(String((given.json as Json)['variableName']));
    // A sensor is a part of its unit.
    return id === undefined || id.startsWith('s') ? undefined : idsOf(all).has(id);
  }
  if (role === 'key') return segments(all).has(String(value));
  if (played === 'to') return true;
  return all.some(({ before, after }) => isShownBy(value, effect.by === 'subtracting' ? before : after))
    ? true
    : undefined;
}

function isShownBy(value: unknown, after: string | undefined): boolean {
  if (after === undefined) return false;
  return after === JSON.stringify(value) || after === String(value);
}

/** How the new value follows from the operand. */
function judgeValue(effect: Changing, { given, blocks }: Trial, all: readonly Difference[], evidence: Evidence): void {
  const { to, upTo, by, constant, key } = effect;
  const fault = (text: string): unknown => evidence.faults.add(`${nameOf(effect)}: ${text}`);
  if (constant !== undefined && !all.some(({ after }) => after === String(constant) || after === String(+constant)))
    fault(`it is not always ${constant}`);
  if (by !== undefined && by !== 'counting' && to === undefined) fault('nothing is added');
  if (by !== 'counting' && key !== undefined && blocks.runs.size > 0) fault('it counts');
  const switches = all.filter(({ path }) => path === 'ai/enabled' || path === 'itemUse/beingUsed');
  const isOff = switches.length > 0 && switches.every(({ after }) => after === '0' || after === 'false');
  if (constant === undefined && to === undefined && (isOff || (switches.length > 0 && effect.aspect === 'aiEnabled')))
    fault(`it is always ${!isOff}`);
  if (by === 'counting') {
    const name = key === undefined ? undefined : given.get(key)?.value;
    const last = all.find(({ path }) => path === `variables/${name}`)?.after;
    if (upTo !== undefined && last !== undefined && Number(last) !== Number(given.get(upTo)?.value) + 1)
      fault(`it does not count up to ${upTo}`);
    if (blocks.runs.size === 0) fault('nothing is counted');
    return;
  }
  const value = to === undefined ? undefined : given.get(to)?.value;
  if (value === undefined) return;
  const lengths = all.flatMap(({ before, after }) => {
    const [was, is] = [before ?? 'list of 0', after].map((each) => /^(?:list of (\d+)|undefined)$/.exec(each ?? '-'));
    return was === null || is?.[1] === undefined ? [] : Number(is[1]) - Number(was?.[1] ?? 0);
  });
  const number = Number(value);
  const steps = Number.isFinite(number)
    ? all.flatMap(({ before = '', after = '' }) => {
        const [was, is] = [before, after].map((each) => each.replaceAll('"', ''));
        // The reference appends texts.
        return is === `${was}${value}` ? number : Number(is) - Number(was);
      })
    : [];
  const isOf = (sign: 1 | -1): boolean => lengths.some((step) => step * sign > 0) || steps.includes(sign * number);
  const replaces = all.some(({ after }) => isShownBy(value, after));
  if (by === 'adding' && !isOf(1)) fault(`${to} is not added`);
  if (by === 'subtracting' && !isOf(-1)) fault(`${to} is not subtracted`);
  if (by === undefined && effect.aspect === 'variable' && idOf(value) !== undefined && lengths.length > 0)
    fault(`${to} is added or removed`);
  if (by === undefined && !replaces && number !== 0 && (isOf(1) || isOf(-1)) && effect.aspect === 'variable')
    fault(`${to} is added or subtracted`);
}

const sections: Readonly<Record<string, string>> = {
  unitTypes: 'unit',
  itemTypes: 'item',
  projectileTypes: 'projectile',
};

const creationRoles = ['section', 'type', 'at', 'of'] as const;

function madeIn({ comparisons }: Seen, { kind }: Of<'creates'>): Arrival | undefined {
  return comparisons[0].created.find((each) => (kind === undefined ? each.kind in kindsMade : each.kind === kind));
}
const kindsMade: Readonly<Record<string, true>> = { unit: true, item: true, projectile: true };

function factsOf(made: Arrival): Readonly<Record<(typeof creationRoles)[number], string>> {
  const { members } = made;
  const list = (...paths: string[]): string => paths.map((path) => members.get(path)).join(' ');
  return {
    section: made.kind,
    type: members.get('type')!,
    at: list('transform/x', 'transform/y'),
    of: list('identity/owner', 'projectile/sourceUnit', 'carried/carrier'),
  };
}

function judgeCreation(type: string, effect: Of<'creates'>, trial: Trial, evidence: Evidence): void {
  const made = madeIn(trial, effect);
  if (made === undefined) return;
  const facts = factsOf(made);
  if (effect.kind === undefined && effect.section === undefined) evidence.faults.add('creates: of which kind?');
  const roles = effect as { readonly [R in (typeof creationRoles)[number]]?: string };
  for (const operand of trial.given.keys()) {
    const other = trial.varied.get(operand);
    const otherMade = other && madeIn(other, effect);
    const changed =
      otherMade === undefined ? [] : creationRoles.filter((role) => factsOf(otherMade)[role] !== facts[role]);
    const named = creationRoles.filter((role) => roles[role] === operand);
    const { value } = trial.given.get(operand)!;
    for (const role of named) evidence.add(role, operand, holds(role, value, changed));
    if (roles.type === undefined && value === facts.type)
      evidence.faults.add(`${nameOf(effect)}: ${operand} is its type`);
    // What a unit carries is where its unit is.
    if (named.length === 0 && changed.length > 0 && !decidesToo[type]?.includes(operand))
      evidence.faults.add(`${nameOf(effect)}: ${operand} decides (${changed}), and no role names it`);
  }

  function holds(
    role: (typeof creationRoles)[number],
    value: unknown,
    changed: readonly string[],
  ): boolean | undefined {
    if (changed.length > 0) return changed.includes(role);
    if (role === 'section') return sections[String(value)] === made!.kind;
    if (role === 'type') return facts.type === value;
    if (role === 'at') {
      const { x, y } = value as { x: number; y: number };
      return facts.at === `${x} ${y}`;
    }
    return undefined;
  }
}

function judgeDestruction({ of }: Of<'destroys'>, trial: Trial, evidence: Evidence): void {
  const gone = new Set(trial.comparisons.flatMap(({ destroyed }) => destroyed.map(({ id }) => id)));
  for (const [operand, { value }] of trial.given) {
    const id = idOf(value);
    if (operand === of) evidence.add('of', operand, id !== undefined && gone.has(id));
    else if (id !== undefined && gone.has(id) && of === undefined) evidence.faults.add(`destroys: it is ${operand}`);
  }
}

function judgeOutput(effect: Of<'tells'>, trial: Trial, evidence: Evidence): void {
  const events = trial.told.filter(({ kind }) => kind === effect.output);
  if (events.length === 0) return;
  if (effect.to === undefined) {
    if (events.some(({ to }) => to !== undefined && to !== 'everyone'))
      evidence.faults.add(`${nameOf(effect)}: it is for one player`);
    return;
  }
  const id = idOf(trial.given.get(effect.to)?.value);
  if (id !== undefined)
    evidence.add(
      'to',
      effect.to,
      events.some(({ to }) => to === id),
    );
}

function judgeStart(effect: Of<'starts'>, trial: Trial, evidence: Evidence): void {
  if (trial.runs.length === 0) return;
  const keys = new Set(trial.runs.map(({ key }) => key));
  const other = trial.varied.get(effect.script);
  const value = trial.given.get(effect.script)?.value;
  if (value !== undefined)
    evidence.add(
      'script',
      effect.script,
      keys.has(String(value)) || (other === undefined ? undefined : other.runs.every(({ key }) => !keys.has(key))),
    );
  const selves = new Set(trial.runs.flatMap(({ self }) => self ?? []));
  for (const [operand, { value: of }] of trial.given) {
    const id = idOf(of);
    if (operand === effect.of) evidence.add('of', operand, selves.size === 0 ? undefined : selves.has(id ?? ''));
    else if (id !== undefined && selves.has(id) && effect.of === undefined)
      evidence.faults.add(`${nameOf(effect)}: it is the script of ${operand}`);
  }
}

/** The lists of actions that it holds, and the list that contains it. */
function faultsOfLists(effects: readonly Effect[], trials: readonly Trial[]): readonly string[] {
  const faults = new Set<string>();
  for (const dialect of dialects) {
    const own = effectsIn(effects, dialect);
    const ours = trials.filter((trial) => trial.dialect === dialect && trial.isDone);
    for (const block of new Set(ours.flatMap(({ blocks }) => [...blocks.runs.keys()]))) {
      const effect = own.find((each): each is Of<'runs'> => each.does === 'runs' && each.block === block);
      const when = timeOf(block, ours);
      if (when === undefined && effect?.may) continue;
      if (effect?.when !== when) faults.add(`runs ${block} ${when}, declared is ${effect?.when}`);
      else if (effect !== undefined)
        for (const trial of ours) for (const fault of faultsOfRounds(effect, own, trial, dialect)) faults.add(fault);
    }
    const left = new Set(ours.map(({ blocks }) => blocks.leaves));
    const declared = own.flatMap((each) => (each.does === 'leaves' ? each.what : []));
    for (const what of left)
      if (what !== undefined && !declared.includes(what as never))
        faults.add(`leaves the ${what}, which is not declared`);
    for (const what of declared) if (!left.has(what)) faults.add(`does not leave the ${what}`);
  }
  return [...faults];
}

function timeOf(block: string, trials: readonly Trial[]): Of<'runs'>['when'] | undefined {
  const all = trials.flatMap(({ blocks }) => blocks.runs.get(block) ?? []);
  if (all.some(({ later }) => later.length > 0))
    return all.some(({ now, later }) => now + later.length > 1) ? 'repeatedly' : 'later';
  if (all.some(({ now }) => now > 0)) return all.some(({ now }) => now > 1) ? 'again' : 'now';
  return all.some(({ answered }) => answered > 0) ? 'answered' : undefined;
}

/** How many elements a group, an object or a text has; a number itself. */
function sizeOf(value: unknown): number {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length;
  return typeof value === 'string' && Number.isNaN(Number(value)) ? value.length : Math.ceil(Number(value));
}

const tickMs = 50;

function faultsOfRounds(
  effect: Of<'runs'>,
  own: readonly Effect[],
  trial: Trial,
  dialect: DialectName,
): readonly string[] {
  const run = trial.blocks.runs.get(effect.block);
  if (run === undefined || run.now + run.later.length === 0) return [];
  const faults: string[] = [];
  const rounds = run.now + run.later.length;
  const { after, count, over, selects } = effect;
  if (count !== undefined && rounds !== Math.ceil(Number(trial.given.get(count)?.value)))
    faults.push(`${effect.block} does not run ${count} times`);
  const times = run.now > 0 ? [0, ...run.later] : run.later;
  const gaps = times.map((time, i) => time - (i === 0 ? 0 : times[i - 1]!)).slice(run.now > 0 ? 1 : 0);
  const isWaitOf = (ms: number): boolean => gaps.every((gap) => gap >= ms - tickMs && gap <= ms + tickMs);
  const delay = after === undefined ? undefined : trial.given.get(after);
  // The reference reads no alias of a delay.
  const isRead = dialect === 'standard' || trial.row.give === undefined || after! in trial.row.give;
  if (delay !== undefined && isRead && !isWaitOf(Number(delay.value)))
    faults.push(`${effect.block} does not wait ${after} ms`);
  const named = new Set(own.flatMap((each) => Object.values(each)));
  for (const [operand, { value, held }] of trial.given) {
    if (named.has(operand)) continue;
    const { name } = vocabulary.actions.get(trial.type)!.params[operand]!;
    const isGroup = name === 'group' || name === 'object';
    const size = sizeOf(held ?? value);
    if (size === rounds || (isGroup && size >= rounds) || (gaps.length > 0 && isWaitOf(Number(value))))
      faults.push(`${effect.block}: ${operand} decides, and no role names it`);
  }
  if (over !== undefined) {
    const given = trial.given.get(over);
    if (!(sizeOf(given?.held ?? given?.value) >= rounds)) faults.push(`${effect.block} does not run over ${over}`);
  }
  if (over !== undefined && selects === undefined && run.selected.size > 0) faults.push(`selects ${[...run.selected]}`);
  if (selects !== undefined && !run.selected.has(selects)) faults.push(`does not select ${selects}`);
  return faults;
}
