/** The one generator that is used, by its own file: the package's main entry also touches `Math.random` and the host's entropy. */
declare module 'seedrandom/lib/alea.js' {
  interface AleaState {
    c: number;
    s0: number;
    s1: number;
    s2: number;
  }

  interface Alea {
    /** 32 random bits, as a fraction in [0, 1). */
    (): number;
    /** 53 random bits, as a fraction in [0, 1). */
    double(): number;
    /** A copy. */
    state(): AleaState;
  }

  /** `true` seeds from `seed`; a state overrides whatever the seed was. */
  const alea: (seed: string, options: { state: true | AleaState }) => Alea;

  export = alea;
}
