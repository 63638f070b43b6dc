import type { LoadedGame } from '../../../engine/index.ts';
import { drawn, graphOf } from '../../graph/index.ts';
import type { FailureReport } from '../../run/index.ts';

/**
 * The recording with a drawing of the variables with states that the failure mentions. Transitions that did not happen
 * in the play are dashed.
 */
export async function withStates<Recording extends { readonly ran: readonly string[] }>(
  game: LoadedGame,
  { expressions, questions = [], falseConditions, why }: FailureReport,
  recording: Recording,
): Promise<Recording & { readonly states?: string }> {
  const said = wordsOf([...expressions, ...questions, ...falseConditions.map(({ text }) => text), ...why].join(' '));
  const switches = graphOf(game).switches.filter(({ variable }) => said.includes(wordsOf(variable)));
  if (switches.length === 0) return recording;
  return { ...recording, states: await drawn({ switches, scripts: [] }, 'svg', new Set(recording.ran)) };
}

/** The words of a text, separated and enclosed by single spaces. */
function wordsOf(text: string) {
  return ` ${text.replace(/[^\p{L}\p{N}_]+/gu, ' ').trim()} `;
}
