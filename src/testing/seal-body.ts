// Seals bodies as the rules have it, for tests and samples: the nonce follows from the place, so one key must
// never serve two sessions.

import { gcm } from "@noble/ciphers/aes.js";
import { toBase64url, utf8 } from "../core/bytes.ts";
import { addressOf, type Drawing, type Name } from "./build.ts";

/** The body `{sealed}` of an entry at that place of the session that begins with the node `genesis`. */
export function sealBody(
  drawing: Drawing,
  key: Uint8Array,
  at: { readonly author: Name; readonly seq: number; readonly type: string; readonly genesis?: string },
  plain: string,
): { readonly sealed: string } {
  const { author, seq, type, genesis = "g" } = at;
  const nonce = new Uint8Array(12).fill(seq + 1);
  nonce[0] = author.charCodeAt(0);
  const aad = utf8(`${drawing.node(genesis).ref}\n${addressOf(author)}\n${seq}\n${type}`);
  const sealed = gcm(key, nonce, aad).encrypt(utf8(plain));
  return { sealed: toBase64url(new Uint8Array([...nonce, ...sealed])) };
}
