// The protocol, worked through once: two wallets, a Hub and a channel in memory, one game of rock-paper-scissors.
// Read from `main` on. Nothing here trusts the Hub: each side, and an auditor who was not there, believes only what
// signatures and hashes carry. Then once more in private: the same game, its moves sealed. Run by `npm run example`.

import { MemoryBroker } from "../channel/channel.memory.ts";
import { domainKey } from "../core/seal.ts";
import { checksumAddress, type Address, type Ref } from "../core/values.ts";
import { describeReason, describeVerdict } from "../games/describe.ts";
import { collectSession } from "../session/collect-session.ts";
import type { Hub } from "../hub/hub.ts";
import { MemoryHub } from "../hub/hub.memory.ts";
import { openDirectSession } from "../invite/direct-session.ts";
import type { Offer } from "../invite/invite.ts";
import { findDomainKey } from "../peer/domain-keys.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import { openSeat } from "../peer/seat.ts";
import { localLocks } from "../platform/locks.ts";
import { openLog, type LogWriter } from "../log/log-writer.ts";
import type { Seat, PeerSnapshot } from "../peer/peer.ts";
import { memoryStore } from "../platform/key-value-store.memory.ts";
import { auditRecords } from "../audit/audit-records.ts";
import { createInlineVerifier } from "../verify/verifier.inline.ts";
import { generateSecret, localWallet } from "../wallet/wallet.local.ts";

const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
const verifier = createInlineVerifier();

/** What one participant runs on. Only Hub and broker are shared; each has its own store for outbox and salts. */
function newEnvironment(hub: Hub, broker: MemoryBroker): PeerEnvironment {
  return {
    hub,
    channel: broker.connect(),
    verifier,
    store: memoryStore(),
    locks: localLocks(),
    clock: {
      now: () => Date.now(),
      after: (ms, work) => {
        const timer = setTimeout(work, ms);
        return () => clearTimeout(timer);
      },
    },
    random,
  };
}

/** Resolves once what a peer sees is so. */
function until(peer: Seat, isSo: (snapshot: PeerSnapshot) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isSo(peer.getSnapshot())) return;
      stop();
      resolve();
    };
    const stop = peer.subscribe(look);
    queueMicrotask(look);
  });
}

const isOpen = ({ view }: PeerSnapshot): boolean => view?.ok === true;
const isDecided = ({ verdict }: PeerSnapshot): boolean =>
  verdict?.ok === true && verdict.status === "decided";

/** Opens a session: a genesis entry in Alice's log that names game, rules, participants, budget and default. */
async function openSession(log: LogWriter, participants: readonly Address[]) {
  return log.append(async () => ({
    type: "genesis",
    refs: [],
    body: {
      protocol: "coop/1",
      game: "rps",
      rules: { best_of: 1 },
      participants,
      // An entry budget of 13: the genesis and six entries each. Deadlines are counted, never timed.
      deadline: 13,
      // If somebody owes a move when a share is used up, the other wins.
      default_outcome: { kind: "forfeit" },
    },
  }));
}

/**
 * The same in private: the key of a named domain is sealed to both, and serves further sessions of that name. Alice finds
 * Bob's public key in what he has signed before.
 */
async function openPrivately(env: PeerEnvironment, log: LogWriter, participants: readonly Address[]) {
  const offer: Offer = {
    game: "rps",
    rules: { best_of: 1 },
    deadline: 13,
    default_outcome: { kind: "forfeit" },
    private: true,
  };
  return openDirectSession(env, log, offer, participants, "team:engineering");
}

export interface Told {
  readonly alice: string;
  readonly bob: string;
  readonly auditor: string;
}

/** Plays one game and audits it; `say` gets a line for each step. Resolves with the digest that each side reached. */
export async function main(say: (text: string) => void, isPrivate = false): Promise<Told> {
  const hub = new MemoryHub();
  const broker = new MemoryBroker();

  // 1. Two wallets. An address is all that the other side ever learns of a key.
  const aliceWallet = localWallet(generateSecret(random));
  const bobWallet = localWallet(generateSecret(random));
  const names = new Map([
    [aliceWallet.address, "Alice"],
    [bobWallet.address, "Bob"],
  ]);
  const nameOf = (wallet: Address) => names.get(wallet) ?? checksumAddress(wallet);
  for (const [address, name] of names) say(`${name} is ${checksumAddress(address)}`);

  // 2. Alice opens a session. Its id is the ref of the genesis: <address>:<seq>:<hash>.
  const aliceEnv = newEnvironment(hub, broker);
  const bobEnv = newEnvironment(hub, broker);
  const aliceLog = openLog(aliceEnv, aliceWallet);
  const bobLog = openLog(bobEnv, bobWallet);
  const participants = [aliceWallet.address, bobWallet.address];
  let session: Ref;
  if (isPrivate) {
    await bobLog.append(async () => ({ type: "hello", refs: [], body: {} }));
    session = await openPrivately(aliceEnv, aliceLog, participants);
  } else session = (await openSession(aliceLog, participants)).ref;
  say(`Alice opens session ${session}`);

  // 3. Both follow it. The channel says that something is new; the Hub gives the bytes; each verifies for itself.
  const alice = openSeat(aliceEnv, { session, log: aliceLog, acceptVolatile: true });
  const bob = openSeat(bobEnv, { session, log: bobLog, acceptVolatile: true });
  await Promise.all([until(alice, isOpen), until(bob, isOpen)]);

  // 4. Both commit: the hash of hand, salt, session, wallet and round. Neither can know the other's hand yet.
  say(`Alice commits: ${await alice.commit("rock")}`);
  say(`Bob commits:   ${await bob.commit("scissors")}`);

  // 5. Each opens its commitment by itself, once it has seen that the other can no longer change his mind.
  await Promise.all([until(alice, isDecided), until(bob, isDecided)]);
  const verdicts = [alice, bob].map((peer) => peer.getSnapshot().verdict);
  const digests = verdicts.map((verdict) => (verdict?.ok === true ? verdict.digest : "none"));
  say(`Alice resolves: ${describeVerdict(verdicts[0]!, nameOf)}`);
  say(`Bob resolves:   ${describeVerdict(verdicts[1]!, nameOf)}`);

  // 6. A third party who knows nothing but the session id audits it from the Hub's bytes alone; of a private session it
  // sees order and shares without the key, and the rest with it.
  const { records } = await collectSession([hub], session);
  const key = await keyOf(alice, aliceEnv);
  if (key !== undefined) {
    const { verdict: sealed } = await auditRecords(records, session, verifier);
    say(`Without the key the auditor sees: ${describeVerdict(sealed!, nameOf)}`);
  }
  const audit = await auditRecords(records, session, verifier, { domain: key });
  const { verdict, report } = audit;
  if (verdict?.ok !== true) throw new Error("the auditor reached no verdict");
  say(
    `The auditor verified ${report.counts.verified} of ${records.length} records: ${describeVerdict(verdict, nameOf)}`,
  );
  for (const reason of verdict.reasons) say(`  ${describeReason(reason, nameOf)}`);
  say(`All three have digest ${verdict.digest}: ${new Set([...digests, verdict.digest]).size === 1}`);

  for (const end of [alice, bob, aliceLog, bobLog]) end.close();
  for (const { channel } of [aliceEnv, bobEnv]) channel?.close();
  return { alice: digests[0]!, bob: digests[1]!, auditor: verdict.digest };
}

/** What opens a private session, as one of its players has kept it; undefined for an open one. */
async function keyOf(peer: Seat, { store }: PeerEnvironment) {
  const { view } = peer.getSnapshot();
  const domain = view?.ok === true ? view.terms.domain : undefined;
  const key = domain === undefined ? undefined : await findDomainKey(store, domain.key_hash);
  return key === undefined ? undefined : domainKey(key);
}

// Started by itself, it prints what happens; a test imports it.
if (process.argv[1]?.endsWith("04-protocol.ts") === true) {
  const say = (text: string) => console.log(text);
  await main(say);
  say("\nThe same in private:");
  await main(say, true);
}
