import { actionAt, type Input, type Simulation, scriptsIn } from '../../engine/index.ts';
import { nameText } from '../expression/index.ts';
import { actionText, operandText } from '../run/index.ts';
import { shortened, times, wordTable } from '../text/index.ts';
import type { Cause, Read } from './answer.ts';
import { isPlace } from './reading.ts';
import { shownReads } from './shown-reads.ts';
import { type Change, type Fired, type Frame, nameableId, type ValueRead } from './tick-trace.ts';

/** The circumstances of a change that its frames do not contain. */
interface Around {
  /** The simulation after the tick, from which scripts and the definition are read. */
  readonly sim: Simulation;
  readonly tick: number;
  /** The entity and the member whose value changed: `u12` and `health` of `u12.health`. */
  readonly subject: string | undefined;
  readonly member: string | undefined;
  /** Whether the value is a count of events, so that the change is an event. */
  readonly isCount: boolean;
  /** How the changed attribute regenerates; undefined if it does not. */
  readonly regeneration: string | undefined;
  /** Why the entity moves, as determined before the physics step. */
  readonly motion: string | undefined;
}

/**
 * A cause whose timer, if it has one, has not been traced to the action that started it. `timer`: the number of the
 * timer.
 */
export interface OpenCause extends Cause {
  readonly timer?: number;
}

/** The causes of a change, from the immediate cause back to the root cause. */
export function causesOf(change: Change, around: Around): OpenCause[] {
  const causes: OpenCause[] = [];
  let { frames } = change;
  const acting = frames.findLastIndex(({ kind }) => kind !== 'rule');
  // Events between rules only pass on what the action did, so they are left out unless they name an attacker.
  if (frames[acting]?.kind === 'action' && lastHit(frames.at(-1), around.subject) === '')
    frames = frames.slice(0, acting + 1);
  const inner = frames.at(-1);
  const isRun = around.isCount && inner?.kind === 'script';
  const isTold = inner?.kind === 'action' || inner?.kind === 'input' || inner?.kind === 'timer' || isRun;
  if (!isTold) {
    causes.push({ kind: isEdit(inner) ? 'edit' : 'rule', text: ruleText(inner, around) });
  }
  let action: string | undefined;
  for (let at = frames.length - 1; at >= 0; at--) {
    const frame = frames[at]!;
    switch (frame.kind) {
      case 'action': {
        const cause = actionCause(frame, around);
        // If this action contains the action of the previous cause, this action is the condition under which the other
        // one ran.
        const isAround = action?.startsWith(`${cause.script}/${cause.path}/`);
        const isElse = isAround === true && action!.startsWith(`${cause.script}/${cause.path}/else/`);
        const text = isElse ? `the else of ${cause.text}` : cause.text;
        causes.push(isAround === true ? { ...cause, kind: 'condition', text } : cause);
        action = `${cause.script}/${cause.path}`;
        break;
      }
      case 'script': {
        const script = scriptsIn(around.sim).scripts[frame.index]!;
        const on = frame.on === undefined ? '' : ` on ${frame.on}`;
        const reads = readsOf(frame.reads, around.tick);
        causes.push({
          kind: 'script',
          text: `script "${script.name}"${on}`,
          script: script.place,
          ...(reads.length > 0 && { reads }),
        });
        break;
      }
      case 'trigger':
        causes.push({ kind: 'trigger', text: triggerText(frame.is), ...attributeRead(frame, around) });
        if (frame.queuedBy !== undefined && frame.queuedBy.frames.length > 0) {
          frames = frame.queuedBy.frames;
          at = frames.length;
          const by = frames[at - 1]!;
          if (by.kind === 'system')
            causes.push({ kind: by.name === 'clock' ? 'clock' : 'rule', text: systems[by.name] ?? by.name });
        }
        break;
      case 'rule':
        if (frame !== inner) causes.push({ kind: 'rule', text: eventText(frame) });
        break;
      case 'turn':
        if (frame !== inner) causes.push({ kind: 'rule', text: `the turn of ${frame.text}` });
        break;
      case 'input':
        causes.push({ kind: 'input', text: inputText(frame.input) });
        break;
      case 'timer':
        if (!causes.some(({ kind }) => kind === 'script')) causes.push(...scriptAround(causes.at(-1), around));
        causes.push({ kind: 'timer', text: 'a timer', timer: frame.sequence });
        break;
      case 'system':
        if (frame.name === 'start') causes.push({ kind: 'start', text: 'the start of the game' });
        else if (frame !== inner && isEdit(frame)) causes.push({ kind: 'edit', text: ruleText(frame, around) });
        else if (frame !== inner && at === 0 && frame.name === 'physics' && frames[1]?.kind === 'trigger')
          causes.push({ kind: 'rule', text: 'a contact in the physics step' });
        break;
    }
  }
  return folded(causes);
}

/** The script of an action that a timer ran: the script itself has ended by then, so no frame names it. */
function scriptAround(cause: Cause | undefined, { sim }: Around): Cause[] {
  if (cause?.path === undefined) return [];
  const script = scriptsIn(sim).scripts.find(({ place }) => place === cause.script);
  return script === undefined ? [] : [{ kind: 'script', text: `script "${script.name}"`, script: script.place }];
}

/**
 * Shortens the causes of a script that started itself, directly or through other scripts: only its innermost and
 * outermost runs remain.
 */
function folded<C extends Cause>(causes: readonly C[]): C[] {
  const found: C[] = [];
  const told = new Set<string>();
  for (let i = 0; i < causes.length; i++) {
    const cause = causes[i]!;
    const isSame = (each: Cause) => each.kind === 'script' && each.script === cause.script;
    const outermost = isSame(cause) && told.has(cause.script!) ? causes.findLastIndex(isSame) : i;
    const starts = causes.slice(i, outermost).filter(isSame).length;
    i = outermost;
    if (isSame(cause)) told.add(cause.script!);
    const started = `, which had started itself ${times(starts)}`;
    found.push(starts === 0 ? cause : { ...causes[i]!, text: `${causes[i]!.text}${started}` });
  }
  return found;
}

function isEdit(frame: Frame | undefined) {
  return frame?.kind === 'system' && frame.name === 'edit';
}

function actionCause(frame: Extract<Frame, { kind: 'action' }>, { sim, tick }: Around): Cause {
  const location = actionAt(sim, frame.location)!;
  const { script, path } = location;
  const node = location as unknown as Parameters<typeof actionText>[0];
  const reads = readsOf(frame.reads, tick);
  return { kind: 'action', text: actionText(node), script: script.place, path, ...(reads.length > 0 && { reads }) };
}

function readsOf(all: readonly ValueRead[], tick: number): Read[] {
  return shownReads(all).map(({ node, value, text, expression, step }) => ({
    text: expression ?? shortened(operandText(node), 90),
    value,
    valueText: text,
    ...(expression !== undefined && { expression }),
    tick,
    step,
  }));
}

function triggerText({ trigger, on, payload }: Fired) {
  const where = on === undefined ? '' : ` on ${on}`;
  const what = payload.map(({ member, text }) => `${member} ${text}`).join(', ');
  return `trigger ${trigger}${where}${what === '' ? '' : `: ${what}`}`;
}

/** The attribute that a trigger is about, as a read, so that readers can ask for its last change. */
function attributeRead(
  { is, queuedBy, step }: Extract<Frame, { kind: 'trigger' }>,
  { sim, tick }: Around,
): Pick<Cause, 'reads'> {
  const attribute = is.payload.find(({ member }) => member === 'attribute');
  const of = nameableId(sim, is.payload.find(({ id }) => id !== undefined)?.id ?? is.onId);
  if (attribute?.key === undefined || of === undefined) return {};
  const expression = `${of}.${nameText(attribute.key)}`;
  const value = is.trigger.endsWith('Zero') ? 0 : null;
  const valueText = value === null ? 'full' : '0';
  return { reads: [{ text: expression, value, valueText, expression, tick, step: queuedBy?.step ?? step }] };
}

const systems = wordTable(`
clock: the clock of the game
inputs: the inputs of the tick
timers: the end of a life span, or the removal of a player
physics: the physics step
rows: the removal of destroyed entities
players: regeneration of the player
edit: a change from outside the game, by a test or tool
status effects: the end of a status effect
server: the life span of the server
`);

/**
 * Describes an event between rules: `the event "owner changed" of u6 (Human)`. See `engine/rules/events.ts` for the
 * events.
 */
function eventText({ event, text, other }: Extract<Frame, { kind: 'rule' }>) {
  const words = event.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `the event "${words}" of ${text}${other === '' ? '' : ` with ${other}`}`;
}

/** Describes what the engine did, for a change that no script action made. */
function ruleText(inner: Frame | undefined, { subject, member, motion, regeneration }: Around) {
  const hit = lastHit(inner, subject);
  if (inner === undefined) return 'the game';
  switch (inner.kind) {
    case 'rule':
      return `${eventText(inner)}${hit}`;
    case 'turn':
      if (hit !== '') return `damage${hit}`;
      if (inner.id !== subject) return `the turn of ${inner.text}${after(inner)}`;
      if (regeneration !== undefined) return `regeneration of ${inner.text} at ${regeneration}`;
      if (isPlace(member)) return `the movement of ${inner.text} in its turn`;
      return `the turn of ${inner.text}: AI, abilities or buffs${after(inner)}`;
    case 'trigger':
      return `the engine, between two scripts for ${triggerText(inner.is)}${after(inner)}`;
    case 'script':
      return `the start of a script${after(inner)}`;
    case 'system':
      if (inner.name === 'physics') {
        if (isPlace(member)) return motionText(motion, inner, subject);
        return `the physics step${after(inner)}`;
      }
      if (inner.by !== undefined) return shortened(inner.by, 160);
      if (inner.name === 'players' && regeneration !== undefined) return `${systems[inner.name]} at ${regeneration}`;
      return `${systems[inner.name] ?? inner.name}${after(inner)}`;
    default:
      return '';
  }
}

/** The last trigger that fired before the change, as text: `, after …`. */
function after({ fired }: Frame) {
  const last = fired.at(-1);
  return last === undefined ? '' : `, after ${triggerText(last)}`;
}

/** Names the attacker if the entity was attacked last in this frame: ` by u3 with i2`. */
function lastHit(frame: Frame | undefined, subject: string | undefined) {
  const last = frame?.fired.at(-1);
  if (last?.trigger !== 'entityGetsAttacked' || subject === undefined) return '';
  if (last.onId !== subject) return '';
  const [by, item] = ['unit', 'item'].map((each) => last.payload.find(({ member }) => member === each)?.text);
  return `${by === undefined ? '' : ` by ${by}`}${item === undefined ? '' : ` with ${item}`}`;
}

function motionText(motion: string | undefined, { fired }: Frame, subject: string | undefined) {
  const touched = fired.flatMap(({ payload, on, trigger }) => {
    if (!trigger.includes('Touches')) return [];
    if (!payload.some(({ id }) => id === subject)) return [];
    return [trigger, on ?? ''].filter((each) => each !== '').slice(0, 1);
  });
  const contact = touched.length === 0 ? '' : `; contacts of the step: ${[...new Set(touched)].join(', ')}`;
  return `the physics step${motion === undefined ? '' : `: ${motion}`}${contact}`;
}

export function inputText({ kind, ...rest }: Input): string {
  const details = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([member, value]) => `${member} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`);
  return shortened(`input ${kind}${details.length === 0 ? '' : `: ${details.join(', ')}`}`, 160);
}
