/**
 * Runs the task of a client as soon as a slot is free and it is the client's turn. `left`: if it is aborted while the task waits, the
 * task gives up its place and rejects with the reason.
 */
export type FairGate = <Result>(
  client: string,
  work: () => Promise<Result>,
  left?: AbortSignal,
) => Promise<Result>

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

  const isEmpty = (queue: ClientQueue): boolean => queue.running === 0 && queue.waiting.length === 0

  return async (client, work, left) => {
    left?.throwIfAborted()
    const queue: ClientQueue = queues.get(client) ?? { running: 0, waiting: [] }
    if (queue.waiting.length >= limits.waitingPerClient) throw limits.refuse()
    queues.set(client, queue)
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        queue.waiting.splice(queue.waiting.indexOf(start), 1)
        if (isEmpty(queue)) queues.delete(client)
        reject(left?.reason)
      }
      const start = (): void => {
        left?.removeEventListener('abort', leave)
        resolve()
      }
      left?.addEventListener('abort', leave)
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
      if (!isEmpty(queue)) queues.set(client, queue)
      startNext()
    }
  }
}
