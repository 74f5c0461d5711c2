import { useState } from 'react'

interface Sample<Value> {
  readonly value: Value
  /** The beat in which it was taken. */
  readonly beat: number
}

/** A value that changed is taken at once, where it is sampled once in a beat; otherwise what was held stays. */
export function takeSample<Value>(
  held: Sample<Value>,
  now: Sample<Value>,
  isSampled: boolean,
): Sample<Value> {
  const isTaken = now.value !== held.value && (!isSampled || now.beat !== held.beat)
  return isTaken ? now : held
}

/** A value as it is or, where it is sampled, as it was when it first changed in the beat, a number that changes now and then. */
export function useSampled<Value>(value: Value, beat: number, isSampled: boolean): Value {
  const [held, setHeld] = useState({ value, beat })
  const taken = takeSample(held, { value, beat }, isSampled)
  if (taken !== held) setHeld(taken)
  return taken.value
}
