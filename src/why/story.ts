import type { Action } from '../../engine/index.ts';
import { conditionText, variableOf } from '../run/script-text.ts';
import type { Absence } from './absence.ts';
import type { Answer, Write } from './answer.ts';
import type { RecordedPlay } from './recorded-play.ts';
import { writeCauseText } from './why-text.ts';

const partsTold = 2;

/**
 * Why a condition does not hold at the end of a play, in one or two sentences; for `fired`, `runs` and `outputs`, why
 * the event did not happen.
 */
export function storyOf(play: RecordedPlay, expression: string, tick: number): readonly string[] {
  const answer = play.why(expression, tick);
  if (answer.notes !== undefined && answer.parts === undefined && answer.write === undefined)
    return answer.notes.slice(0, 3);
  const parts = answer.parts ?? [answer];
  return parts.slice(0, partsTold).map((part) => partStory(play, expression, part, tick));
}

function partStory(play: RecordedPlay, expression: string, { question, text, write }: Answer, tick: number): string {
  const wanted = play.wantedOf(expression, question);
  const blocked = wanted === undefined ? undefined : blockedStory(play, question, wanted, tick);
  const stayed = write === undefined ? `${question} stayed ${text}` : `${question} is ${text}`;
  if (blocked !== undefined) return `${stayed}: ${blocked}`;
  if (write === undefined) return `${stayed}.`;
  const isSlow = write.causes[0]?.text.startsWith('regeneration') === true;
  const turn = isSlow ? play.turn(question, tick) : undefined;
  return turn === undefined
    ? becameStory(question, write)
    : `${becameStory(question, turn)} Since then: ${write.causes[0]!.text}.`;
}

/** `u1.health became 75 (before: 100) at tick 120: damage by u3 …` */
function becameStory(question: string, write: Write): string {
  const { tick, beforeText, afterText } = write;
  const changed =
    afterText === undefined ? `${question} happened last` : `${question} became ${afterText} (before: ${beforeText})`;
  return `${changed} at tick ${tick}: ${writeCauseText(write)}.`;
}

/** What kept a script from setting a variable to a value: `timeLeft never reached 0; "every second" ran 14 times …`. */
function blockedStory(play: RecordedPlay, name: string, wanted: unknown, tick: number): string | undefined {
  const absence = play.absenceUpTo(tick);
  const writers = absence.writers(name, wanted);
  const [writer] = writers;
  if (writer === undefined || writers.some((each) => absence.ran(each) > 0)) return undefined;
  const barrier = absence.barrier(writer);
  if (barrier === undefined) return undefined;
  if (barrier.kind === 'text') return barrier.text;
  const { node, count, last } = barrier.found;
  const variable = variableOf(node.sides[0]);
  const bound = node.sides[1].kind === 'literal' ? node.sides[1].json : undefined;
  if (variable === undefined || typeof bound !== 'number')
    return `"${node.script.name}" waits for ${conditionText(node)}, which was false ${count} times (last ${absence.printed(last.left)}).`;
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
