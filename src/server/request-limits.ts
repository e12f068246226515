// How much one client, and all together, may ask of the server: rates by token buckets, reckoned without a timer, and
// numbers of bytes and connections at once. A client is an address (IPv6: a /64). Every limit is an option of `coop serve`.

const MIB = 1024 * 1024;

export interface RequestLimits {
  /** Requests a second that one address may make in the long run; 0 switches the limit off. */
  readonly perSecond: number;
  /** Requests at once after a pause. */
  readonly burst: number;
  /** The same for sign-ins not seen before, each of which costs a signature check. */
  readonly signInsPerSecond: number;
  readonly signInsBurst: number;
  /** The same for bytes of values to be stored; 0 switches the limit off. */
  readonly writeBytesPerSecond: number;
  readonly writeBytesBurst: number;
  /** Open connections in all, those of the relay included, and of one address. */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Bytes of bodies on their way in, in all and of one address. */
  readonly incomingBytes: number;
  readonly incomingBytesPerAddress: number;
  /** Bytes of answers that wait for their readers, in all and of one address. */
  readonly outgoingBytes: number;
  readonly outgoingBytesPerAddress: number;
  /** Milliseconds in which an answer must have been read. */
  readonly answerMs: number;
  /** Whether programs on this machine are limited too. What a proxy here forwards always is. */
  readonly loopback: boolean;
}

export const REQUEST_LIMITS: RequestLimits = {
  perSecond: 200,
  burst: 4000,
  signInsPerSecond: 10,
  signInsBurst: 300,
  writeBytesPerSecond: MIB,
  writeBytesBurst: 128 * MIB,
  connections: 20_000,
  connectionsPerAddress: 512,
  incomingBytes: 64 * MIB,
  incomingBytesPerAddress: 8 * MIB,
  outgoingBytes: 96 * MIB,
  outgoingBytesPerAddress: 32 * MIB,
  answerMs: 60_000,
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

/** An amount in use at once, in all and by address. */
export class Shares {
  readonly #all: number;
  readonly #perAddress: number;
  readonly #used = new Map<string, number>();
  #total = 0;

  constructor(all: number, perAddress: number) {
    this.#all = all;
    this.#perAddress = perAddress;
  }

  get total(): number {
    return this.#total;
  }

  /** Takes an amount, or none and says what is full. `limited`: whether the address has a limit of its own. */
  take(address: string, amount: number, limited: boolean): "taken" | "address" | "all" {
    const used = this.#used.get(address) ?? 0;
    if (limited && used + amount > this.#perAddress) return "address";
    if (this.#total + amount > this.#all) return "all";
    this.#used.set(address, used + amount);
    this.#total += amount;
    return "taken";
  }

  release(address: string, amount: number): void {
    const left = (this.#used.get(address) ?? 0) - amount;
    if (left > 0) this.#used.set(address, left);
    else this.#used.delete(address);
    this.#total -= amount;
  }
}
