/**
 * Only this generator is imported, because the main entry of the package also uses `Math.random` and the entropy of the
 * host.
 */
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
    /** A copy of the state. */
    state(): AleaState;
  }

  /** `state: true` makes the state readable; a given state overrides the seed. */
  const alea: (seed: string, options: { state: true | AleaState }) => Alea;

  export = alea;
}
