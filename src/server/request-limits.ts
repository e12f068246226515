// How much one client may ask of the server: a token bucket for each address, reckoned without a timer.

export interface RequestLimits {
  /** Requests a second that one address may make in the long run; 0 switches the limit off. */
  readonly perSecond: number;
  /** Requests at once after a pause. */
  readonly burst: number;
  /** The same for sign-ins not seen before, each of which costs a signature check. */
  readonly signInsPerSecond: number;
  readonly signInsBurst: number;
  /** Whether this machine's own addresses are limited too. A proxy here should be trusted instead (`trustProxy`). */
  readonly loopback: boolean;
}

export const REQUEST_LIMITS: RequestLimits = {
  perSecond: 200,
  burst: 4000,
  signInsPerSecond: 10,
  signInsBurst: 300,
  loopback: false,
};

interface Level {
  tokens: number;
  at: number;
}

/** Addresses remembered; the first heard of are forgotten first, at the cost of one burst. */
const MOST = 20_000;

export class Buckets {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #levels = new Map<string, Level>();

  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
  }

  /** Takes `cost` tokens, or none and answers in how many whole seconds there will be enough. 0: taken. */
  take(address: string, now: number, cost = 1): number {
    if (this.#perSecond === 0) return 0;
    let level = this.#levels.get(address);
    if (level === undefined) {
      if (this.#levels.size >= MOST) this.#levels.delete(this.#levels.keys().next().value!);
      this.#levels.set(address, (level = { tokens: this.#burst, at: now }));
    }
    const earned = (Math.max(0, now - level.at) * this.#perSecond) / 1000;
    level.tokens = Math.min(this.#burst, level.tokens + earned);
    level.at = now;
    if (level.tokens < cost) return Math.max(1, Math.ceil((cost - level.tokens) / this.#perSecond));
    level.tokens -= cost;
    return 0;
  }
}
