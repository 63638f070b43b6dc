import type { Answer, Write } from './answer.ts';
import type { RecordedPlay } from './recorded-play.ts';
import { causeLine, writeCauseText } from './why-text.ts';

const writesTold = 2;
const detailsTold = 2;
/** Matches the causes worth telling: the conditions around an action, and triggers with a payload. */
const decides = /^(?:the else of )?if |^trigger .*: /;

/**
 * Explains why a condition is not true at the end of a play; for `fired`, `runs` and `outputs`, why the event did not
 * happen. The cause comes first. Lines that begin with spaces are details of the line before.
 */
export function storyOf(play: RecordedPlay, expression: string, tick: number): readonly string[] {
  const answer = play.why(expression, tick, { isExpected: true });
  const { notes = [], parts = [answer], write: last } = answer;
  const changed = parts.filter((part) => !isSame(part));
  // The parts that made a condition false after it had been true come first, with their causes.
  const isBreaking = ({ write }: Answer) => last?.before === true && write!.tick === last.tick;
  const broken = changed.filter(isBreaking).map((part) => becameStory(play, part, tick));
  const breaking = broken.map(([first]) => first!);
  const around = broken.flatMap(([, ...rest]) => rest);
  const others = changed.filter((part) => !isBreaking(part)).flatMap((part) => becameStory(play, part, tick)[0]!);
  const same = parts.filter((part) => isSame(part) && !part.text.startsWith(part.question));
  const [cause, ...more] = notes;
  if (cause === undefined && changed.length === 0)
    return same
      .filter(({ isFollowed }) => isFollowed)
      .map(({ question, text }) => `${question} stayed ${text}: no certain cause was found.`);
  const [only, ...rest] = same;
  const isOnly = changed.length === 0 && only !== undefined && rest.length === 0;
  const head = cause === undefined ? [] : [isOnly ? `${only.question} stayed ${only.text}: ${cause}` : cause];
  const details = more.findIndex((each) => !each.startsWith(' '));
  const end = details < 0 ? more.length : details;
  // If the notes begin with what a script would have done, that explains more than all the conditions under which
  // another script made the condition false, so these are left out.
  const told = cause?.startsWith('"') ? [] : around;
  const shown = [...head, ...more.slice(0, end)];
  // What happened comes before what would have happened if the game were different.
  if (cause?.includes('would have been')) return [...breaking, ...others.slice(0, 1), ...shown, ...more.slice(end)];
  return [...breaking, ...told, ...shown, ...others.slice(0, writesTold), ...more.slice(end)];
}

/** Whether a value is still the first one, and was not set by a step of a test. */
function isSame({ write }: Answer) {
  return write === undefined || write.beforeText?.startsWith('nothing: ') || write.beforeText === write.afterText;
}

/** Lines such as `u1.health became 75 (before: 100) at tick 120: damage by u3 …`, and what had led to it. */
function becameStory(play: RecordedPlay, { question, write }: Answer, tick: number) {
  // A value that regenerates, or that a script counts, changes all the time, so its last change in the opposite
  // direction is told instead.
  const isSlow = /^regeneration|\(.* [-+] /.test(write!.causes[0]!.text);
  const turn = isSlow ? play.turn(question, tick) : undefined;
  if (turn?.tick) return [`${became(question, turn)} Since then: ${write!.causes[0]!.text}.`];
  const before = write!.causes.filter(({ text }) => decides.test(text)).slice(0, detailsTold);
  return [became(question, write!), ...before.map((cause) => `  ${causeLine(cause)}`)];
}

function became(question: string, write: Write) {
  const { tick, beforeText, afterText } = write;
  const changed =
    afterText === undefined ? `${question} happened last` : `${question} became ${afterText} (before: ${beforeText})`;
  return `${changed} at tick ${tick}: ${writeCauseText(write)}.`;
}
