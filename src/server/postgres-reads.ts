// Point reads of the store on PostgreSQL, joined: those that arrive while others are under way go into one query together,
// so that the cost of a round trip is shared by all who wait for it.

import type { Address } from "../core/values.ts";
import { isAppendOnly, type StoredObject } from "./hub-store.ts";
import { bytesOf, headOf, ownerOf } from "./postgres-keys.ts";

type Read = <Row extends object>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>;

interface Wanted {
  readonly owner: Buffer;
  readonly conversation: Buffer;
  readonly key: Buffer;
  readonly resolve: (found: StoredObject | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface FoundRow {
  readonly at: number;
  readonly bucket: Buffer;
  readonly value: Buffer;
  readonly created: number;
}

/** LIMIT makes each key a search of its own in the primary key, whatever the planner thinks of the sizes. */
const findIn = (table: string): string => `
SELECT wanted.at::float8 AS at, found.bucket, found.value, found.created
FROM unnest($1::bytea[], $2::bytea[], $3::bytea[]) WITH ORDINALITY AS wanted (owner, conversation, key, at)
CROSS JOIN LATERAL (
  SELECT bucket, value, created_at::float8 AS created FROM ${table} AS t
  WHERE t.owner = wanted.owner AND t.conversation = wanted.conversation AND t.key = wanted.key LIMIT 1
) AS found`;

export const FIND_ENTRIES = findIn("hub_entries");
export const FIND_OBJECTS = findIn("hub_objects");

export class PointReads {
  readonly #entries: JoinedReads;
  readonly #objects: JoinedReads;

  constructor(read: Read) {
    this.#entries = new JoinedReads(read, FIND_ENTRIES);
    this.#objects = new JoinedReads(read, FIND_OBJECTS);
  }

  find(owner: Address, key: string): Promise<StoredObject | undefined> {
    return (isAppendOnly(key) ? this.#entries : this.#objects).find(owner, key);
  }
}

/** Queries under way at once, and keys of one. */
const MOST_QUERIES = 3;
const MOST_KEYS = 128;

class JoinedReads {
  readonly #read: Read;
  readonly #text: string;
  #waiting: Wanted[] = [];
  #underWay = 0;
  #scheduled = false;

  constructor(read: Read, text: string) {
    this.#read = read;
    this.#text = text;
  }

  find(owner: Address, key: string): Promise<StoredObject | undefined> {
    return new Promise((resolve, reject) => {
      const place = { owner: ownerOf(owner), conversation: headOf(key), key: bytesOf(key) };
      this.#waiting.push({ ...place, resolve, reject });
      if (this.#scheduled) return;
      this.#scheduled = true;
      // One turn's delay lets the requests that arrived together share a query.
      setImmediate(() => {
        this.#scheduled = false;
        this.#next();
      });
    });
  }

  #next(): void {
    while (this.#underWay < MOST_QUERIES && this.#waiting.length > 0) {
      const wanted = this.#waiting.splice(0, MOST_KEYS);
      this.#underWay++;
      void this.#run(wanted).finally(() => {
        this.#underWay--;
        this.#next();
      });
    }
  }

  async #run(wanted: readonly Wanted[]): Promise<void> {
    try {
      const rows = await this.#read<FoundRow>(this.#text, [
        wanted.map(({ owner }) => owner),
        wanted.map(({ conversation }) => conversation),
        wanted.map(({ key }) => key),
      ]);
      const found = new Map(rows.map((row) => [row.at, row]));
      for (const [i, { resolve }] of wanted.entries()) {
        const row = found.get(i + 1);
        resolve(row && { bucket: row.bucket.toString(), value: row.value, createdAt: row.created });
      }
    } catch (error) {
      for (const { reject } of wanted) reject(error);
    }
  }
}
