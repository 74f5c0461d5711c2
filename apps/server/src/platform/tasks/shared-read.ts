/**
 * Returns a function that shares one read between concurrent callers. A caller never gets a result that was read before
 * its call: calls during a read wait for the next one. However many callers there are, at most two reads run.
 */
export function createSharedRead<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let current: Promise<Value> | undefined
  let next: Promise<Value> | undefined

  function start(): Promise<Value> {
    const reading = read()
    const end = () => {
      if (current === reading) current = undefined
    }
    current = reading
    reading.then(end, end)
    return reading
  }

  function startNext(): Promise<Value> {
    next = undefined
    return start()
  }

  return () => {
    if (current === undefined) return start()
    next ??= current.then(startNext, startNext)
    return next
  }
}
