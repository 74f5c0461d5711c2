/** A message on its way to a subscriber, not acknowledged yet. */
export interface Delivery {
  readonly topic: string
  readonly payload: Buffer
}

/** Which packet id carries which message to one client, bounded: the oldest is forgotten first. */
export interface Deliveries {
  /** Remembers the message under the id, or under a free one; returns the id. */
  begin(delivery: Delivery, packetId: number | undefined): number
  /** Forgets and returns what the client acknowledged. */
  end(packetId: number): Delivery | undefined
}

const limit = 1024

/** Packet ids run from 1 to 65535 and are free again once acknowledged. */
export function createDeliveries(): Deliveries {
  const open = new Map<number, Delivery>()
  let last = 0

  const nextFree = () => {
    do last = (last % 65535) + 1
    while (open.has(last))
    return last
  }

  return {
    begin(delivery, packetId) {
      const id = packetId ?? nextFree()
      open.delete(id)
      open.set(id, delivery)
      const [oldest] = open.keys()
      if (open.size > limit && oldest !== undefined) open.delete(oldest)
      return id
    },
    end(packetId) {
      const delivery = open.get(packetId)
      open.delete(packetId)
      return delivery
    },
  }
}
