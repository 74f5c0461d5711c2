/** Frames by which it is judged whether the map keeps up. */
const JUDGED = 5
/** Slower than this on average a movement stutters, ms a frame. */
const SLOW_MS = 36
/** After so long the hand has rested, not the machine, ms. */
const PAUSE_MS = 300

interface Pace {
  /** Takes the instant of a frame, ms; tells whether the machine was found slow. */
  readonly note: (now: number) => boolean
}

/** Judges by its frames whether the machine can move the map. Once found slow it stays so. */
export function createPace(): Pace {
  let last: number | undefined
  let times: readonly number[] = []
  let isSlow = false
  return {
    note(now) {
      const time = last === undefined ? undefined : now - last
      last = now
      if (time === undefined || time > PAUSE_MS) return isSlow
      times = [...times.slice(1 - JUDGED), time]
      const sum = times.reduce((total, each) => total + each, 0)
      isSlow ||= times.length === JUDGED && sum > JUDGED * SLOW_MS
      return isSlow
    },
  }
}
