import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COLD_C, type Outcome, runCompanies, type Step, type Steps } from '../../testing/cells.testkit.ts'

const TENANTS = ['east', 'north', 'west'] as const
const RUNS = 4

const roomC = fc.integer({ min: 12, max: 24 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('report'),
      roomsC: fc.tuple(roomC, roomC),
      strange: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('order'),
      openingPct: fc.integer({ min: 20, max: 80 }),
      isDone: fc.boolean(),
    }),
  },
)
const steps: fc.Arbitrary<Steps> = fc.record(
  Object.fromEntries(TENANTS.map((tenant) => [tenant, fc.array(step, { minLength: 1, maxLength: 8 })])),
)

/** One or two servers; each company is served by one of them. */
const split = fc
  .tuple(fc.boolean(), fc.boolean(), fc.boolean())
  .map((sides) =>
    [true, false]
      .map((side) => TENANTS.filter((_, index) => sides[index] === side))
      .filter((tenants) => tenants.length > 0),
  )

/** Alarms of a room: how often it became cold, and whether it is now. */
function toAlarm(steps_: readonly Step[], room: 0 | 1): string | undefined {
  const colds = steps_.flatMap((one) => (one.kind === 'report' ? [one.roomsC[room] < COLD_C] : []))
  const occurrences = colds.filter((isCold, index) => isCold && !colds[index - 1]).length
  return occurrences === 0 ? undefined : `${colds.at(-1) ? 'active' : 'cleared'} ${occurrences}`
}

/** The alarms that the rule demands. */
const expectAlarms = (given: Steps, { alarms }: Outcome): void => {
  const found = alarms.map((alarm) => {
    const [device, , state, , , occurrences] = String(alarm).split(' ')
    return `${device} ${state} ${occurrences}`
  })
  const demanded = Object.entries(given).flatMap(([tenant, of]) =>
    ([0, 1] as const).flatMap((room) => {
      const alarm = toAlarm(of, room)
      return alarm === undefined ? [] : [`${tenant}/R-b2u${room + 1} ${alarm}`]
    }),
  )
  expect(found).toEqual(demanded.toSorted())
}

test('any split of companies over servers stores, judges, alarms and commands the same as one server', async () => {
  await fc.assert(
    fc.asyncProperty(steps, split, async (given, servers) => {
      const isComplete = (outcome: Outcome) => expectAlarms(given, outcome)
      const whole = await runCompanies(given, [undefined], isComplete)
      expect(await runCompanies(given, servers, isComplete)).toEqual(whole)
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
}, 300_000)
