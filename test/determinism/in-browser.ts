/** Runs a job in a worker of a browser: fetches the job and posts the result. */
import { longPlay } from './long-play.ts';

async function play(): Promise<unknown> {
  const order = (await (await fetch('/order')).json()) as { document: unknown; wishes: Parameters<typeof longPlay>[1] };
  return longPlay(order.document, order.wishes);
}

void play()
  .catch((error: unknown) => ({ failure: String(error) }))
  .then((result) => fetch('/result', { method: 'POST', body: JSON.stringify(result) }));
