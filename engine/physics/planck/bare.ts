/** A class of planck's without what its constructor does: methods and prototype are the same, members are for the subclass to set. */
export function withoutConstructor<T extends object>(planckClass: abstract new (...args: never) => T): new () => T {
  function Bare(): void {}
  Bare.prototype = planckClass.prototype as object;
  return Bare as unknown as new () => T;
}

/** Members that planck's drawing programs keep with bodies and fixtures; nothing is drawn here. */
export const noStyle = Object.freeze({});
