import { Script } from './connection.ts';

/**
 * Scripts that Redis runs as one step each. They decide whether a process may write. The room's hash has the token of the process that plays
 * it. A takeover makes a larger one, so that of two writers one is refused for ever. Keys of a room: `meta`, its hash; `ticks` and `snapshots`, its
 * streams. Keys of a process: a lease, which runs out, and `rooms`, the set of its rooms.
 */

/** The verdict of a script about a room. */
export const verdicts = {
  /** Done. */
  kept: 1,
  /** The database has lost something: its state is not the one that the writer has written. */
  adrift: 0,
  /** Another process has the room. */
  fenced: -1,
} as const;

/** KEYS meta, rooms. ARGV process, form, identity, room. 1, or 0 where there is such a room. */
export const openRoom = new Script(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'token', 1, 'form', ARGV[2], 'identity', ARGV[3], 'tick', 0)
redis.call('SADD', KEYS[2], ARGV[4])
return 1
`);

/**
 * Ticks behind those that stand there. An entry is called by its last tick, so that what comes twice is known. KEYS meta, ticks. ARGV token, first
 * tick, last tick, bytes. A verdict.
 */
export const append = new Script(`
local meta = redis.call('HMGET', KEYS[1], 'token', 'tick')
local token = tonumber(meta[1])
local mine = tonumber(ARGV[1])
if not token or token < mine then return 0 end
if token > mine then return -1 end
local tick = tonumber(meta[2])
if tonumber(ARGV[3]) <= tick then return 1 end
if tonumber(ARGV[2]) > tick + 1 then return 0 end
redis.call('XADD', KEYS[2], ARGV[3] .. '-0', 'd', ARGV[4])
redis.call('HSET', KEYS[1], 'tick', ARGV[3])
return 1
`);

/** How a room stands. KEYS meta. ARGV token, the newest tick that was said to be kept. A verdict. */
export const checkRoom = new Script(`
local meta = redis.call('HMGET', KEYS[1], 'token', 'tick')
local token = tonumber(meta[1])
local mine = tonumber(ARGV[1])
if token and token > mine then return -1 end
if not token or token < mine or tonumber(meta[2]) < tonumber(ARGV[2]) then return 0 end
return 1
`);

/**
 * A snapshot, in place of the one before it and of the ticks up to it. Under a round above 0 it makes a lost room anew, also one that
 * has lost some ticks only. A round that comes late does nothing. KEYS meta, ticks, snapshots, rooms. ARGV token, process, form, identity, room, tick,
 * bytes, round. A verdict.
 */
export const keepSnapshot = new Script(`
local meta = redis.call('HMGET', KEYS[1], 'token', 'tick', 'base', 'round')
local token = tonumber(meta[1])
local mine = tonumber(ARGV[1])
local tick = tonumber(ARGV[6])
local round = tonumber(ARGV[8])
if token and token > mine then return -1 end
if round > 0 then
  if token == mine and tonumber(meta[4] or 0) >= round then return 0 end
  redis.call('HSET', KEYS[1], 'owner', ARGV[2], 'token', mine, 'form', ARGV[3], 'identity', ARGV[4], 'tick', tick, 'round', round)
  redis.call('DEL', KEYS[2], KEYS[3])
  redis.call('SADD', KEYS[4], ARGV[5])
elseif not token or token < mine then
  return 0
else
  if tonumber(meta[3] or -1) >= tick then return 1 end
  if tonumber(meta[2]) < tick then redis.call('HSET', KEYS[1], 'tick', tick) end
end
redis.call('XADD', KEYS[3], 'MAXLEN', 1, (tick + 1) .. '-0', 'd', ARGV[7])
redis.call('XTRIM', KEYS[2], 'MINID', (tick + 1) .. '-0')
redis.call('HSET', KEYS[1], 'base', tick)
return 1
`);

/** A room with all its data, in any process. KEYS meta, ticks, snapshots. */
export const readRoom = new Script(`
local meta = redis.call('HMGET', KEYS[1], 'identity', 'form')
if not meta[1] then return nil end
return { meta[1], meta[2], redis.call('XRANGE', KEYS[3], '-', '+'), redis.call('XRANGE', KEYS[2], '-', '+') }
`);

/** Another token for the same process, so that what is still on its way counts no more. KEYS meta. ARGV token. The new token, or a verdict. */
export const retake = new Script(`
local token = tonumber(redis.call('HGET', KEYS[1], 'token'))
local mine = tonumber(ARGV[1])
if not token or token < mine then return 0 end
if token > mine then return -1 end
redis.call('HSET', KEYS[1], 'round', 0)
return redis.call('HINCRBY', KEYS[1], 'token', 1)
`);

/** KEYS meta, ticks, snapshots, rooms. ARGV token, room, ms to keep it for a look, or 0. */
export const removeRoom = new Script(`
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
redis.call('SREM', KEYS[4], ARGV[2])
redis.call('HDEL', KEYS[1], 'owner')
for i = 1, 3 do
  if ARGV[3] == '0' then redis.call('DEL', KEYS[i]) else redis.call('PEXPIRE', KEYS[i], ARGV[3]) end
end
return 1
`);

/**
 * The lease of a process is lengthened, or begun. A lease that exists is only lengthened, which a full database allows. KEYS processes, lease, rooms
 * of the process, left. ARGV process, ms, what it says of itself, where leases are. Whether the lease was gone, ms until the next other lease runs out,
 * the processes whose leases have, then the rooms of this one, and those of the processes that left in good order.
 */
export const beat = new Script(`
local missing = 0
if redis.call('PEXPIRE', KEYS[2], ARGV[2]) == 0 then
  redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[2])
  redis.call('SADD', KEYS[1], ARGV[1])
  missing = 1
end
local gone = {}
local next = tonumber(ARGV[2])
for _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local left = redis.call('PTTL', ARGV[4] .. id)
  if left < 0 then gone[#gone + 1] = id elseif id ~= ARGV[1] then next = math.min(next, left) end
end
return { missing, next, gone, redis.call('SMEMBERS', KEYS[3]), redis.call('SMEMBERS', KEYS[4]) }
`);

/** KEYS processes, rooms of the process, its lease, left. ARGV process. The rooms of a process that is gone. */
export const roomsOf = new Script(`
if redis.call('EXISTS', KEYS[3]) == 1 then return {} end
local rooms = redis.call('SMEMBERS', KEYS[2])
if #rooms == 0 then
  redis.call('SREM', KEYS[1], ARGV[1])
  redis.call('SREM', KEYS[4], ARGV[1])
end
return rooms
`);

/**
 * A room of a process whose lease has run out. KEYS meta, lease and rooms of that process, own rooms, processes. ARGV that process, own, form, room. The token;
 * 0 where it is somebody else's or no more; -1 where another version wrote it.
 */
export const takeRoom = new Script(`
local meta = redis.call('HMGET', KEYS[1], 'owner', 'form')
if meta[1] ~= ARGV[1] then
  redis.call('SREM', KEYS[3], ARGV[4])
  return 0
end
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
if meta[2] ~= ARGV[3] then return -1 end
local token = redis.call('HINCRBY', KEYS[1], 'token', 1)
redis.call('HSET', KEYS[1], 'owner', ARGV[2], 'round', 0)
redis.call('SREM', KEYS[3], ARGV[4])
redis.call('SADD', KEYS[4], ARGV[4])
-- Also of a process that is leaving just now, so that others find what it took.
redis.call('SADD', KEYS[5], ARGV[2])
return token
`);

/** KEYS meta, rooms of the process. ARGV process, room. The token of a room that is this process's; 0 for any other. */
export const ownToken = new Script(`
local meta = redis.call('HMGET', KEYS[1], 'owner', 'token')
if meta[1] == ARGV[1] then return tonumber(meta[2]) end
redis.call('SREM', KEYS[2], ARGV[2])
return 0
`);

/** KEYS meta. ARGV where leases are. The process that plays it, with its data while its lease holds. */
export const locateRoom = new Script(`
local owner = redis.call('HGET', KEYS[1], 'owner')
if not owner then return nil end
return { owner, redis.call('GET', ARGV[1] .. owner) }
`);

/** KEYS processes, rooms, lease, list, left. ARGV process. The end of a process: what it leaves can be taken at once. */
export const leave = new Script(`
redis.call('DEL', KEYS[3], KEYS[4])
if redis.call('SCARD', KEYS[2]) == 0 then
  redis.call('SREM', KEYS[1], ARGV[1])
else
  redis.call('SADD', KEYS[5], ARGV[1])
end
return 1
`);

/** KEYS a definition. ARGV ms, bytes; without bytes it is kept on. */
export const keepText = new Script(`
if ARGV[2] then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[1]) return 1 end
return redis.call('PEXPIRE', KEYS[1], ARGV[1])
`);

/** KEYS a definition. */
export const readText = new Script(`
return redis.call('GET', KEYS[1])
`);

/** KEYS processes. ARGV where leases are, where lists of rooms are. Of each process that lives: its id, what it says of itself, its list or ''. */
export const readProcesses = new Script(`
local said = {}
for _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local info = redis.call('GET', ARGV[1] .. id)
  if info then said[#said + 1] = { id, info, redis.call('GET', ARGV[2] .. id) or '' } end
end
return said
`);

/** KEYS list of a process. ARGV ms, rooms; without rooms it is kept on. Whether it is there. */
export const publishRooms = new Script(`
if ARGV[2] then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[1]) return 1 end
return redis.call('PEXPIRE', KEYS[1], ARGV[1])
`);

export const allScripts: readonly Script[] = [
  openRoom,
  append,
  checkRoom,
  keepSnapshot,
  readRoom,
  retake,
  removeRoom,
  beat,
  roomsOf,
  takeRoom,
  ownToken,
  locateRoom,
  leave,
  keepText,
  readText,
  readProcesses,
  publishRooms,
];
