/** Runs one job in its own process or thread, and sends the result to standard output or to the parent thread. */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { type LongPlayWishes, longPlay } from './long-play.ts';

export interface PlayerOrder {
  /** Path of the document. */
  readonly game: string;
  readonly wishes: LongPlayWishes;
}

const order = (workerData ?? JSON.parse(process.argv[2] ?? 'null')) as PlayerOrder;
const result = longPlay(JSON.parse(readFileSync(order.game, 'utf8')), order.wishes);
if (parentPort === null) process.stdout.write(JSON.stringify(result));
else parentPort.postMessage(result);
