import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Simulation } from '../../engine/index.ts';
import { internalsOf } from '../../engine/tools.ts';
import { hostClock } from '../../src/machine/clock.ts';
import { AccountPersistence } from '../../src/store/account-persistence.ts';
import { AccountStore, accountsIn } from '../../src/store/account-store.ts';
import { PersistenceService } from '../../src/store/persistence-service.ts';
import { MemoryRecordStore } from '../../src/store/records.ts';
import type { AccountData, Store } from '../../src/store/store.ts';
import { attribute, load, script } from '../support/play.ts';

const player = { function: 'getTriggeringPlayer' };
const gold = (value: unknown) => ({ type: 'setPlayerAttribute', entity: player, attribute: 'gold', value });

/** Each joining player gets a type and its saved data; `htmlUiClick` adds 7 gold and saves. */
const bank = load({
  defaultData: { _id: 'bank', frameRate: 20 },
  settings: { persistentScoreAttributeId: 'gold' },
  playerTypes: {
    human: {
      name: 'human',
      attributes: { gold: attribute(1, { max: 1000, decimalPlaces: 0 }) },
      variables: {},
      relationships: {},
    },
  },
  scripts: {
    join: script('playerJoinsGame', [
      { type: 'assignPlayerType', entity: player, playerType: 'human' },
      { type: 'loadPlayerDataAndApplyIt', player },
    ]),
    earn: script('playerCustomInput', [gold(50), { type: 'savePlayerData', player }]),
  },
});

class Host {
  readonly sim = new Simulation(bank, { seed: 1 });
  readonly persistence: PersistenceService;

  constructor(store: Store) {
    this.persistence = new PersistenceService(this.sim, store);
  }

  async join(userId: string): Promise<void> {
    await this.persistence.fetch(userId);
    this.sim.input({ kind: 'join', clientId: userId, userId, ...this.persistence.joinData(userId) });
    this.sim.step();
  }

  send(kind: 'leave' | 'customInput', userId: string): void {
    this.sim.input(kind === 'leave' ? { kind, player: userId } : { kind, player: userId, text: '' });
    this.sim.step();
  }

  gold(): number {
    const { world } = internalsOf(this.sim);
    const row = this.sim.entities('player').at(-1)! & 0xfffff;
    return world.attributes.value[world.components.attributes.start[row]!]!;
  }
}

class MemoryAccounts extends AccountStore {
  constructor() {
    super(new MemoryRecordStore(hostClock));
  }
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  ['memory', () => new MemoryAccounts()],
  ['files', () => accountsIn(join(folder, 'kept'))],
] as const)('players stored in %s', (_, make) => {
  test('receive the data of an earlier game', async () => {
    const store = make();
    const first = new Host(store);
    await first.join('ann');
    expect(first.gold()).toBe(1);
    first.send('customInput', 'ann');
    expect(first.gold()).toBe(50);
    await first.persistence.settled();
    const second = new Host(store);
    await second.join('ann');
    expect(second.gold()).toBe(50);
    await second.join('bob');
    expect(second.gold()).toBe(1);
  });

  test('receive their data after rejoining, whether it was written yet or not', async () => {
    const host = new Host(make());
    await host.join('ann');
    host.send('customInput', 'ann');
    host.send('leave', 'ann');
    await host.join('ann');
    expect(host.gold()).toBe(50);
    await host.persistence.settled();
  });

  test('keep their best score beside their data', async () => {
    const store = make();
    const host = new Host(store);
    await host.join('ann');
    host.send('customInput', 'ann');
    host.send('leave', 'ann');
    await host.persistence.settled();
    expect(await store.load('bank', 'ann')).toMatchObject({ highscore: 50, player: { attributes: {} } });
    const next = new Host(store);
    await next.join('ann');
    next.send('customInput', 'ann');
    const scores: unknown[] = [];
    next.sim.on('output', (event) => {
      if (event.kind === 'persistence' && event.op === 'highscore') scores.push(event.highscore);
    });
    next.send('leave', 'ann');
    expect(scores).toEqual([]);
  });

  test('are separate for accounts and games of any name', async () => {
    const store = make();
    const names = ['a', '../a', 'A', 'a/b', '', '__proto__', '\u0000', 'ä'];
    for (const game of names) for (const user of names) await store.save(game, user, { player: [game, user] });
    for (const game of names)
      for (const user of names) expect(await store.load(game, user)).toEqual({ player: [game, user] });
  });
});

describe('files', () => {
  test('incomplete files are not left behind, and foreign files are ignored', async () => {
    const store = accountsIn(folder);
    await store.save('bank', 'ann', { highscore: 1 });
    await store.save('bank', 'ann', { highscore: 2 });
    const [name, ...others] = readdirSync(join(folder, 'players'));
    expect(others).toEqual([]);
    const path = join(folder, 'players', name!);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"ann"', '"bob"'));
    await expect(store.load('bank', 'ann')).rejects.toThrow('contains the data of another account');
    // Errors are logged, so they must not reveal saved data.
    for (const text of ['{', 'ann has 50 gold', '{"userId":"ann"}', '[]']) {
      writeFileSync(path, text);
      await expect(store.load('bank', 'ann')).rejects.toThrow(`players/${name} is damaged.`);
    }
  });
});

describe('a store that fails', () => {
  class Broken implements Store {
    async load(): Promise<AccountData | undefined> {
      throw new Error('no disk');
    }
    async save(): Promise<void> {
      throw new Error('no disk');
    }
  }

  test('loses its data, but does not affect the game', async () => {
    const host = new Host(new Broken());
    await host.join('ann');
    host.send('customInput', 'ann');
    await host.persistence.settled();
    expect(host.gold()).toBe(50);
    // It is merged with the store's data only when the player leaves.
    expect(host.persistence.errors).toEqual([new Error('no disk')]);
  });

  test('in writing is reported, and the data is still known', async () => {
    class Full extends MemoryAccounts {
      override async save(): Promise<void> {
        throw new Error('disk full');
      }
    }
    const host = new Host(new Full());
    await host.join('ann');
    host.send('customInput', 'ann');
    await host.persistence.settled();
    expect(host.persistence.errors).toEqual([new Error('disk full')]);
    expect(host.persistence.joinData('ann')).toHaveProperty('persisted.player');
  });
});

test('many saves of one account are combined into few writes', async () => {
  const saved: AccountData[] = [];
  const store: Store = {
    load: async () => undefined,
    save: async (_game, _user, kept) => {
      saved.push(kept);
    },
  };
  const host = new Host(store);
  await host.join('ann');
  for (let i = 0; i < 10; i++) host.send('customInput', 'ann');
  await host.persistence.settled();
  expect(saved.length).toBe(1);
});

test('an account played in another process meanwhile has the data of that process', async () => {
  const store = accountsIn(join(folder, 'shared'));
  const [one, two] = [new Host(store), new Host(store)];
  await one.join('ann');
  one.send('leave', 'ann');
  await one.persistence.settled();
  await two.join('ann');
  two.send('customInput', 'ann');
  two.send('leave', 'ann');
  await two.persistence.settled();
  await one.join('ann');
  expect(one.gold()).toBe(50);
  one.send('leave', 'ann');
  await one.persistence.settled();
  expect(await store.load('bank', 'ann')).toHaveProperty('player');
});

test('an account that returns keeps its data while many others join before it does', async () => {
  const store: Store = {
    load: async () => ({ highscore: 7 }),
    save: async () => undefined,
  };
  const accounts = new AccountPersistence(store, 'bank', { onError: () => {} });
  await accounts.fetch('ann');
  for (let i = 1; i < 10_000; i++) await accounts.fetch(`other ${i}`);
  await accounts.fetch('ann');
  await accounts.fetch('one more');
  expect(accounts.joinData('ann').account).toEqual({ highscore: 7 });
});

test('an account that joins while its save is being written has that save', async () => {
  let write = (): void => {};
  class Slow extends MemoryAccounts {
    override async save(...what: Parameters<MemoryAccounts['save']>): Promise<void> {
      await new Promise<void>((resolve) => {
        write = resolve;
      });
      await super.save(...what);
    }
  }
  const host = new Host(new Slow());
  await host.join('ann');
  host.send('customInput', 'ann');
  host.send('leave', 'ann');
  await host.join('ann');
  expect(host.gold()).toBe(50);
  const settled = host.persistence.settled();
  const writing = setInterval(() => write(), 1);
  await settled;
  clearInterval(writing);
});

describe('a save', () => {
  const best = (highscore: number) =>
    ({ kind: 'persistence', op: 'highscore', userId: 'ann', highscore, tick: 0, time: 0 }) as const;

  test('is stored even if the store has data of a later time, as after a clock change', async () => {
    const store = new MemoryAccounts();
    await store.save('game', 'ann', { highscore: 9, savedAtMs: 5000 });
    const persistence = new AccountPersistence(store, 'game', { onError: () => {} });
    persistence.receive(best(11), 1000);
    await persistence.settled();
    expect(await store.load('game', 'ann')).toEqual({ highscore: 11, savedAtMs: 5000 });
    await persistence.fetch('ann');
    persistence.receive(best(12), 1500);
    await persistence.settled();
    expect(await store.load('game', 'ann')).toEqual({ highscore: 12, savedAtMs: 5000 });
  });

  test('that is replayed after a crash does not replace newer data', async () => {
    const store = new MemoryAccounts();
    await store.save('game', 'ann', { highscore: 9, savedAtMs: 5000 });
    const persistence = new AccountPersistence(store, 'game', { onError: () => {} });
    persistence.receive(best(12), 1000, true);
    await persistence.settled();
    persistence.receive(best(10), 6000, true);
    await persistence.settled();
    expect(await store.load('game', 'ann')).toEqual({ highscore: 10, savedAtMs: 6000 });
  });
});

describe('while the store cannot be read', () => {
  class Flaky extends MemoryAccounts {
    isDown = false;
    override async load(...of: Parameters<MemoryAccounts['load']>): Promise<AccountData | undefined> {
      if (this.isDown) throw new Error('down');
      return super.load(...of);
    }
    override async save(...what: Parameters<MemoryAccounts['save']>): Promise<void> {
      if (this.isDown) throw new Error('down');
      return super.save(...what);
    }
  }
  const goldOf = (kept: AccountData | undefined): unknown =>
    (kept?.player as { attributes: { gold: { value: number } } } | undefined)?.attributes.gold.value;

  test('what is stored of a player who joins all the same stays as it is', async () => {
    const store = new Flaky();
    const before = new Host(store);
    await before.join('ann');
    before.send('customInput', 'ann');
    await before.persistence.settled();
    const host = new Host(store);
    store.isDown = true;
    await host.join('ann');
    expect(host.gold()).toBe(1);
    host.send('customInput', 'ann');
    store.isDown = false;
    host.send('leave', 'ann');
    await host.persistence.settled();
    expect(await store.load('bank', 'ann')).toMatchObject({ highscore: 50 });
    expect(goldOf(await store.load('bank', 'ann'))).toBe(50);
  });

  test('a lower score does not replace a higher one', async () => {
    const store = new Flaky();
    await store.save('bank', 'ann', { highscore: 500 });
    store.isDown = true;
    const host = new Host(store);
    await host.join('ann');
    host.send('customInput', 'ann');
    store.isDown = false;
    host.send('leave', 'ann');
    await host.persistence.settled();
    expect(await store.load('bank', 'ann')).toMatchObject({ highscore: 500 });
  });

  test('an account that is known cannot be fetched, because it may have played elsewhere, unless its data is still to be written', async () => {
    const store = new Flaky();
    const host = new Host(store);
    await host.join('ann');
    host.send('customInput', 'ann');
    host.send('leave', 'ann');
    await host.persistence.settled();
    store.isDown = true;
    expect(await host.persistence.fetch('ann')).toBe(false);
    host.persistence.receive({ kind: 'persistence', op: 'highscore', userId: 'ann', highscore: 70, tick: 0, time: 0 });
    expect(await host.persistence.fetch('ann')).toBe(true);
    expect(host.persistence.joinData('ann').account).toEqual({ highscore: 70 });
    await host.persistence.settled();
  });
});
