import { RedisScript } from './connection.ts';

/**
 * Lua scripts, which Redis runs atomically. They decide whether a process may write a room: each takeover increases the
 * fencing token in the room's hash, so that writes of the previous owner are refused. A script that finds its write
 * already done repeats a part of it, because otherwise `WAIT` would not wait for the replicas. Keys of a room: `meta`
 * (a hash), `ticks` and `snapshots` (streams). Keys of a process: its lease, which expires, and `rooms` (the set of its
 * rooms).
 */

/** The verdicts of scripts on a write to a room. */
export const verdicts = {
  /** The write is done. */
  kept: 1,
  /** The database has lost something: its state of the room differs from what the writer has written. */
  diverged: 0,
  /** Another process has taken over the room. */
  fenced: -1,
} as const;

/** Creates a room. KEYS meta, rooms. ARGV process, format, identity, room. Returns 1, or 0 if the room exists. */
export const openRoom = new RedisScript(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'token', 1, 'form', ARGV[2], 'identity', ARGV[3], 'tick', 0)
redis.call('SADD', KEYS[2], ARGV[4])
return 1
`);

/**
 * Appends ticks to rooms. The id of an entry is its last tick, so that duplicates are recognized. For each room: KEYS
 * meta, ticks. ARGV token, first tick, last tick, bytes. Returns a verdict for each room.
 */
export const append = new RedisScript(`
local function append(meta, ticks, mine, first, last, bytes)
  local found = redis.call('HMGET', meta, 'token', 'tick')
  local token = tonumber(found[1])
  if not token or token < tonumber(mine) then return 0 end
  if token > tonumber(mine) then return -1 end
  local tick = tonumber(found[2])
  if tonumber(last) <= tick then
    redis.call('HSET', meta, 'tick', found[2])
    return 1
  end
  if tonumber(first) > tick + 1 then return 0 end
  redis.call('XADD', ticks, last .. '-0', 'd', bytes)
  redis.call('HSET', meta, 'tick', last)
  return 1
end
local verdicts = {}
for i = 1, #KEYS / 2 do
  verdicts[i] = append(KEYS[2 * i - 1], KEYS[2 * i], ARGV[4 * i - 3], ARGV[4 * i - 2], ARGV[4 * i - 1], ARGV[4 * i])
end
return verdicts
`);

/** Checks a room. KEYS meta. ARGV token, the newest tick that was acknowledged. Returns a verdict. */
export const checkRoom = new RedisScript(`
local meta = redis.call('HMGET', KEYS[1], 'token', 'tick')
local token = tonumber(meta[1])
local mine = tonumber(ARGV[1])
if token and token > mine then return -1 end
if not token or token < mine or tonumber(meta[2]) < tonumber(ARGV[2]) then return 0 end
return 1
`);

/**
 * Writes a snapshot, which replaces the previous one and the ticks up to it. With a round above 0, it also recreates a
 * room that the database has lost, entirely or in part; a script with an outdated round does nothing. KEYS meta, ticks,
 * snapshots, rooms. ARGV token, process, format, identity, room, tick, bytes, round. Returns a verdict.
 */
export const keepSnapshot = new RedisScript(`
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
  if tonumber(meta[3] or -1) >= tick then
    redis.call('HSET', KEYS[1], 'base', meta[3])
    return 1
  end
  if tonumber(meta[2]) < tick then redis.call('HSET', KEYS[1], 'tick', tick) end
end
redis.call('XADD', KEYS[3], 'MAXLEN', 1, (tick + 1) .. '-0', 'd', ARGV[7])
redis.call('XTRIM', KEYS[2], 'MINID', (tick + 1) .. '-0')
redis.call('HSET', KEYS[1], 'base', tick)
return 1
`);

/** Reads all data of a room, whichever process plays it. KEYS meta, ticks, snapshots. */
export const readRoom = new RedisScript(`
local meta = redis.call('HMGET', KEYS[1], 'identity', 'form', 'token')
if not meta[1] then return nil end
return { meta[1], meta[2], tonumber(meta[3]), redis.call('XRANGE', KEYS[3], '-', '+'), redis.call('XRANGE', KEYS[2], '-', '+') }
`);

/**
 * Gives the same process a new token, so that its pending writes are refused. KEYS meta. ARGV token. Returns the new
 * token, or a verdict.
 */
export const retake = new RedisScript(`
local token = tonumber(redis.call('HGET', KEYS[1], 'token'))
local mine = tonumber(ARGV[1])
if not token or token < mine then return 0 end
if token > mine then return -1 end
redis.call('HSET', KEYS[1], 'round', 0)
return redis.call('HINCRBY', KEYS[1], 'token', 1)
`);

/**
 * Removes a room. KEYS meta, ticks, snapshots, rooms. ARGV token, room, the number of ms after which its data expires
 * (0: immediately).
 */
export const removeRoom = new RedisScript(`
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
redis.call('SREM', KEYS[4], ARGV[2])
redis.call('HDEL', KEYS[1], 'owner')
for i = 1, 3 do
  if ARGV[3] == '0' then redis.call('DEL', KEYS[i]) else redis.call('PEXPIRE', KEYS[i], ARGV[3]) end
end
return 1
`);

/**
 * Extends the lease of a process, or creates it. An existing lease is extended even if the database is full; its info
 * is updated if there is space. KEYS processes, lease, rooms of the process, left. ARGV process, ms, its `ProcessInfo`,
 * prefix of leases. Returns whether the lease was missing, the ms until the next lease of another process expires, the
 * processes with expired leases, the rooms of this process, the processes that left gracefully, and the ids and infos
 * of the others.
 */
export const renewLease = new RedisScript(`
local missing = 0
if redis.call('PEXPIRE', KEYS[2], ARGV[2]) == 0 then
  redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[2])
  redis.call('SADD', KEYS[1], ARGV[1])
  missing = 1
elseif redis.call('GET', KEYS[2]) ~= ARGV[3] then
  redis.pcall('SET', KEYS[2], ARGV[3], 'PX', ARGV[2])
end
local gone = {}
local infos = {}
local next = tonumber(ARGV[2])
for _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local left = redis.call('PTTL', ARGV[4] .. id)
  if left < 0 then
    gone[#gone + 1] = id
  elseif id ~= ARGV[1] then
    next = math.min(next, left)
    infos[#infos + 1] = { id, redis.call('GET', ARGV[4] .. id) }
  end
end
return { missing, next, gone, redis.call('SMEMBERS', KEYS[3]), redis.call('SMEMBERS', KEYS[4]), infos }
`);

/**
 * Lists the rooms of a dead process, and removes the process if it has none. KEYS processes, rooms of the process, its
 * lease, left. ARGV process. Returns the rooms.
 */
export const roomsOf = new RedisScript(`
if redis.call('EXISTS', KEYS[3]) == 1 then return {} end
local rooms = redis.call('SMEMBERS', KEYS[2])
if #rooms == 0 then
  redis.call('SREM', KEYS[1], ARGV[1])
  redis.call('SREM', KEYS[4], ARGV[1])
end
return rooms
`);

/**
 * Takes over a room of a process whose lease has expired. KEYS meta, lease and rooms of that process, own rooms,
 * processes. ARGV that process, this process, format ('' for any), room. Returns the new token; 0 if another process
 * has the room or the room no longer exists; the room's format if it is a different one.
 */
export const takeRoom = new RedisScript(`
local meta = redis.call('HMGET', KEYS[1], 'owner', 'form')
if meta[1] ~= ARGV[1] then
  redis.call('SREM', KEYS[3], ARGV[4])
  return 0
end
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
if ARGV[3] ~= '' and meta[2] ~= ARGV[3] then return meta[2] end
local token = redis.call('HINCRBY', KEYS[1], 'token', 1)
redis.call('HSET', KEYS[1], 'owner', ARGV[2], 'round', 0)
redis.call('SREM', KEYS[3], ARGV[4])
redis.call('SADD', KEYS[4], ARGV[4])
-- Repeated for a process that is leaving at this moment, so that others find the room.
redis.call('SADD', KEYS[5], ARGV[2])
return token
`);

/**
 * Reads the token of a room of this process. KEYS meta, rooms of the process. ARGV process, room. Returns the token; 0
 * for rooms of other processes.
 */
export const ownToken = new RedisScript(`
local meta = redis.call('HMGET', KEYS[1], 'owner', 'token')
if meta[1] == ARGV[1] then
  redis.call('HSET', KEYS[1], 'owner', ARGV[1])
  return tonumber(meta[2])
end
redis.call('SREM', KEYS[2], ARGV[2])
return 0
`);

/**
 * Finds the process of a room. KEYS meta. ARGV prefix of leases. Returns the process's id, and its `ProcessInfo` if its
 * lease is valid.
 */
export const locateRoom = new RedisScript(`
local owner = redis.call('HGET', KEYS[1], 'owner')
if not owner then return nil end
return { owner, redis.call('GET', ARGV[1] .. owner) }
`);

/**
 * Signs off a process, so that its rooms can be taken over immediately. KEYS processes, rooms, lease, list, left. ARGV
 * process.
 */
export const leave = new RedisScript(`
redis.call('DEL', KEYS[3], KEYS[4])
if redis.call('SCARD', KEYS[2]) == 0 then
  redis.call('SREM', KEYS[1], ARGV[1])
else
  redis.call('SADD', KEYS[5], ARGV[1])
end
return 1
`);

/** Writes a definition, or extends its expiry if no bytes are given. KEYS definition. ARGV ms, bytes. */
export const keepText = new RedisScript(`
if ARGV[2] then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[1]) return 1 end
return redis.call('PEXPIRE', KEYS[1], ARGV[1])
`);

/** Reads a definition. KEYS definition. */
export const readText = new RedisScript(`
return redis.call('GET', KEYS[1])
`);

/**
 * Lists the living processes. KEYS processes. ARGV prefix of leases, prefix of room lists. Returns the id, the
 * `ProcessInfo` and the room list (or '') of each.
 */
export const readProcesses = new RedisScript(`
local said = {}
for _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local info = redis.call('GET', ARGV[1] .. id)
  if info then said[#said + 1] = { id, info, redis.call('GET', ARGV[2] .. id) or '' } end
end
return said
`);

/**
 * Writes the room list of a process, or extends its expiry if no list is given. KEYS list. ARGV ms, list. Returns
 * whether the list exists now.
 */
export const publishRooms = new RedisScript(`
if ARGV[2] then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[1]) return 1 end
return redis.call('PEXPIRE', KEYS[1], ARGV[1])
`);

export const allScripts: readonly RedisScript[] = [
  openRoom,
  append,
  checkRoom,
  keepSnapshot,
  readRoom,
  retake,
  removeRoom,
  renewLease,
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
