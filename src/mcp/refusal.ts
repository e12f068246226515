// What a tool refuses, with the reason and what to do: an answer for the caller, not a fault.

export class Refusal extends Error {
  override readonly name = "Refusal";
}
