import {
  anything,
  type Check,
  either,
  isFlag,
  isNumber,
  isText,
  listOf,
  oneOf,
  optional,
  record,
} from '../core/shape.ts';
import { moderations } from '../rules/players/moderation.ts';
import type { PlayerAccount } from '../world/state.ts';
import type { Input } from './input.ts';

type Kinds = Input['kind'];
type Members<K extends Kinds> = Omit<Extract<Input, { readonly kind: K }>, 'kind'>;
type Start = Omit<Extract<Input, { readonly kind: 'trade'; readonly with: string }>, 'kind'>;

const player = isText;
const key = record<Members<'keyDown'> & { kind: unknown }>({
  kind: anything,
  player,
  key: isText,
  device: optional(oneOf(['key', 'mouse'])),
});
const text = record<{ kind: unknown; player: string; text: string }>({ kind: anything, player, text: isText });
const purchase = record<{ kind: unknown; player: string; type: string }>({ kind: anything, player, type: isText });
const result = record<{ kind: unknown; player: string; result: string }>({ kind: anything, player, result: isText });

function of<K extends Kinds>(members: { readonly [M in keyof Members<K>]-?: Check }): Check {
  return record({ kind: anything, ...members } as Record<string, Check>);
}

/** What each input must look like; the compiler wants every kind and every member. */
const checks: { readonly [K in Kinds]: Check } = {
  join: of<'join'>({
    name: optional(isText),
    clientId: optional(isText),
    userId: optional(isText),
    ip: optional(isText),
    isMobile: optional(isFlag),
    isBot: optional(isFlag),
    roleIds: optional(listOf(isText)),
    account: optional(
      record<PlayerAccount>({
        lastPlayedMs: optional(isNumber),
        invitedUsers: optional(isNumber),
        usesAdblock: optional(isFlag),
        highscore: optional(isNumber),
        coins: optional(isNumber),
      }),
    ),
    persisted: anything,
  }),
  leave: of<'leave'>({ player }),
  keyDown: key,
  keyUp: key,
  mouse: of<'mouse'>({ player, x: isNumber, y: isNumber, yaw: optional(isNumber) }),
  absoluteAngle: of<'absoluteAngle'>({ player, angle: isNumber }),
  chat: text,
  customInput: text,
  htmlClick: of<'htmlClick'>({ player, element: anything }),
  data: of<'data'>({ player, data: anything }),
  buyItem: purchase,
  buyUnit: purchase,
  swapItems: of<'swapItems'>({ player, from: isNumber, to: isNumber }),
  dialogueOption: of<'dialogueOption'>({ player, dialogue: isText, option: isText }),
  adResult: result,
  coinsResult: of<'coinsResult'>({ player, result: isText, coins: optional(isNumber) }),
  tradeClick: of<'tradeClick'>({ player, withUnit: isText }),
  trade: either(
    record<{ kind: unknown } & Start>({ kind: anything, player, type: oneOf(['start']), with: isText }),
    record<{ kind: unknown; player: string; type: string }>({
      kind: anything,
      player,
      type: oneOf(['offer', 'accept', 'cancel']),
    }),
  ),
  moderate: of<'moderate'>({
    player,
    action: oneOf(moderations),
    target: isText,
    message: optional(isText),
  }),
  shutDown: of<'shutDown'>({}),
  httpAnswer: of<'httpAnswer'>({ requestId: isNumber, body: anything }),
  dropItemOnCanvas: of<'dropItemOnCanvas'>({ player, item: isText }),
};

/** The kinds of inputs there are. */
export const inputKinds: readonly string[] = Object.keys(checks);

/** Whether something that comes from outside is an input. */
export function isInput(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  const { kind } = value as { kind?: unknown };
  return typeof kind === 'string' && Object.hasOwn(checks, kind) && checks[kind as Kinds](value);
}
