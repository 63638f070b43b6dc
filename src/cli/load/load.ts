import { Simulation } from '../../../engine/index.ts';
import { subscribedIn } from '../../bots/index.ts';
import { crowdText, playCrowd } from '../../server/index.ts';
import { printAnswer, StatusLine, type Terminal } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { readGame, requireGame } from '../read-game.ts';
import type { LoadOptions } from './command.ts';

/** Connects bots to a server and reports the cost. */
export async function load(url: string, options: LoadOptions, terminal: Terminal) {
  if (!/^(http|ws)s?:\/\/[^/]+\/?$/.test(url)) {
    throw new Failure('bad-url', `"${url}" is not the URL of a server. Expected a URL such as http://localhost:8080.`);
  }
  const { stderr } = terminal;
  const { players, for: seconds, seed, rate, room, token, json = false } = options;
  const subscribed =
    options.game === undefined
      ? undefined
      : subscribedIn(new Simulation(requireGame(await readGame(options.game, terminal), terminal), { seed: '' }));
  const status = new StatusLine(stderr);
  let isInterrupted = false;
  const stopListening = terminal.onInterrupt(() => {
    isInterrupted = true;
  });
  try {
    const result = await playCrowd({
      url,
      players,
      seconds,
      seed,
      rate,
      room,
      token,
      subscribed,
      progress: (share) => status.show(`${Math.floor(share * 100)} %`),
      interrupted: () => isInterrupted,
    });
    status.clear();
    printAnswer(terminal, json, result, () => crowdText(result));
    return exitCodes.ok;
  } finally {
    status.clear();
    stopListening();
  }
}
