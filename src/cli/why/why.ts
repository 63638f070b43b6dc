import { painter, printAnswer, type Terminal, ticksOf, widthOf, wrapped } from '../../text/index.ts';
import { paintedWhy, RecordedPlay, whyText, writeText } from '../../why/index.ts';
import { playOf } from '../debug/debug.ts';
import { exitCodes } from '../failure.ts';
import { wantsColor } from '../issues/pretty.ts';
import { timeOf } from '../read-journal.ts';
import type { WhyCommandOptions } from './command.ts';

/**
 * Explains a value of a recording, or of a game that bots play first. With `--writes`, lists all changes of the value
 * instead.
 */
export async function why(
  path: string,
  question: string,
  { at, depth = 1, writes, json, ...played }: WhyCommandOptions,
  terminal: Terminal,
) {
  const { loaded, journal } = await playOf(path, played, terminal);
  const play = new RecordedPlay(loaded, journal);
  const tick = at === undefined ? journal.lastTick : ticksOf(timeOf('--at', at), journal.head.rate);
  const { answer, text } = answered();
  const { stdout } = terminal;
  const paint = painter(wantsColor(terminal));
  const width = stdout.isTTY === true ? widthOf(stdout) : Infinity;
  const lines = text.split('\n').flatMap((line) => wrapped(line, width).map((part) => paintedWhy(part, paint)));
  printAnswer(terminal, json, answer, () => `${lines.join('\n')}\n`);
  return exitCodes.ok;

  function answered() {
    if (writes === true) {
      const found = play.changes(question, journal.head.tick, tick).flatMap((each) => play.writes(question, each));
      const all = found.map(writeText).join('\n');
      return { answer: found, text: all || `${question} did not change` };
    }
    const found = play.why(question, tick, { depth });
    return { answer: found, text: whyText(found) };
  }
}
