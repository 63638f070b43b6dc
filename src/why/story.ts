import type { Action } from '../../engine/index.ts';
import { variableReadBy } from '../model/index.ts';
import { conditionText, type FalseComparison, operandText } from '../run/index.ts';
import { type Absence, isOff, times } from './absence.ts';
import { type Answer, isFirstValue, type Write } from './answer.ts';
import type { RecordedPlay } from './recorded-play.ts';
import { writeCauseText } from './why-text.ts';

const partsTold = 2;
const makersTold = 2;

/**
 * Why a condition does not hold at the end of a play, in one or two sentences; for `fired`, `runs` and `outputs`, why
 * the event did not happen.
 */
export function storyOf(play: RecordedPlay, expression: string, tick: number): readonly string[] {
  const answer = play.why(expression, tick);
  if (answer.notes !== undefined && answer.parts === undefined && answer.write === undefined)
    return answer.notes.slice(0, 3);
  const parts = answer.parts ?? [answer];
  const stories = parts.slice(0, partsTold).map((part) => partStory(play, expression, part, tick));
  const told = stories.filter(({ isTold }) => isTold);
  return (told.length > 0 ? told : stories).map(({ text }) => text);
}

interface Story {
  readonly text: string;
  /** False if it only says that a value is what it was at first, which is worth telling if there is nothing else. */
  readonly isTold: boolean;
}

function partStory(play: RecordedPlay, expression: string, part: Answer, tick: number): Story {
  const { question, text, write, notes = [] } = part;
  const isFirst = isFirstValue(part);
  const noted = mainNotes(notes);
  const stayed = `${question} ${isFirst ? 'stayed' : 'is'} ${text}`;
  const blocked = blockedStory(play, expression, part, tick) ?? (isFirst && noted !== '' ? noted : undefined);
  if (blocked !== undefined) return { text: `${stayed}: ${blocked}`, isTold: true };
  if (write === undefined || (isFirst && write.causes[0]?.kind !== 'edit'))
    return { text: `${stayed}.`, isTold: false };
  const isSlow = write.causes[0]?.text.startsWith('regeneration') === true;
  const turn = isSlow ? play.turn(question, tick) : undefined;
  const became =
    turn === undefined
      ? [becameStory(question, write), noted].join(' ').trim()
      : `${becameStory(question, turn)} Since then: ${write.causes[0]!.text}.`;
  return { text: became, isTold: true };
}

const notesTold = 3;

/** The first notes; actions that are switched off come first, because few are. */
function mainNotes(notes: readonly string[]): string {
  const ordered = [...notes.filter(isOff), ...notes.filter((line) => !isOff(line))];
  return ordered
    .slice(0, notesTold)
    .map((line) => line.trim())
    .join(' ');
}

/** `u1.health became 75 (before: 100) at tick 120: damage by u3 …` */
function becameStory(question: string, write: Write): string {
  const { tick, beforeText, afterText } = write;
  const changed =
    afterText === undefined ? `${question} happened last` : `${question} became ${afterText} (before: ${beforeText})`;
  return `${changed} at tick ${tick}: ${writeCauseText(write)}.`;
}

/** What kept scripts from changing a value as expected: `timeLeft never reached 0; "every second" ran 14 times …`. */
function blockedStory(play: RecordedPlay, expression: string, part: Answer, tick: number): string | undefined {
  const absence = play.absenceUpTo(tick);
  const { actions, none } = play.makers(expression, part, absence);
  const [maker] = actions;
  if (maker === undefined && none !== '') return none;
  if (maker === undefined || actions.some((each) => absence.ran(each) > 0)) return undefined;
  // Each script that would have changed it may be the one that was meant to.
  const stories = new Map<string, string>();
  for (const action of actions) {
    const barrier =
      stories.has(action.script.name) || stories.size === makersTold ? undefined : absence.barrier(action);
    if (barrier === undefined) continue;
    const story = barrier.kind === 'text' ? barrier.text : barrierStory(play, absence, barrier.found, tick);
    if (![...stories.values()].includes(story)) stories.set(action.script.name, story);
  }
  if (stories.size === 0) return undefined;
  // What surrounds the play may keep the game from other ways to the value, too.
  absence.ofActions(actions, '');
  const off =
    absence.offText(maker) === undefined ? actions.flatMap((each) => absence.offText(each) ?? []).slice(0, 1) : [];
  const told = [...stories].map(([name, story]) =>
    stories.size === 1 ? story : `"${name}" never got to it: ${story}`,
  );
  return [...told, ...off, ...play.surroundings(absence, tick)].join(' ');
}

function barrierStory(play: RecordedPlay, absence: Absence, all: readonly FalseComparison[], tick: number): string {
  const [found] = all as readonly [FalseComparison];
  const { node, count, last } = found;
  const variable = variableReadBy(node.sides[0]);
  const bound = node.sides[1].kind === 'literal' ? node.sides[1].json : undefined;
  if (all.length > 1) {
    const values = all.map(
      ({ node: { sides }, last: { left } }) => `${operandText(sides[0])} was ${absence.printed(left)}`,
    );
    const conditions = all.map((each) => conditionText(each.node)).join(' or ');
    return `"${node.script.name}" waits for ${conditions}, which was false ${times(count)}: ${[...new Set(values)].join(', ')}.`;
  }
  if (variable === undefined || typeof bound !== 'number') {
    const value = `(${count > 1 ? 'last ' : ''}${absence.printed(last.left)})`;
    const story = `"${node.script.name}" waits for ${conditionText(node)}, which was false ${times(count)} ${value}.`;
    return [story, ...absence.unsetIn(node)].join(' ');
  }
  const reached = node.operator === '==' || node.operator === '<=' || node.operator === '>=' ? 'reached' : 'passed';
  return `${variable} never ${reached} ${bound}; ${changesStory(play, absence, variable, tick)}`;
}

function changesStory(play: RecordedPlay, absence: Absence, variable: string, tick: number): string {
  const [first, last] = [play.value(variable, play.journal.head.tick), play.value(variable, tick)];
  const writers = [...absence.writers(variable)].sort((a, b) => absence.ran(b) - absence.ran(a));
  const [writer] = writers;
  if (writer === undefined || absence.ran(writer) === 0)
    return `nothing changed it: it stayed ${absence.printed(last)}.`;
  const ran = (action: Action): string => (absence.ran(action) === 1 ? 'once' : `${absence.ran(action)} times`);
  const undoer =
    first === last ? writers.find((each) => absence.ran(each) > 1 && each.script !== writer.script) : undefined;
  if (undoer !== undefined)
    return `"${writer.script.name}" set it ${ran(writer)}, and "${undoer.script.name}" ${ran(undoer)}: it is ${absence.printed(last)} again.`;
  return `"${writer.script.name}" ran ${ran(writer)}, and set it from ${absence.printed(first)} to ${absence.printed(last)}.`;
}
