/** The part of fengari's Lua API that the virtual Redis uses; the package has no types. */
declare module 'fengari' {
  type State = object;
  export const lua: {
    readonly LUA_OK: number;
    readonly LUA_REGISTRYINDEX: number;
    readonly LUA_TNIL: number;
    readonly LUA_TNUMBER: number;
    readonly LUA_TSTRING: number;
    readonly LUA_TBOOLEAN: number;
    readonly LUA_TTABLE: number;
    lua_absindex(state: State, index: number): number;
    lua_createtable(state: State, length: number, fields: number): void;
    lua_gettop(state: State): number;
    lua_newtable(state: State): void;
    lua_pcall(state: State, args: number, results: number, handler: number): number;
    lua_pop(state: State, count: number): void;
    lua_pushboolean(state: State, value: boolean): void;
    lua_pushcfunction(state: State, act: (state: State) => number): void;
    lua_pushinteger(state: State, value: number): void;
    lua_pushlstring(state: State, bytes: Uint8Array, length: number): void;
    lua_rawgeti(state: State, table: number, at: number): number;
    lua_rawseti(state: State, table: number, at: number): void;
    lua_setfield(state: State, table: number, name: Uint8Array): void;
    lua_setglobal(state: State, name: Uint8Array): void;
    lua_toboolean(state: State, index: number): boolean;
    lua_tonumber(state: State, index: number): number;
    /** The bytes as they are, without conversion. */
    lua_tostring(state: State, index: number): Uint8Array | null;
    lua_type(state: State, index: number): number;
  };
  export const lauxlib: {
    luaL_error(state: State, form: Uint8Array, ...texts: Uint8Array[]): never;
    luaL_loadstring(state: State, text: Uint8Array): number;
    luaL_newstate(): State;
    luaL_ref(state: State, table: number): number;
  };
  export const lualib: { luaL_openlibs(state: State): void };
  export function to_luastring(text: string): Uint8Array;
}
