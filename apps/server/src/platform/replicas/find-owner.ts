/** FNV-1a of a text, 32 bits. */
function hashText(text: string): number {
  let hash = 0x811c_9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193)
  return hash
}

/** Spreads the bits of a number over 32 bits: the finalizer of MurmurHash3. */
function mix(number: number): number {
  let hash = number | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/**
 * The owner of a key among servers, by rendezvous hashing: the one with the highest weight for this key. All who know the same
 * names choose the same owner, in whatever order they know them. If a server leaves, only its keys get another owner; one that joins
 * takes an equal share from each. Undefined without names.
 */
export function findOwner(names: Iterable<string>, key: number): string | undefined {
  const spread = mix(key)
  let owner: string | undefined
  let highest = -1
  for (const name of names) {
    const weight = mix(hashText(name) ^ spread)
    if (weight < highest || (weight === highest && owner !== undefined && name > owner)) continue
    owner = name
    highest = weight
  }
  return owner
}
