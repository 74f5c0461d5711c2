/** Times in a week plan are multiples of this, minutes. */
export const STEP_MINUTES = 15

const pad = (value: number): string => String(value).padStart(2, '0')

/** A minute of the day as a clock shows it: 06:15; the end of the day is 24:00. */
export const toClock = (minute: number): string => `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`

/** A span of the day as a clock shows it: 06:15–08:00. */
export const toSpanText = ({
  fromMinute,
  toMinute,
}: {
  readonly fromMinute: number
  readonly toMinute: number
}): string => `${toClock(fromMinute)}–${toClock(toMinute)}`
