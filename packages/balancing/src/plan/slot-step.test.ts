import { expect, test } from 'vitest'
import type { StepGoal } from '../step/step-targets.ts'
import { planStep } from './plan-step.ts'
import { createSampleStation, firstStep } from './sample-station.testkit.ts'

const COUNT = 24
const isOff = (consumer: number): boolean => consumer % 3 === 0

const levels = (off: number): StepGoal => ({
  kind: 'sequence',
  frostC: 5,
  roomC: new Float64Array(COUNT).fill(Number.NaN),
  share: Float64Array.from({ length: COUNT }, (_, i) => (isOff(i) ? off : 0.8)),
})

/** Root mean square of ln(flow / (share of the design flow)), over the consumers that `whose` selects. */
function missed(
  flowKgS: Float64Array,
  designKgS: Float64Array,
  share: number,
  whose: (i: number) => boolean,
) {
  const logs = [...flowKgS].flatMap((flow, i) =>
    whose(i) ? [Math.log(flow / (share * (designKgS[i] ?? Number.NaN)))] : [],
  )
  return Math.sqrt(logs.reduce((sum, log) => sum + log * log, 0) / logs.length)
}

test.each([1, 2, 3])(
  'a slot that nearly closes a third of the valves gives the others their target flow (seed %i)',
  (seed) => {
    const station = createSampleStation(COUNT, seed)
    const { designKgS } = station.records
    const order = firstStep(station)
    const day = planStep({ ...order, goal: levels(0.8) })
    const readingsByDay = station.readAt(day.plan.openings)
    const night = planStep({
      ...order,
      goal: levels(0.2),
      readings: readingsByDay,
      openings: day.plan.openings,
      memory: day.memory,
    })
    const byNight = station.readAt(night.plan.openings)
    const onlyTheirs = day.plan.openings.map((open, i) =>
      isOff(i) ? (night.plan.openings[i] ?? open) : open,
    )
    const unsolved = station.readAt(onlyTheirs)
    const others = (flowKgS: Float64Array) => missed(flowKgS, designKgS, 0.8, (i) => !isOff(i))
    expect(others(byNight.meterKgS)).toBeLessThan(0.02)
    // A timetable that only closes those valves changes the flow of the others.
    expect(others(unsolved.meterKgS)).toBeGreaterThan(5 * others(byNight.meterKgS))
    // The minimum opening is 10 %.
    for (const [i, flow] of byNight.meterKgS.entries())
      if (isOff(i)) expect(flow / (designKgS[i] ?? Number.NaN)).toBeLessThan(0.4)
    expect(night.advisedHeadPa).toBeLessThan(day.advisedHeadPa)
  },
)
