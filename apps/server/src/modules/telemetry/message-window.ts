/** Key of a message: the device id of its node, the node's boot counter and its number within that boot. */
export interface MessageKey {
  readonly node: number
  readonly boot: number
  readonly seq: number
}

/** Consecutive numbers from `first` to `last`, both included. */
export interface SeqRange {
  first: number
  last: number
}

/** Numbers as ascending ranges that never touch; what a node sends in order is one range. */
export class SeqSet {
  readonly ranges: SeqRange[] = []

  /** Index of the first range that ends at or after `seq`. */
  #indexOf(seq: number): number {
    let low = 0
    let high = this.ranges.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.ranges[middle]?.last ?? 0) < seq) low = middle + 1
      else high = middle
    }
    return low
  }

  has(seq: number): boolean {
    const range = this.ranges[this.#indexOf(seq)]
    return range !== undefined && range.first <= seq
  }

  add(first: number, last = first): void {
    const at = this.#indexOf(first - 1)
    let end = at
    let from = first
    let to = last
    for (let range = this.ranges[end]; range && range.first <= last + 1; range = this.ranges[++end]) {
      from = Math.min(from, range.first)
      to = Math.max(to, range.last)
    }
    this.ranges.splice(at, end - at, { first: from, last: to })
  }
}

/** How long a message is remembered: a node repeats what it holds unacknowledged, up to 48 h (protocols.md 4.2). */
export const WINDOW_MS = 48 * 3_600_000

/**
 * Which messages are stored already, so that one that comes twice is stored once. A few dozen bytes per node and
 * boot; rebuilt from the store at start, where each row carries its message's key.
 */
export class MessageWindow {
  readonly #boots = new Map<number, Map<number, { seqs: SeqSet; usedAt: number }>>()

  has({ node, boot, seq }: MessageKey): boolean {
    return this.#boots.get(node)?.get(boot)?.seqs.has(seq) ?? false
  }

  /** Notes a stored message (or with `last` a range of them) at instant `now`, Unix ms. */
  add({ node, boot, seq }: MessageKey, now: number, last = seq): void {
    let boots = this.#boots.get(node)
    if (!boots) this.#boots.set(node, (boots = new Map()))
    let entry = boots.get(boot)
    if (!entry) boots.set(boot, (entry = { seqs: new SeqSet(), usedAt: now }))
    entry.seqs.add(seq, last)
    entry.usedAt = now
  }

  /** The number up to which, from the first of this boot that is known, every message is stored. */
  watermark(node: number, boot: number): number | undefined {
    return this.#boots.get(node)?.get(boot)?.seqs.ranges[0]?.last
  }

  /** Forgets boots that were silent longer than the window. */
  prune(now: number): void {
    for (const [node, boots] of this.#boots) {
      for (const [boot, { usedAt }] of boots) if (now - usedAt > WINDOW_MS) boots.delete(boot)
      if (boots.size === 0) this.#boots.delete(node)
    }
  }
}
