import type { Shown } from '../faults/distort.ts'

/** Hourly values of a device. In columns, because a season of a small company has millions of them. */
export interface Track {
  readonly serial: string
  readonly record: (hour: number, shown: Shown | undefined) => void
  /** Values at an hour by metric name; undefined if the device did not answer. */
  readonly at: (hour: number) => Record<string, number> | undefined
  /** Adds to each value of a metric; the result has `digits` decimal places. */
  readonly shift: (metric: string, by: number, digits: number) => void
}

export function createTrack(serial: string, hours: number): Track {
  /** A value for each hour by metric; NaN: no value. */
  const columns = new Map<string, Float64Array>()
  return {
    serial,
    record: (hour, shown = {}) => {
      for (const [metric, value] of Object.entries(shown)) {
        let column = columns.get(metric)
        if (column === undefined) {
          column = new Float64Array(hours).fill(Number.NaN)
          columns.set(metric, column)
        }
        column[hour] = value
      }
    },
    at: (hour) => {
      const values: Record<string, number> = {}
      let isAny = false
      for (const [metric, column] of columns) {
        const value = column[hour] ?? Number.NaN
        if (Number.isNaN(value)) continue
        values[metric] = value
        isAny = true
      }
      return isAny ? values : undefined
    },
    shift: (metric, by, digits) => {
      const column = columns.get(metric)
      column?.forEach((value, hour) => {
        column[hour] = Number((value + by).toFixed(digits))
      })
    },
  }
}

interface Registers {
  readonly energyKwh: number
  readonly volumeM3: number
}

/** Moves a meter's registers, which began at `before` and ended at `after`, so that they end at or just below `before`. */
export function shiftRegisters(track: Track, before: Registers, after: Registers): void {
  track.shift('heat.energy', Math.floor(before.energyKwh - after.energyKwh), 0)
  track.shift('heat.volume', Math.floor((before.volumeM3 - after.volumeM3) * 10) / 10, 1)
}
