// Giving the event loop its turn between slices of work. Apart from the verifiers, so that who only needs this loads no curve.

/** The clock and the pause between slices. */
export interface Pace {
  /** Milliseconds from any start. */
  now(): number;
  /** Resolves once the event loop has had a turn. */
  pause(): Promise<void>;
}

export const defaultPace: Pace = {
  now: () => performance.now(),
  // A message, not a timer: browsers stretch nested timers to 4 ms.
  pause: () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    }),
};
