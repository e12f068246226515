// Which wallets there are in a page (EIP-6963): each extension announces itself by an event, at once or late.
// Names and icons are by strangers: a name is text, an icon is an image or nothing (an SVG in an <img> runs nothing).

import type { Eip1193Provider } from "./wallet.injected.ts";

/** A wallet that has announced itself. */
export interface AnnouncedWallet {
  /** Of this announcement, new with every load of the page. */
  readonly uuid: string;
  /** For people; hostile text until proven otherwise. */
  readonly name: string;
  /** Reverse domain name: the same wallet has it again after a reload. A claim, like the name. */
  readonly rdns: string;
  /** A `data:` URI of an image, or null where what was announced is none. */
  readonly icon: string | null;
  readonly provider: Eip1193Provider;
}

const ANNOUNCE = "eip6963:announceProvider";
const REQUEST = "eip6963:requestProvider";
/** A page with more wallets than this is being played with. */
const MAX_WALLETS = 32;
const MAX_NAME = 100;
const MAX_ICON = 256 * 1024;

export class AnnouncedWallets {
  readonly #target: EventTarget;
  readonly #listeners = new Set<() => void>();
  #wallets: readonly AnnouncedWallet[] = [];

  /** Listens from now on, and asks those who are there to announce themselves. `target` is the window. */
  constructor(target: EventTarget) {
    this.#target = target;
    target.addEventListener(ANNOUNCE, this.#hear);
    target.dispatchEvent(new Event(REQUEST));
  }

  /** In the order of announcement; a new list whenever one has come. */
  getSnapshot = (): readonly AnnouncedWallet[] => this.#wallets;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  close(): void {
    this.#target.removeEventListener(ANNOUNCE, this.#hear);
    this.#listeners.clear();
  }

  /** The first to come under a uuid has it: a later one cannot put itself in the place of one that was chosen. */
  readonly #hear = (event: Event): void => {
    const wallet = readAnnouncement(read(event, "detail"));
    if (wallet === undefined || this.#wallets.length >= MAX_WALLETS) return;
    if (this.#wallets.some(({ uuid }) => uuid === wallet.uuid)) return;
    this.#wallets = [...this.#wallets, wallet];
    for (const listener of [...this.#listeners]) listener();
  };
}

/** What an announcement says, or undefined where it is none. */
export function readAnnouncement(detail: unknown): AnnouncedWallet | undefined {
  const info = read(detail, "info");
  const provider = read(detail, "provider");
  const [uuid, name, rdns, icon] = ["uuid", "name", "rdns", "icon"].map((key) => read(info, key));
  if (!isShort(uuid) || !isShort(name) || !isShort(rdns) || !isProvider(provider)) return undefined;
  return { uuid, name, rdns, icon: isImage(icon) ? icon : null, provider };
}

function isShort(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= MAX_NAME;
}

function isImage(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.length <= MAX_ICON &&
    /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/i.test(value)
  );
}

function isProvider(value: unknown): value is Eip1193Provider {
  return typeof read(value, "request") === "function";
}

/** A member of anything, or undefined; a getter that throws counts as none. */
function read(value: unknown, key: string): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}
