import type { IrrigationSource } from '@isotherm/contract/irrigation'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type IrrigationBench, startIrrigationBench } from './irrigation.testkit.ts'
import { listFaults } from './storage/faults.pg.ts'

let bench: IrrigationBench
let source: IrrigationSource
let groupIds: number[]
const openValves = () =>
  [...bench.valves].flatMap(([serial, { openingPct }]) => (openingPct > 0 ? [serial] : []))
const now = () => bench.source(source.id)
const listFaultNames = async () =>
  (await listFaults(bench.db, bench.clock.now())).map(({ what }) => what).toSorted()
const lastRun = async () =>
  (await bench.irrigation.listRuns(bench.call().caller, { limiter: { page: 1, size: 1 } })).datalist[0]
const water = (groupId = groupIds[0] ?? 0, runS = 60) =>
  bench.irrigation.start(bench.call(), { groupId, runS })

const settings = {
  name: '一号泵站',
  capacityM3H: 12,
  leadS: 0,
  groupDelayS: 0,
  afterOutage: 'resume' as const,
  leakS: 60,
  dryRunS: 60,
}

async function addGroup(name: string, serials: readonly string[]): Promise<number> {
  const valves = serials.map((serial) => ({ deviceId: bench.idOf(serial), flowM3H: 6, maxS: 1_800 }))
  const group = { name, mode: 'parallel' as const, valves }
  const { groups } = await bench.settings.setGroup(bench.call(), { sourceId: source.id, settings: group })
  return groups.at(-1)?.id ?? 0
}
const set = async (change: Partial<typeof settings> & Partial<IrrigationSource>) => {
  const { id, version, node } = await now()
  source = await bench.settings.setSource(bench.call(), {
    id,
    version,
    node,
    settings: { ...settings, stationId: bench.stationId, ...change },
  })
}
/** A program of both groups, a minute each, in so many minutes from now. */
async function addProgram(minutes = 2): Promise<void> {
  const local = bench.clock.now() + 8 * HOUR_MS + minutes * MINUTE_MS
  const plan = {
    days: { kind: 'every' as const, n: 1, from: 0 },
    starts: [{ kind: 'time' as const, minute: Math.floor(local / MINUTE_MS) % 1_440 }],
    entries: groupIds.map((groupId) => ({ groupId, runS: 120 })),
    seasonalPct: 100,
    together: false,
  }
  source = await bench.settings.setProgram(bench.call(), {
    sourceId: source.id,
    settings: { name: '晨灌', enabled: true, plan },
  })
}

beforeAll(async () => {
  bench = await startIrrigationBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  await bench.clear()
  bench.clock.shiftMs += MINUTE_MS + 1_000 - (bench.clock.now() % MINUTE_MS)
  const node = await bench.db.selectFrom('node').select('id').where('level', '=', 4).executeTakeFirstOrThrow()
  source = await bench.settings.setSource(bench.call(), {
    node: String(node.id),
    settings: { ...settings, stationId: bench.stationId },
  })
  groupIds = [await addGroup('一组', ['C1V1', 'C1V2']), await addGroup('二组', ['C1V3', 'C1V4'])]
})

describe('the expectation of flow', () => {
  test('is learned from five healthy waterings, and then one closed valve of two and a clogged one are found at once', async () => {
    // A pressure above the stated one: the stated flow would not show a loss of a fifth.
    for (const valve of bench.valves.values()) valve.flowShare = 1.2
    for (let watering = 0; watering < 5; watering++) {
      await water()
      await bench.pass(90)
      expect(await lastRun()).toMatchObject({ state: 'done', steps: [{ state: 'closed' }] })
    }
    await water()
    await bench.pass(10)
    const [step] = (await now()).runs[0]?.steps ?? []
    // The tick after the end counts up to its 5 s of the 60 with closed valves: on a busy machine it is that late.
    expect(step?.expected?.flowM3H).toBeGreaterThan(13)
    expect(step?.expected?.flowM3H).toBeLessThan(14.5)
    expect(step?.expected?.learnedFrom).toBe(5)
    await bench.pass(80)
    expect(await listFaultNames()).toEqual([])
    for (const serial of ['C1V1', 'C1V2']) Object.assign(bench.valves.get(serial) ?? {}, { flowShare: 0.75 })
    await water()
    await bench.pass(90)
    expect((await lastRun())?.steps[0]).toMatchObject({ state: 'closed', finding: 'low-flow' })
    expect(await listFaultNames()).toEqual(['irrigation-flow'])
  })

  test('has its limits around the stated flow before', async () => {
    await water()
    await bench.pass(10)
    const [step] = (await now()).runs[0]?.steps ?? []
    expect(step?.expected).toMatchObject({ flowM3H: 12, highM3H: 18, learnedFrom: 0 })
  })

  test('finds a valve that does not open beside others, in the same run', async () => {
    Object.assign(bench.valves.get('C1V2') ?? {}, { isStuck: true })
    await water()
    await bench.pass(90)
    expect((await lastRun())?.steps[0]?.finding).toBe('part-open')
    expect(await listFaultNames()).toEqual(['irrigation-flow'])
  })

  test('finds a line that is broken before the valves by the meter of the source', async () => {
    bench.house.brokenM3H = 3
    await water()
    await bench.pass(90)
    expect((await lastRun())?.steps[0]).toMatchObject({ state: 'closed', finding: 'line-break' })
  })

  test('blames no line for what flows through a valve that somebody opened by hand', async () => {
    Object.assign(bench.valves.get('C1V4') ?? {}, { openingPct: 50 })
    await water()
    await bench.pass(90)
    expect((await lastRun())?.steps[0]?.finding).toBeUndefined()
  })
})

describe('the latch of leaks', () => {
  test('reports flow although nothing is open, keeps programs from starting, and stays until somebody releases it', async () => {
    await addProgram(5)
    bench.house.leakM3H = 2
    await bench.pass(40)
    expect((await now()).leak).toBeUndefined()
    await bench.pass(60)
    expect((await now()).leak?.flowM3H).toBe(2)
    expect(await listFaultNames()).toEqual(['irrigation-leak'])
    bench.house.leakM3H = 0
    await bench.pass(300)
    expect(await lastRun()).toMatchObject({ state: 'done', steps: [], conflicts: [{ kind: 'leak' }] })
    expect(await listFaultNames()).toEqual(['irrigation-leak'])
    await bench.irrigation.release(bench.call(), { sourceId: source.id, what: 'leak' })
    expect(await listFaultNames()).toEqual([])
    await bench.pass(120)
    expect((await now()).leak).toBeUndefined()
    const again = bench.irrigation.release(bench.call(), { sourceId: source.id, what: 'leak' })
    await expect(again).rejects.toMatchObject({ code: 'irrigation.not-now' })
  })

  test('lets programs start if the source says so', async () => {
    await set({ leakBlocks: false })
    await addProgram(3)
    bench.house.leakM3H = 2
    await bench.pass(120)
    expect((await now()).leak).toBeDefined()
    await bench.pass(100)
    expect(openValves()).toEqual(['C1V1', 'C1V2'])
  })

  test('is not prevented by an open valve of no group, nor by one that has not reported for an hour', async () => {
    Object.assign(bench.valves.get('C1V6') ?? {}, { openingPct: 100 })
    bench.house.leakM3H = 2
    await bench.pass(100)
    expect((await now()).leak).toBeDefined()
    bench.house.leakM3H = 0
    await bench.pass(10)
    await bench.irrigation.release(bench.call(), { sourceId: source.id, what: 'leak' })
    const opened = { openingPct: 100, flowShare: 0 }
    Object.assign(bench.valves.get('C1V4') ?? {}, opened)
    bench.house.leakM3H = 2
    await bench.pass(200)
    Object.assign(bench.valves.get('C1V4') ?? {}, { isSilent: true })
    await bench.pass(3_500, 50)
    expect((await now()).leak).toBeUndefined()
    await bench.pass(300, 10)
    expect((await now()).leak).toBeDefined()
  })

  test('is not set by the valves of another source at the same pump house', async () => {
    const { node } = await now()
    const other = await bench.settings.setSource(bench.call(), {
      node,
      settings: { ...settings, name: '二号', stationId: bench.stationId },
    })
    const valves = [{ deviceId: bench.idOf('C1V6'), flowM3H: 6, maxS: 1_800 }]
    const group = { name: '三组', mode: 'parallel' as const, valves }
    await bench.settings.setGroup(bench.call(), { sourceId: other.id, settings: group })
    Object.assign(bench.valves.get('C1V6') ?? {}, { openingPct: 100 })
    await bench.pass(200)
    expect((await now()).leak).toBeUndefined()
  })

  test('is not set by a meter that died while water flowed, though its controller still reports', async () => {
    await water()
    await bench.pass(30)
    bench.house.isMeterDead = true
    await bench.pass(400)
    expect(await lastRun()).toMatchObject({ state: 'done' })
    expect((await now()).flowM3H).toBeCloseTo(12)
    expect((await now()).leak).toBeUndefined()
  })

  test('is not set by waterings, by the floor of the meter, or by a valve that is opened by hand', async () => {
    bench.house.leakM3H = 0.15
    await water()
    await bench.pass(200)
    Object.assign(bench.valves.get('C1V4') ?? {}, { openingPct: 100 })
    await bench.pass(200)
    expect((await now()).leak).toBeUndefined()
    expect(await listFaultNames()).toEqual([])
  })
})

describe('the protection of a pump', () => {
  test('halts the source within the stated time, pauses the run with its reason, and nothing opens until it is released', async () => {
    await addProgram(1)
    await bench.pass(70)
    expect(openValves()).toEqual(['C1V1', 'C1V2'])
    bench.house.isDry = true
    await bench.pass(60 + 30)
    expect(openValves()).toEqual([])
    const { halt, runs } = await now()
    expect(halt?.reason).toBe('dry-run')
    expect(runs).toMatchObject([{ state: 'paused', pausedFor: 'dry-run' }])
    expect(await listFaultNames()).toContain('irrigation-halt')
    const runId = runs[0]?.id ?? 0
    const resumed = bench.irrigation.change(bench.call(), { runId, event: 'resume' })
    await expect(resumed).rejects.toMatchObject({ code: 'irrigation.halted' })
    await expect(water()).rejects.toMatchObject({ code: 'irrigation.halted' })
    bench.house.isDry = false
    await bench.pass(300)
    expect(openValves()).toEqual([])
    await bench.irrigation.release(bench.call(), { sourceId: source.id, what: 'halt' })
    await bench.pass(30)
    expect(openValves()).toEqual([])
    await bench.irrigation.change(bench.call(), { runId, event: 'resume' })
    await bench.pass(10)
    expect(openValves()).toEqual(['C1V1', 'C1V2'])
    await bench.pass(300)
    expect(await lastRun()).toMatchObject({ state: 'done' })
  })

  test('watches the pressure before the pump, if the source has a least one', async () => {
    await water(groupIds[0], 600)
    bench.house.inletKpa = 5
    await bench.pass(150)
    expect((await now()).halt).toBeUndefined()
    await set({ minInletKpa: 20 })
    await bench.pass(90)
    expect((await now()).halt?.reason).toBe('dry-run')
    await bench.pass(10)
    expect(openValves()).toEqual([])
  })

  test('watches the pressure before the pump also when the meter has died while water flowed', async () => {
    await set({ minInletKpa: 20 })
    await water(groupIds[0], 600)
    await bench.pass(60)
    bench.house.isMeterDead = true
    bench.house.inletKpa = 5
    await bench.pass(90)
    expect((await now()).halt?.reason).toBe('dry-run')
  })

  test('stops a halted run like any other', async () => {
    await water(groupIds[0], 600)
    bench.house.isDry = true
    await bench.pass(120)
    await bench.irrigation.stop(bench.call(), source.id)
    await bench.pass(10)
    expect(await lastRun()).toMatchObject({ state: 'stopped' })
  })
})

describe('a master valve', () => {
  beforeEach(async () => {
    bench.house.master = 'C1V5'
    await set({ masterId: bench.idOf('C1V5'), leadS: 20, lagS: 30 })
  })

  test('opens a lead before the first group, stays open between groups, and closes a lag after the last', async () => {
    await addProgram(1)
    await bench.pass(65)
    expect(openValves()).toEqual(['C1V5'])
    expect(bench.valves.get('C1V5')?.maxSec).toBe(1_800)
    await bench.pass(20)
    expect(openValves()).toEqual(['C1V1', 'C1V2', 'C1V5'])
    expect((await now()).master).toMatchObject({ state: 'open', openingPct: 100 })
    let wasShut = false
    for (let tick = 0; tick < 45; tick++) {
      await bench.pass(5)
      wasShut ||= openValves().length > 0 && !openValves().includes('C1V5')
    }
    expect(wasShut).toBe(false)
    await bench.pass(60)
    expect(openValves()).toEqual([])
    const run = await lastRun()
    expect(run).toMatchObject({ state: 'done' })
    expect(run?.steps.map(({ finding }) => finding)).toEqual([undefined, undefined])
    expect((await now()).master?.state).toBe('closed')
  })

  test('that does not open halts the source, and no group opens', async () => {
    Object.assign(bench.valves.get('C1V5') ?? {}, { isStuck: true })
    await water()
    await bench.pass(60)
    const { halt, runs } = await now()
    expect(halt?.reason).toBe('master')
    expect(runs).toMatchObject([{ state: 'paused', pausedFor: 'master', steps: [{ state: 'pending' }] }])
    expect(openValves()).toEqual([])
  })

  /** A person holds the master valve at an opening, for minutes. */
  const hold = async (openingPct: number, minutes: number) => {
    await bench.commands.send(bench.call(), {
      targets: [{ deviceId: bench.idOf('C1V5'), openingPct }],
      reason: '手动',
      holdUntil: bench.clock.now() + minutes * MINUTE_MS,
    })
    await bench.settle()
  }
  /** Orders of programs yield to the hold; those of a single run have its priority. */
  const startProgram = async () => {
    await addProgram(1)
    await bench.pass(70)
  }

  test('that a person holds open waters the program, and is closed after the hold', async () => {
    await hold(100, 20)
    await startProgram()
    await bench.pass(30)
    expect((await now()).halt).toBeUndefined()
    expect(openValves()).toEqual(['C1V1', 'C1V2', 'C1V5'])
    await bench.pass(600, 10)
    expect(await lastRun()).toMatchObject({ state: 'done' })
    expect(openValves()).toEqual(['C1V5'])
    expect(await listFaultNames()).toEqual([])
    await bench.pass(900, 10)
    expect(openValves()).toEqual([])
    expect((await now()).master?.state).toBe('closed')
  })

  test('that a person holds shut opens nothing, halts nothing, and waters when the hold is over', async () => {
    await hold(0, 6)
    await startProgram()
    await bench.pass(120)
    const { halt, runs } = await now()
    expect(halt).toBeUndefined()
    expect(runs).toMatchObject([{ state: 'running', steps: [{ state: 'pending' }, { state: 'pending' }] }])
    expect(openValves()).toEqual([])
    await bench.pass(260)
    expect(openValves()).toEqual(['C1V1', 'C1V2', 'C1V5'])
  })

  test('whose limits refuse it halts the source after three attempts, a minute apart', async () => {
    const limited = bench.db.updateTable('device').set({ max_opening_pct: 80 })
    await limited.where('id', '=', bench.idOf('C1V5')).execute()
    await startProgram()
    await bench.pass(60)
    expect((await now()).halt).toBeUndefined()
    await bench.pass(150)
    expect((await now()).halt?.reason).toBe('master')
    expect(openValves()).toEqual([])
  })

  test('that does not close raises the alarm until it is closed', async () => {
    await water()
    await bench.pass(40)
    const master = bench.valves.get('C1V5')
    if (master) master.isStuck = true
    await bench.pass(120)
    expect(openValves()).toEqual(['C1V5'])
    expect(await listFaultNames()).toEqual(['irrigation-stuck'])
    if (master) master.isStuck = false
    await bench.pass(120)
    expect(await listFaultNames()).toEqual([])
    expect(openValves()).toEqual([])
  })

  test('is closed at once by stop all, and when the pump runs dry', async () => {
    await water(groupIds[0], 600)
    await bench.pass(40)
    await bench.irrigation.stop(bench.call(), source.id)
    await bench.settle()
    expect(openValves()).toEqual([])
    await bench.pass(60)
    await water(groupIds[0], 600)
    await bench.pass(40)
    bench.house.isDry = true
    await bench.pass(110)
    expect((await now()).halt?.reason).toBe('dry-run')
    expect(openValves()).toEqual([])
  })

  test('is opened again for the rest of a run after its own time, when no server ran meanwhile', async () => {
    await water(groupIds[0], 3_000)
    await bench.pass(60)
    await bench.pass(2_000, 100, false)
    expect(openValves()).toEqual([])
    await bench.restart()
    await bench.pass(60)
    expect(openValves()).not.toContain('C1V3')
    expect((await lastRun())?.steps[0]?.state).toMatch(/pending|open|closed/)
  })

  /** Leaves the master valve stuck open. */
  const leaveStuck = async () => {
    await water()
    await bench.pass(40)
    Object.assign(bench.valves.get('C1V5') ?? {}, { isStuck: true })
    await bench.pass(120)
    expect(['stuck', 'closing']).toContain((await now()).master?.state)
    expect(await listFaultNames()).toEqual(['irrigation-stuck'])
  }
  const retire = (serial: string, retired_at: Date | null) =>
    bench.db.updateTable('device').set({ retired_at }).where('id', '=', bench.idOf(serial)).execute()
  const remove = async () => {
    const { id, version } = await now()
    return bench.settings.remove(bench.call(), 'irrigation_source', { id, version })
  }
  const setWithoutMaster = async () => {
    const { id, version, node } = await now()
    return bench.settings.setSource(bench.call(), { id, version, node, settings })
  }

  test('that is stuck is replaced by another one, which begins closed', async () => {
    await leaveStuck()
    await expect(setWithoutMaster()).rejects.toMatchObject({ code: 'irrigation.running' })
    await set({ masterId: bench.idOf('C1V6'), leadS: 20 })
    expect((await now()).master).toMatchObject({ state: 'closed' })
    expect(await listFaultNames()).toEqual([])
    Object.assign(bench.valves.get('C1V5') ?? {}, { isStuck: false, openingPct: 0 })
    bench.house.master = 'C1V6'
    await water(groupIds[0], 600)
    await bench.pass(50)
    expect(openValves()).toEqual(['C1V1', 'C1V2', 'C1V6'])
  })

  test('that is retired is taken out while it is open, and another one may come later', async () => {
    await water()
    await bench.pass(40)
    await retire('C1V5', new Date())
    source = await setWithoutMaster()
    await retire('C1V5', null)
    expect(source.masterId).toBeUndefined()
    await set({ masterId: bench.idOf('C1V6') })
    expect((await now()).master?.state).toBe('closed')
  })

  test('keeps its source from removal until it is closed, unless it is stuck and retired', async () => {
    await water(groupIds[0], 60)
    for (let tick = 0; tick < 40 && (await now()).runs.length > 0; tick++) await bench.pass(5)
    expect((await now()).master?.state).toBe('open')
    await expect(remove()).rejects.toMatchObject({ code: 'irrigation.master-open' })
    await bench.pass(60)
    await leaveStuck()
    await expect(remove()).rejects.toMatchObject({ code: 'irrigation.master-open' })
    await retire('C1V5', new Date())
    const removed = await remove()
    await retire('C1V5', null)
    expect(removed).toEqual({ id: source.id })
  })

  test('belongs to one source, and to no group of any', async () => {
    const { node } = await now()
    const other = (masterId: number) =>
      bench.settings.setSource(bench.call(), { node, settings: { ...settings, name: '二号泵站', masterId } })
    const isUsed = { code: 'irrigation.valve-used' }
    await expect(other(bench.idOf('C1V5'))).rejects.toMatchObject(isUsed)
    await expect(other(bench.idOf('C1V1'))).rejects.toMatchObject(isUsed)
    const { id } = await other(bench.idOf('C1V6'))
    const valves = [{ deviceId: bench.idOf('C1V5'), flowM3H: 6, maxS: 1_800 }]
    const group = { name: '三组', mode: 'parallel' as const, valves }
    const added = bench.settings.setGroup(bench.call(), { sourceId: id, settings: group })
    await expect(added).rejects.toMatchObject(isUsed)
  })

  test('is neither in a group nor changed while it is open', async () => {
    await expect(addGroup('主阀', ['C1V5'])).rejects.toMatchObject({ code: 'irrigation.valve-used' })
    await water(groupIds[0], 600)
    await bench.pass(40)
    await expect(set({ masterId: bench.idOf('C1V4') })).rejects.toMatchObject({
      code: 'irrigation.valve-used',
    })
    const { masterId: _, ...rest } = { ...settings, masterId: 0 }
    const { id, version, node } = await now()
    const removed = bench.settings.setSource(bench.call(), { id, version, node, settings: rest })
    await expect(removed).rejects.toMatchObject({ code: 'irrigation.running' })
  })
})

test('a lack of water of the day is reported for a day', async () => {
  await set({ dailyBudgetM3: 0.2 })
  await addProgram(1)
  await bench.pass(300)
  expect(await listFaultNames()).toEqual(['irrigation-budget'])
})
