// Puts the cases of the comparison to XState, and prints what came of them.
import { readFileSync } from 'node:fs';
import { assign, createActor, createMachine } from 'xstate';

/** What came of one case; see gen/compare/record. */
class Case {
  constructor(number) {
    this.case = number;
    this.steps = [];
  }

  /** Takes a step: what it throws, or the actor tells its observer, is a refusal. */
  try(step, f, state = () => this.state()) {
    this.error = undefined;
    try {
      f();
    } catch (err) {
      this.error = err;
    }
    const refused = this.error !== undefined;
    this.steps.push({ step, refused, said: refused ? String(this.error) : '', state: state() });
    return !refused;
  }

  /** Makes the machine and starts an actor, whose errors go to an observer. */
  define(config, implementations) {
    this.try('define', () => {
      this.machine = createMachine(config, implementations);
      this.start();
    });
    return this;
  }

  start(options) {
    this.actor = createActor(this.machine, options);
    this.actor.subscribe({ error: (err) => { this.error = err; } });
    this.actor.start();
  }

  send(step, event) {
    if (this.actor) {
      this.try(step, () => this.actor.send(event));
    }
    return this;
  }

  /** Asks, in words that begin with "may", whether the event would do something. */
  may(step, event) {
    let can;
    if (this.try(step, () => { can = this.actor.getSnapshot().can(event); }) && !can) {
      Object.assign(this.steps.at(-1), { refused: true, said: 'false' });
    }
  }

  state() {
    const { value, context } = this.actor?.getSnapshot() ?? {};
    if (value === undefined) {
      return '';
    }
    return context?.coins === undefined ? `${value}` : `${value}, coins ${context.coins}`;
  }

  says(text) {
    this.steps.at(-1).said = text;
    return this;
  }
}

const twoTargets = () => new Case(1)
  .define({
    initial: 'quoted',
    states: { quoted: { on: { purchase: [{ target: 'ordered' }, { target: 'onhold' }] } }, ordered: {}, onhold: {} },
  })
  .send('purchase', { type: 'purchase' });

const rowTwice = () => new Case(2)
  .define({
    initial: 'quoted',
    states: { quoted: { on: { purchase: [{ target: 'ordered' }, { target: 'ordered' }] } }, ordered: {} },
  })
  .send('purchase', { type: 'purchase' });

const gap = () => new Case(3)
  .define({
    initial: 'idle',
    states: {
      idle: {
        on: {
          pick: [
            { guard: ({ event }) => event.i === 2, target: 'two' },
            { guard: ({ event }) => event.i === 1, target: 'one' },
          ],
        },
      },
      one: {},
      two: {},
    },
  })
  .send('pick(0)', { type: 'pick', i: 0 });

const twoGuards = () => new Case(4)
  .define({
    initial: 'empty',
    states: {
      empty: {
        on: {
          weigh: [
            { guard: ({ event }) => event.grams < 6, target: 'low' },
            { guard: ({ event }) => event.grams > 4, target: 'high' },
          ],
        },
      },
      low: {},
      high: {},
    },
  })
  .send('weigh(5)', { type: 'weigh', grams: 5 });

const undeclared = () => new Case(5)
  .define({ initial: 'shut', states: { shut: { on: { push: 'opne' } }, open: {} } })
  .send('push', { type: 'push' });

const toItself = () => new Case(9)
  .define({
    initial: 'locked',
    states: { locked: { on: { coin: 'unlocked' } }, unlocked: { on: { coin: 'unlocked' } } },
  })
  .send('first coin', { type: 'coin' })
  .send('second coin', { type: 'coin' });

const halfDone = () => new Case(10)
  .define({
    initial: 'shut',
    context: { coins: 0 },
    states: {
      shut: {
        on: {
          pay: {
            target: 'open',
            actions: [assign({ coins: ({ context }) => context.coins + 1 }), () => { throw new Error('no paper'); }],
          },
        },
      },
      open: {},
    },
  })
  .send('pay', { type: 'pay' });

// There is one thread: another caller's call comes from inside the first.
const twoCallers = () => {
  const c = new Case(12);
  let other;
  c.define({
    initial: 'shut',
    states: {
      shut: {
        on: {
          push: {
            target: 'open',
            actions: () => {
              try {
                c.actor.send({ type: 'lock' });
              } catch (err) {
                other = err;
              }
            },
          },
        },
      },
      open: { on: { pull: 'shut' } },
    },
  });
  c.send('push', { type: 'push' });
  c.try('lock by another', () => {
    if (other) {
      throw other;
    }
  });
  return c;
};

const failingGuard = () => new Case(14)
  .define({
    initial: 'shut',
    context: { owner: null },
    states: {
      shut: {
        on: {
          walk: { guard: ({ context }) => context.owner.name === 'ann', target: 'open' },
          kick: 'open',
        },
      },
      open: {},
    },
  })
  .send('walk', { type: 'walk' })
  .send('kick', { type: 'kick' });

const order = () => {
  const c = new Case(15);
  const told = [];
  // The actor's snapshot is what others see while an action runs.
  const tell = (what) => () => told.push(`${what} in ${c.actor.getSnapshot().value}`);
  return c
    .define({
      initial: 'shut',
      states: {
        shut: { exit: tell('exit'), on: { push: { target: 'open', actions: tell('action') } } },
        open: { entry: tell('entry') },
      },
    })
    .send('push', { type: 'push' })
    .says(told.join(', '));
};

const may = () => {
  const c = new Case(16).define({
    initial: 'open',
    states: { open: { on: { walk: { guard: ({ event }) => event.n <= 1 } } } },
  });
  for (const n of [2, 1]) {
    c.may(`may walk(${n})?`, { type: 'walk', n });
    c.send(`walk(${n})`, { type: 'walk', n });
  }
  return c;
};

const stored = () => {
  const c = new Case(22).define({
    initial: 'shut',
    states: { shut: { on: { push: 'open' } }, open: { on: { pull: 'shut' } } },
  });
  const snapshot = { ...JSON.parse(JSON.stringify(c.actor.getPersistedSnapshot())), value: 'ajar' };
  c.actor = undefined;
  if (c.try('restore ajar', () => c.start({ snapshot }))) {
    c.send('push', { type: 'push' });
  }
  return c;
};

const cases = [
  twoTargets, rowTwice, gap, twoGuards, undeclared, toItself, halfDone, twoCallers, failingGuard, order, may, stored,
];
const { version } = JSON.parse(readFileSync(new URL('node_modules/xstate/package.json', import.meta.url)));
const printed = cases.map((f) => f()).map(({ case: number, steps }) => ({ case: number, steps }));
console.log(JSON.stringify({ version, cases: printed }));
