/** The same in a thread of a browser: fetches the play and posts the result. */
import { longPlay } from './long-play.ts';

async function play(): Promise<unknown> {
  const order = (await (await fetch('/order')).json()) as { document: unknown; wishes: Parameters<typeof longPlay>[1] };
  return longPlay(order.document, order.wishes);
}

void play()
  .catch((error: unknown) => ({ failure: String(error) }))
  .then((result) => fetch('/result', { method: 'POST', body: JSON.stringify(result) }));
