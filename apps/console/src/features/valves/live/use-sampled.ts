import { useState } from 'react'

interface Sample<Value> {
  readonly value: Value
  /** The tick at which it was accepted. */
  readonly tick: number
}

/** The next sample: a changed value is accepted at once or, if sampled, once per tick. Otherwise the last one stays. */
export function takeSample<Value>(
  last: Sample<Value>,
  now: Sample<Value>,
  isSampled: boolean,
): Sample<Value> {
  const isAccepted = now.value !== last.value && (!isSampled || now.tick !== last.tick)
  return isAccepted ? now : last
}

/** The value itself or, if sampled, its first change in each tick. `tick`: any number that changes periodically. */
export function useSampled<Value>(value: Value, tick: number, isSampled: boolean): Value {
  const [last, setLast] = useState({ value, tick })
  const next = takeSample(last, { value, tick }, isSampled)
  if (next !== last) setLast(next)
  return next.value
}
