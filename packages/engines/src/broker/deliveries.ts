/** A message to a subscriber that is not acknowledged yet. */
export interface Delivery {
  readonly topic: string
  readonly payload: Buffer
}

/** Messages to one client by packet id, bounded: the oldest is dropped first. */
export interface Deliveries {
  /** Stores the message under the id, or under a free one; returns the id. */
  add(delivery: Delivery, packetId: number | undefined): number
  /** Removes and returns the message that the client acknowledged. */
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
    add(delivery, packetId) {
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
