/** Frames by which it is judged whether the map keeps up, and how many of them may be late. */
const JUDGED = 5
const MAY_BE_LATE = 2
/** A frame is late after this, ms: a screen of 60 frames a second then shows every other one at best. */
const LATE_MS = 30
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
      isSlow ||= times.length === JUDGED && times.filter((each) => each > LATE_MS).length > MAY_BE_LATE
      return isSlow
    },
  }
}
