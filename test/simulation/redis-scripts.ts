import { createHash } from 'node:crypto';
import { lauxlib, lua, lualib, to_luastring as luaText } from 'fengari';

/** A command's reply; texts are bytes. */
export type Reply = number | Buffer | null | readonly Reply[];

/** A command called by a script, executed on some database's data. */
type Command = (args: readonly Buffer[]) => Reply;

/** A failed command is its reply. */
const pcall = `
function redis.pcall(...)
  local isDone, reply = pcall(redis.call, ...)
  if isDone then return reply end
  return { err = reply }
end`;

/**
 * Runs scripts as Redis does: in Lua, with `KEYS`, `ARGV`, `redis.call` and `redis.pcall`. All databases share one,
 * because scripts keep no state.
 */
class Lua {
  private readonly texts = new Map<string, string>();
  private readonly state = lauxlib.luaL_newstate();
  /** Compiled scripts, as references into Lua's registry. */
  private readonly compiled = new Map<string, number>();
  private command: Command = () => null;

  constructor() {
    const { state } = this;
    lualib.luaL_openlibs(state);
    lua.lua_newtable(state);
    lua.lua_pushcfunction(state, (L) => this.call(L));
    lua.lua_setfield(state, -2, luaText('call'));
    lua.lua_setglobal(state, luaText('redis'));
    this.run(pcall, [], [], () => null);
  }

  /** Caches a script, and returns its digest. */
  load(text: string): string {
    const digest = createHash('sha1').update(text).digest('hex');
    this.texts.set(digest, text);
    return digest;
  }

  loaded(digest: string): string | undefined {
    return this.texts.get(digest);
  }

  /** Throws if the script fails. */
  run(text: string, keys: readonly string[], args: readonly Buffer[], command: Command): Reply {
    const { state } = this;
    this.command = command;
    this.list(
      'KEYS',
      keys.map((key) => Buffer.from(key)),
    );
    this.list('ARGV', args);
    lua.lua_rawgeti(state, lua.LUA_REGISTRYINDEX, this.compile(text));
    const status = lua.lua_pcall(state, 0, 1, 0);
    if (status !== lua.LUA_OK) {
      const message = Buffer.from(lua.lua_tostring(state, -1) ?? []).toString();
      lua.lua_pop(state, 1);
      throw new Error(message);
    }
    const reply = this.replyAt(-1);
    lua.lua_pop(state, 1);
    return reply;
  }

  private compile(text: string): number {
    let place = this.compiled.get(text);
    if (place === undefined) {
      if (lauxlib.luaL_loadstring(this.state, luaText(text)) !== lua.LUA_OK) throw new Error(`No script: ${text}`);
      place = lauxlib.luaL_ref(this.state, lua.LUA_REGISTRYINDEX);
      this.compiled.set(text, place);
    }
    return place;
  }

  private list(name: string, values: readonly Buffer[]): void {
    this.push(values);
    lua.lua_setglobal(this.state, luaText(name));
  }

  private call(state: object): number {
    const count = lua.lua_gettop(state);
    const args = Array.from({ length: count }, (_, i) => Buffer.from(lua.lua_tostring(state, i + 1) ?? []));
    let reply: Reply;
    try {
      reply = this.command(args);
    } catch (error) {
      return lauxlib.luaL_error(state, luaText('%s'), luaText((error as Error).message));
    }
    this.push(reply);
    return 1;
  }

  /** As in Redis, null becomes false in Lua. */
  private push(reply: Reply): void {
    const { state } = this;
    if (reply === null) lua.lua_pushboolean(state, false);
    else if (typeof reply === 'number') lua.lua_pushinteger(state, reply);
    else if (reply instanceof Uint8Array) lua.lua_pushlstring(state, Uint8Array.from(reply), reply.length);
    else {
      lua.lua_createtable(state, reply.length, 0);
      for (const [i, each] of reply.entries()) {
        this.push(each);
        lua.lua_rawseti(state, -2, i + 1);
      }
    }
  }

  private replyAt(index: number): Reply {
    const { state } = this;
    switch (lua.lua_type(state, index)) {
      case lua.LUA_TNUMBER:
        return Math.trunc(lua.lua_tonumber(state, index));
      case lua.LUA_TSTRING:
        return Buffer.from(lua.lua_tostring(state, index)!);
      case lua.LUA_TBOOLEAN:
        return lua.lua_toboolean(state, index) ? 1 : null;
      case lua.LUA_TTABLE: {
        const list: Reply[] = [];
        const table = lua.lua_absindex(state, index);
        for (let i = 1; ; i++) {
          const type = lua.lua_rawgeti(state, table, i);
          const isEnd = type === lua.LUA_TNIL;
          if (!isEnd) list.push(this.replyAt(-1));
          lua.lua_pop(state, 1);
          // As in Redis, a list ends before its first nil.
          if (isEnd) return list;
        }
      }
      default:
        return null;
    }
  }
}

export const scriptRunner = new Lua();
