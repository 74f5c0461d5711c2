/**
 * Lets everybody who asks while a reading is under way share the next one: each is given what was read after they
 * asked, and however many ask, two readings answer them.
 */
export function shareReadings<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let underWay: Promise<Value> | undefined
  let next: Promise<Value> | undefined

  function begin(): Promise<Value> {
    const reading = read()
    const end = () => {
      if (underWay === reading) underWay = undefined
    }
    underWay = reading
    reading.then(end, end)
    return reading
  }

  function beginNext(): Promise<Value> {
    next = undefined
    return begin()
  }

  return () => {
    if (underWay === undefined) return begin()
    next ??= underWay.then(beginNext, beginNext)
    return next
  }
}
