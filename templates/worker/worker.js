import { ReenactRoom, ReenactStore, reenact } from '@reenact/server/durable-object';
// A text, by the rule in wrangler.jsonc: it is parsed where a room plays it.
import game from './game.json';

// A room is an object of the first class; the second keeps saved data, definitions and the lists of rooms.
export { ReenactRoom, ReenactStore };
export default reenact({ games: { game } });
