import { hostClock, type ServerClock } from './clock.ts';
import { threadBusyMs } from './processor.ts';

export const nodeClock: ServerClock = {
  ...hostClock,
  busy: threadBusyMs,
  every(ms, act) {
    const timer = setInterval(act, ms);
    timer.unref();
    return { cancel: () => clearInterval(timer) };
  },
  soon: (act) => void setImmediate(act),
};
