/** Runs the task of a client as soon as a slot is free and it is the client's turn. */
export type FairGate = <Result>(client: string, work: () => Promise<Result>) => Promise<Result>

export interface FairGateLimits {
  /** Maximum number of concurrent tasks. */
  readonly running: number
  /** Maximum number of concurrent tasks of one client. */
  readonly runningPerClient: number
  /** Maximum number of waiting tasks of one client. */
  readonly waitingPerClient: number
  /** Error for a task beyond the client's limit. */
  readonly refuse: () => Error
}

interface ClientQueue {
  running: number
  readonly waiting: (() => void)[]
}

/**
 * Runs a limited number of tasks concurrently and lets clients take turns, so that one with many tasks does not delay
 * the others by more than its share of slots. A failed task frees its slot too.
 */
export function createFairGate(limits: FairGateLimits): FairGate {
  /** Clients with tasks, in the order of their turns. */
  const queues = new Map<string, ClientQueue>()
  let running = 0

  function startNext(): void {
    for (const queue of queues.values()) {
      if (running >= limits.running) return
      if (queue.running >= limits.runningPerClient) continue
      const start = queue.waiting.shift()
      if (!start) continue
      running += 1
      queue.running += 1
      start()
    }
  }

  return async (client, work) => {
    const queue: ClientQueue = queues.get(client) ?? { running: 0, waiting: [] }
    if (queue.waiting.length >= limits.waitingPerClient) throw limits.refuse()
    queues.set(client, queue)
    await new Promise<void>((start) => {
      queue.waiting.push(start)
      startNext()
    })
    try {
      return await work()
    } finally {
      running -= 1
      queue.running -= 1
      // The client goes to the end of the order.
      queues.delete(client)
      if (queue.running > 0 || queue.waiting.length > 0) queues.set(client, queue)
      startNext()
    }
  }
}
