// Machine translation puts text into <font> elements behind React's back; React then fails to take out, or to insert
// before, a node that has moved. Here the moved node's nearest ancestor that is still a child stands for it.

/** The child of `parent` that holds the node; null where it was taken out of the page. */
function childHolding(parent: Node, node: Node): Node | null {
  let at: Node | null = node;
  while (at !== null && at.parentNode !== parent) at = at.parentNode;
  return at;
}

/** Makes the page's nodes forgive what a translator has moved. */
export function surviveTranslation(prototype: Node): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- both are called with the node they are asked on
  const { removeChild, insertBefore } = prototype;
  prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    const held = childHolding(this, child);
    if (held !== null) removeChild.call(this, held);
    return child;
  };
  prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    insertBefore.call(this, node, before === null ? null : childHolding(this, before));
    return node;
  };
}
