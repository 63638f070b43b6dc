import type { Paint } from '../text/index.ts';
import type { Answer, Cause, Read, Write } from './answer.ts';

/** An answer as an indented tree, one fact per line. */
export function whyText(answer: Answer): string {
  return answerLines(answer, '').join('\n');
}

/** `told`: the write of the condition to which this part belongs; it has been shown already and is not repeated. */
function answerLines(answer: Answer, indent: string, isPart = false, told?: Write) {
  const { question, text, tick, seconds, write, notes = [], isFollowed, parts = [] } = answer;
  // As in the story of a failure, what broke a condition comes first.
  const isRestored = answer.isRestored || write?.before === true;
  const lines = [`${indent}${question} is ${text} at tick ${tick} (${seconds.toFixed(2)} s)`];
  const noteLines = notes.map((note) => `${indent}  ${note}`);
  if (!isRestored) lines.push(...noteLines);
  if (write !== undefined && write.tick === told?.tick && write.step === told.step)
    lines.push(`${indent}  ${writeHead(write)}; the cause is the same as above`);
  else if (write !== undefined) lines.push(...writeLines(write, `${indent}  `));
  else if (parts.length === 0 && notes.length === 0)
    lines.push(
      `${indent}  The value has not changed since the play began${isPart || !isFollowed ? '' : ', and no certain cause was found'}.`,
    );
  if (isRestored) lines.push(...noteLines);
  for (const part of parts) lines.push(...answerLines(part, `${indent}  `, true, write));
  return lines;
}

/** The lines of a write and its causes, beginning with `tick 280 (14.00 s): 2 → 1`. */
function writeLines(write: Write, indent: string) {
  const lines = (write.earlier ?? []).map((each) => `${indent}${writeText(each)}`);
  lines.push(`${indent}${writeHead(write)}`, ...(write.posted ?? []).map((text) => `${indent}  ${text}`));
  write.causes.forEach((cause, i) => {
    lines.push(...causeLines(cause, `${indent}  `, i === 0));
  });
  return lines;
}

function writeHead({ tick, seconds, beforeText, afterText }: Write) {
  const change = afterText === undefined ? '' : `: ${beforeText} → ${afterText}`;
  return `tick ${tick} (${seconds.toFixed(2)} s)${change}`;
}

/** A write on one line: the change, what made it, and where. */
export function writeText(write: Write): string {
  return `${writeHead(write)} by ${writeCauseText(write)}`;
}

export function writeCauseText({ causes }: Write): string {
  const [cause] = causes;
  const script = causes.find(({ kind }) => kind === 'script');
  const by = cause === undefined ? 'the game' : causeText(cause);
  return script === undefined || script === cause ? by : `${by} in ${script.text}`;
}

function causeLines(cause: Cause, indent: string, isFirst: boolean) {
  const lines = [`${indent}${isFirst ? 'by ' : word(cause)}${causeText(cause)}`];
  for (const read of cause.reads ?? []) lines.push(...readLines(read, `${indent}  `));
  if (cause.started !== undefined) {
    cause.started.causes.forEach((each, i) => {
      lines.push(...causeLines(each, `${indent}  `, i === 0));
    });
  }
  return lines;
}

/** A cause on one line, with the values that it read: `inside if n > 1 (scripts/a/actions/0) (n was 2)`. */
export function causeLine(cause: Cause): string {
  const reads = (cause.reads ?? []).map(({ text, valueText }) => `${text} was ${valueText}`);
  return `${word(cause)}${causeText(cause)}${reads.length === 0 ? '' : ` (${reads.join(', ')})`}`;
}

function word({ kind }: Cause) {
  return kind === 'condition' ? 'inside ' : kind === 'action' ? 'called by ' : kind === 'script' ? 'in ' : 'from ';
}

/** A cause on one line, with its place. */
function causeText({ text, script, path, kind }: Cause) {
  if (kind === 'action' || kind === 'condition') return `${text}  (${script}/actions/${path})`;
  return text;
}

function readLines({ text, valueText, why }: Read, indent: string) {
  const lines = [`${indent}${text} was ${valueText}`];
  if (why?.write !== undefined) lines.push(...writeLines(why.write, `${indent}  `));
  else if (why !== undefined) lines.push(`${indent}  unchanged since the play began`);
  return lines;
}

/** A line in colours: the tick of a change stands out; earlier values, and locations in the definition, are dimmed. */
export function paintedWhy(line: string, paint: Paint): string {
  return line
    .replace(/\btick \d+ \([\d.]+ s\)/, (tick) => paint('cyan', tick))
    .replace(/\((?:was [^)]*|(?:\w+Types\/\w+\/)?scripts\/[^)]*)\)/, (place) => paint('dim', place));
}
