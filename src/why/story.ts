import { type Answer, isFirstValue, type Write } from './answer.ts';
import type { RecordedPlay } from './recorded-play.ts';
import { writeCauseText } from './why-text.ts';

const writesTold = 2;

/**
 * Explains why a condition is not true at the end of a play; for `fired`, `runs` and `outputs`, why the event did not
 * happen. The cause comes first. Lines that begin with spaces are details of the line before.
 */
export function storyOf(play: RecordedPlay, expression: string, tick: number): readonly string[] {
  const answer = play.why(expression, tick);
  const { notes = [], parts = [answer] } = answer;
  const changed = parts.filter((part) => !isSame(part)).map((part) => becameStory(play, part, tick));
  const same = parts.filter((part) => isSame(part) && !part.text.startsWith(part.question));
  const stayed = same.map(({ question, text }) => `${question} stayed ${text}`);
  const [cause, ...more] = notes;
  if (cause === undefined)
    return changed.length > 0
      ? changed.slice(0, writesTold)
      : stayed.map((text) => `${text}: nothing in the play tried to change it.`);
  const head = changed.length === 0 && stayed.length === 1 ? `${stayed[0]}: ${cause}` : cause;
  return [...changed.slice(0, writesTold), head, ...more];
}

/** Whether a value is still the first one, and was not set by a step of a test. */
function isSame(part: Answer): boolean {
  const { write } = part;
  if (write?.beforeText?.startsWith('nothing: ') === true || (write && write.beforeText === write.afterText))
    return true;
  return isFirstValue(part) && write?.causes[0]?.kind !== 'edit';
}

/** A line such as `u1.health became 75 (before: 100) at tick 120: damage by u3 …`. */
function becameStory(play: RecordedPlay, { question, write }: Answer, tick: number): string {
  const isSlow = write!.causes[0]?.text.startsWith('regeneration') === true;
  const turn = isSlow ? play.turn(question, tick) : undefined;
  if (turn !== undefined) return `${became(question, turn)} Since then: ${write!.causes[0]!.text}.`;
  return became(question, write!);
}

function became(question: string, write: Write): string {
  const { tick, beforeText, afterText } = write;
  const changed =
    afterText === undefined ? `${question} happened last` : `${question} became ${afterText} (before: ${beforeText})`;
  return `${changed} at tick ${tick}: ${writeCauseText(write)}.`;
}
